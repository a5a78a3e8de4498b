package value

import "slices"

// NormalizePlain is Normalize for what a program gives away: under Any, a set
// is a list, in its order, the keys of a dict are their texts, and a date, a
// time, a Decimal and a UUID are str, as JSON would have them. Where they are
// declared they stay what they are. A list of numbers is not copied: the program
// has made it to give it away.
func NormalizePlain(t Type, v any) (any, error) {
	if isNumbers(t, v) {
		return v, nil
	}
	n, err := natural(v, 0)
	if err != nil {
		return nil, err
	}
	return fit(t, n, fitting{plain: true})
}

// isNumbers reports whether v is a list that fits a list of int or float, and has
// nothing that would be made into another value.
func isNumbers(t Type, v any) bool {
	list, ok := v.([]any)
	if !ok || t.Kind != KindList {
		return false
	}
	k := t.elem().Kind
	for _, item := range list {
		switch item.(type) {
		case float64:
			ok = k == KindFloat
		case int64:
			ok = k == KindInt
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

// plain returns a natural value in the words of JSON. Most values are already.
func plain(v any) any {
	if !rare(v) {
		return v
	}
	return plainCopy(v)
}

func plainCopy(v any) any {
	switch v := v.(type) {
	case Date:
		return v.String()
	case TimeOfDay:
		return v.String()
	case Decimal:
		return string(v)
	case UUID:
		return v.String()
	case []any:
		return plainItems(v)
	case Tuple:
		return Tuple(plainItems(v))
	case Set:
		return plainItems(v)
	case *Dict:
		out := NewDict()
		for k, item := range v.All() {
			out.Set(k, plainCopy(item))
		}
		return out
	}
	return v
}

func plainItems(items []any) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = plainCopy(item)
	}
	return out
}

// rare reports whether there is something in v that plain changes.
func rare(v any) bool {
	switch v := v.(type) {
	case Date, TimeOfDay, Decimal, UUID, Set:
		return true
	case []any:
		return slices.ContainsFunc(v, rare)
	case Tuple:
		return slices.ContainsFunc(v, rare)
	case *Dict:
		if v.of != "" {
			return true
		}
		for _, item := range v.values {
			if rare(item) {
				return true
			}
		}
	}
	return false
}
