package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

const maxDepth = 200

var modelName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,200}$`)

// readQuestion checks a question, and returns it without what differs from process
// to process. It fills in the name of the model, if any may be asked.
func (p protocol) readQuestion(granted *api.Model, r *http.Request, body []byte) (api.ModelRaw, error) {
	tree, err := decode(body)
	if err != nil {
		return api.ModelRaw{}, refused(http.StatusBadRequest, "the question is no JSON object: %w", err)
	}
	if err := p.checkAll(granted, tree); err != nil {
		return api.ModelRaw{}, refused(http.StatusForbidden, "%w", err)
	}
	p.normalize(tree)
	text, err := json.Marshal(tree)
	if err != nil {
		return api.ModelRaw{}, refused(http.StatusBadRequest, "the question is no JSON: %w", err)
	}
	return api.ModelRaw{Path: r.URL.Path, Body: string(text), Betas: p.betas(r.Header)}, nil
}

type object = map[string]any

// decode reads an object. A name that comes twice is refused, since the provider
// could see the other value of it; so is what is nested too deeply.
func decode(body []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	tree, err := decodeValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows it")
	}
	o, isObject := tree.(object)
	if !isObject {
		return nil, fmt.Errorf("it is something else")
	}
	return o, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil || depth > maxDepth {
		return nil, orDeep(err)
	}
	switch token {
	case json.Delim('{'):
		return decodeObject(d, depth)
	case json.Delim('['):
		items := []any{}
		for d.More() {
			item, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		_, err := d.Token()
		return items, err
	}
	return token, nil
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	o := object{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if _, twice := o[name]; twice {
			return nil, fmt.Errorf("%s comes twice", value.Quote(name))
		}
		if o[name], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return o, err
}

func orDeep(err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("it is nested deeper than %d", maxDepth)
}

// checkAll refuses what would lead further than the grant.
func (p protocol) checkAll(granted *api.Model, q object) error {
	for name := range q {
		if !slices.Contains(p.fields, name) {
			return fmt.Errorf("a cell cannot ask with %s", value.Quote(name))
		}
	}
	name, _ := q["model"].(string)
	if granted.Name == "" && modelName().MatchString(name) {
		granted.Name = name
	}
	if name != granted.Name || name == "" {
		return fmt.Errorf("this cell cannot ask the model %s: it may ask %s", value.Quote(name), cmp.Or(granted.Name, "any with a name"))
	}
	return p.check(q)
}
