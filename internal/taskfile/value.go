package taskfile

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// withDefault gives an input the default that n says, if there is one.
func (r *reader) withDefault(p value.Param, n node) value.Param {
	if n == nil || r.Err != nil {
		return p
	}
	text := r.json(n, p.Type)
	if r.Err != nil {
		return p
	}
	v, err := value.DecodeJSON(p.Type, text)
	if err == nil && p.Type.Files() {
		r.Fail(n, "input %s holds files, which have no default", p.Name)
		return p
	}
	if err == nil {
		p, err = p.WithDefault(v)
	}
	if err != nil {
		r.Fail(n, "%s", api.BadValue(api.InvalidTask, "default of input", p.Name, err).Message)
	}
	return p
}

// withChoices gives an input the choices that n lists, if there are some.
func (r *reader) withChoices(p value.Param, n node) value.Param {
	if n == nil || r.Err != nil {
		return p
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok || len(list.Values) == 0 {
		r.Fail(n, "the choices of input %s are no list of values", p.Name)
		return p
	}
	var choices []json.RawMessage
	for _, item := range list.Values {
		choices = append(choices, r.json(item, p.Type))
	}
	if r.Err != nil {
		return p
	}
	p, err := p.WithChoices(choices)
	if err != nil {
		r.Fail(n, "%s", api.BadValue(api.InvalidTask, "choices of input", p.Name, err).Message)
	}
	return p
}

// json writes a value of YAML as JSON.
func (r *reader) json(n node, t value.Type) json.RawMessage {
	switch v := n.(type) {
	case *ast.NullNode:
		return json.RawMessage("null")
	case *ast.BoolNode:
		return json.RawMessage(strconv.FormatBool(v.Value))
	case *ast.SequenceNode:
		return r.jsonList(v, t)
	case *ast.MappingNode, *ast.MappingValueNode:
		return r.jsonObject(n, t)
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return r.jsonNumber(n)
	}
	text := r.Str(n)
	if plain(n) && t.Kind != value.KindStr && isInteger(text) {
		return json.RawMessage(strings.TrimPrefix(text, "+"))
	}
	return jsonText(text)
}

// isInteger knows the integers that are too large for the parser of YAML.
func isInteger(text string) bool {
	const longest = 4300 // digits that Python converts
	if len(text) > longest || len(text) == 0 || strings.Trim(text[1:], "0123456789") != "" {
		return false
	}
	_, ok := new(big.Int).SetString(text, 10)
	return ok
}

// jsonText writes a string as JSON. It has been read as UTF-8.
func jsonText(text string) json.RawMessage {
	written, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be written
	}
	return written
}

func (r *reader) jsonNumber(n node) json.RawMessage {
	switch v := n.(type) {
	case *ast.NanNode:
		return jsonText("NaN")
	case *ast.InfinityNode:
		return jsonText(strings.TrimPrefix(strconv.FormatFloat(v.Value, 'g', -1, 64), "+") + "inity")
	case *ast.FloatNode:
		return jsonFloat(v.Value)
	case *ast.IntegerNode:
		switch i := v.Value.(type) {
		case int64:
			return strconv.AppendInt(nil, i, 10)
		case uint64:
			return strconv.AppendUint(nil, i, 10)
		}
	}
	r.Fail(n, "%s is no number", yamlfile.Describe(n))
	return nil
}

// jsonFloat keeps a point, so that the number stays a float.
func jsonFloat(f float64) json.RawMessage {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	switch {
	case math.IsInf(f, 0):
		return jsonText(strings.TrimPrefix(text, "+") + "inity")
	case !strings.ContainsAny(text, ".e"):
		text += ".0"
	}
	return json.RawMessage(text)
}

func (r *reader) jsonList(s *ast.SequenceNode, t value.Type) json.RawMessage {
	b := []byte{'['}
	for i, item := range r.Items(s, "a list") {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, r.json(item, t)...)
	}
	return append(b, ']')
}

func (r *reader) jsonObject(n node, t value.Type) json.RawMessage {
	b := []byte{'{'}
	for i, p := range r.Pairs(n, "a dict") {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, jsonText(p.Key)...), ':')
		b = append(b, r.json(p.Value, t)...)
	}
	return append(b, '}')
}
