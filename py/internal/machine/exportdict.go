package machine

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
	"github.com/glovebox-dev/glovebox/value"
)

// dict exports a dict. Its keys are of one kind that a type can declare, or
// their texts are all that a host gets of them.
func (e *exporter) dict(d *Dict, depth int) (any, error) {
	texts := make([]string, 0, d.Len())
	var kind value.Kind
	for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
		word, of, err := e.key(d.entries[i].key)
		if err != nil {
			return nil, err
		}
		if kind != "" && of != kind {
			of = value.KindAny
		}
		kind = of
		if err := e.pay(2*entryBytes + len(word)); err != nil {
			return nil, err
		}
		texts = append(texts, word)
	}
	if kind == "" {
		return value.NewDict(), nil
	}
	return e.members(d, value.NewDictBy(kind), texts, depth)
}

func (e *exporter) members(d *Dict, out *value.Dict, texts []string, depth int) (any, error) {
	n := 0
	for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
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

func keyStep(word string) string { return "[" + value.Quote(word) + "]" }

// key returns the text of a key, as json.dumps would write it, and its kind;
// Any stands for the kinds that no type declares.
func (e *exporter) key(v Value) (string, value.Kind, error) {
	if s := v.Str(); s != nil {
		return s.s, value.KindStr, nil
	}
	switch v.Kind() {
	case KindTuple:
		return e.tupleKey(v)
	case KindFrozenSet, KindBytes: // leave, but not as a key
		return "", "", badKey(v)
	}
	x, err := e.value(v, 0)
	if err != nil {
		return "", "", badKey(v)
	}
	switch x := x.(type) {
	case string:
		return x, value.KindStr, nil
	case bool:
		return value.KeyText(x), value.KindBool, nil
	case value.Date:
		return x.String(), value.KindDate, nil
	case nil:
		return "null", value.KindAny, nil
	case float64:
		return floatKey(x), value.KindAny, nil
	case value.DateTime:
		return x.String(), value.KindAny, nil
	case value.TimeOfDay:
		return x.String(), value.KindAny, nil
	case value.Decimal:
		return string(x), value.KindAny, nil
	case value.UUID:
		return x.String(), value.KindAny, nil
	}
	if isInt(x) {
		return value.KeyText(x), value.KindInt, nil
	}
	return "", "", badKey(v)
}

// tupleKey is the text that str() gives, for want of one in JSON.
func (e *exporter) tupleKey(v Value) (string, value.Kind, error) {
	text, err := e.m.ReprNative(v)
	if err != nil {
		return "", "", badKey(v)
	}
	return text, value.KindAny, nil
}

func badKey(v Value) error {
	return raise.Type("a dict with a key of type '%s' cannot leave the program; use keys that are str, int, bool, a date or a tuple of them", TypeName(v))
}

// floatKey is the text of a float as json.dumps has it.
func floatKey(f float64) string {
	return strings.NewReplacer("inf", "Infinity", "nan", "NaN").Replace(text.FloatRepr(f))
}
