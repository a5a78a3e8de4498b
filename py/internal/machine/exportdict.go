package machine

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// dict exports a dict. Its keys are of one kind that a type can declare, or
// their texts are all that a host gets of them.
func (e *exporter) dict(d *dict, depth int) (any, error) {
	texts := make([]string, 0, d.live())
	var kind api.Kind
	for i := d.next(0); i >= 0; i = d.next(i + 1) {
		word, of, err := e.key(d.entries[i].key)
		if err != nil {
			return nil, err
		}
		if kind != "" && of != kind {
			of = api.KindAny
		}
		kind = of
		if err := e.pay(2*entryBytes + len(word)); err != nil {
			return nil, err
		}
		texts = append(texts, word)
	}
	if kind == "" {
		return api.NewDict(), nil
	}
	return e.members(d, api.NewDictBy(kind), texts, depth)
}

func (e *exporter) members(d *dict, out *api.Dict, texts []string, depth int) (any, error) {
	n := 0
	for i := d.next(0); i >= 0; i = d.next(i + 1) {
		word := texts[n]
		n++
		if _, twice := out.Get(word); twice {
			return nil, raise.Value("two keys of a dict that leaves the program have the text %s", strconv.Quote(word))
		}
		x, err := e.value(d.entries[i].value, depth+1)
		if err != nil {
			return nil, e.below(keyStep(word), err)
		}
		out.Set(word, x)
	}
	return out, nil
}

func keyStep(word string) string { return "[" + api.Quote(word) + "]" }

// key returns the text of a key, as json.dumps would write it, and its kind;
// Any stands for the kinds that no type declares.
func (e *exporter) key(v Value) (string, api.Kind, error) {
	if s := v.str(); s != nil {
		return s.s, api.KindStr, nil
	}
	switch v.kind() {
	case kindTuple:
		return e.tupleKey(v)
	case kindFrozenSet, kindBytes: // leave, but not as a key
		return "", "", badKey(v)
	}
	x, err := e.value(v, 0)
	if err != nil {
		return "", "", badKey(v)
	}
	switch x := x.(type) {
	case string:
		return x, api.KindStr, nil
	case bool:
		return api.KeyText(x), api.KindBool, nil
	case api.Date:
		return x.String(), api.KindDate, nil
	case nil:
		return "null", api.KindAny, nil
	case float64:
		return floatKey(x), api.KindAny, nil
	case api.DateTime:
		return x.String(), api.KindAny, nil
	case api.TimeOfDay:
		return x.String(), api.KindAny, nil
	case api.Decimal:
		return string(x), api.KindAny, nil
	case api.UUID:
		return x.String(), api.KindAny, nil
	}
	if isInt(x) {
		return api.KeyText(x), api.KindInt, nil
	}
	return "", "", badKey(v)
}

// tupleKey is the text that str() gives, for want of one in JSON.
func (e *exporter) tupleKey(v Value) (string, api.Kind, error) {
	text, err := e.m.reprNative(v)
	if err != nil {
		return "", "", badKey(v)
	}
	return text, api.KindAny, nil
}

func badKey(v Value) error {
	return raise.Type("a dict with a key of type '%s' cannot leave the program; use keys that are str, int, bool, a date or a tuple of them", typeName(v))
}

// floatKey is the text of a float as json.dumps has it.
func floatKey(f float64) string {
	return strings.NewReplacer("inf", "Infinity", "nan", "NaN").Replace(text.FloatRepr(f))
}
