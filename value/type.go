package value

import (
	"slices"
	"strings"
)

// Kind is the outermost part of a Type.
type Kind string

// The kinds. A Type of kind list or set has one argument, dict two (str, int,
// bool or date, and the type of the values), tuple any number or one followed by an ellipsis, and Union at
// least two; every other kind has none.
const (
	KindInt       Kind = "int"
	KindFloat     Kind = "float"
	KindStr       Kind = "str"
	KindBool      Kind = "bool"
	KindBytes     Kind = "bytes"
	KindDateTime  Kind = "datetime"
	KindTimedelta Kind = "timedelta"
	KindDate      Kind = "date"
	KindTime      Kind = "time"
	KindDecimal   Kind = "Decimal"
	KindUUID      Kind = "UUID"
	KindNone      Kind = "None"
	KindFile      Kind = "File"
	KindDir       Kind = "Dir"
	KindDataFrame Kind = "DataFrame"
	KindList      Kind = "list"
	KindSet       Kind = "set"
	KindDict      Kind = "dict"
	KindTuple     Kind = "tuple"
	KindUnion     Kind = "Union"
	KindAny       Kind = "Any"
	KindEllipsis  Kind = "..." // only as the last of two arguments of a tuple
)

// Type is the declared type of an input or output. Types that ParseType made
// are canonical: unions are flat, hold no type twice and None last, a bare
// list, set, dict or tuple holds Any, and a frozenset is a set.
type Type struct {
	Kind Kind
	Args []Type
}

// ListOf returns list[elem].
func ListOf(elem Type) Type { return Type{KindList, []Type{elem}} }

// SetOf returns set[elem].
func SetOf(elem Type) Type { return Type{KindSet, []Type{elem}} }

// DictOf returns dict[str, value].
func DictOf(value Type) Type { return DictBy(KindStr, value) }

// DictBy returns the dict of these values by keys of this kind.
func DictBy(key Kind, value Type) Type { return Type{KindDict, []Type{{Kind: key}, value}} }

// TupleOf returns the tuple of exactly these elements.
func TupleOf(elems ...Type) Type { return Type{KindTuple, elems} }

// TupleOfAny returns tuple[elem, ...], a tuple of any length.
func TupleOfAny(elem Type) Type { return Type{KindTuple, []Type{elem, {Kind: KindEllipsis}}} }

// OptionalOf returns Optional[t].
func OptionalOf(t Type) Type { return UnionOf(t, Type{Kind: KindNone}) }

// UnionOf returns the canonical union: flat, without doubles, None last. A
// union of one type is that type.
func UnionOf(members ...Type) Type {
	flat := flatten(nil, members)
	if i := slices.IndexFunc(flat, Type.isNone); i >= 0 {
		flat = append(slices.Delete(flat, i, i+1), Type{Kind: KindNone})
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return Type{KindUnion, flat}
}

func flatten(flat, members []Type) []Type {
	for _, m := range members {
		switch {
		case m.Kind == KindUnion:
			flat = flatten(flat, m.Args)
		case !slices.ContainsFunc(flat, m.Equal):
			flat = append(flat, m)
		}
	}
	return flat
}

func (t Type) isNone() bool { return t.Kind == KindNone }

// Optional returns T and true if t is Optional[T], a union of one type and None.
func (t Type) Optional() (Type, bool) {
	if t.Kind == KindUnion && len(t.Args) == 2 && t.Args[1].isNone() {
		return t.Args[0], true
	}
	return Type{}, false
}

// Files reports whether values of t can name bytes outside the value itself:
// whether File, Dir or DataFrame occurs in it.
func (t Type) Files() bool {
	switch t.Kind {
	case KindFile, KindDir, KindDataFrame:
		return true
	}
	return slices.ContainsFunc(t.Args, Type.Files)
}

// Equal reports whether both are the same type.
func (t Type) Equal(u Type) bool {
	return t.Kind == u.Kind && slices.EqualFunc(t.Args, u.Args, Type.Equal)
}

// String returns the canonical Python spelling, which ParseType reads back.
func (t Type) String() string {
	if inner, ok := t.Optional(); ok {
		return "Optional[" + inner.String() + "]"
	}
	switch {
	case len(t.Args) > 0:
		return string(t.Kind) + "[" + joinTypes(t.Args) + "]"
	case t.Kind == KindTuple:
		return "tuple[()]"
	}
	return string(t.Kind)
}

func joinTypes(types []Type) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = t.String()
	}
	return strings.Join(words, ", ")
}

// depth returns how deep the brackets of the canonical spelling nest.
func (t Type) depth() int {
	deepest := 0
	for _, arg := range t.Args {
		deepest = max(deepest, 1+arg.depth())
	}
	return deepest
}

// keyKind is the kind of the keys of a dict.
func (t Type) keyKind() Kind {
	if len(t.Args) == 0 {
		return KindStr
	}
	return t.Args[0].Kind
}

// elem is the type of the items of a list or set, or of the values of a dict.
func (t Type) elem() Type {
	if len(t.Args) == 0 {
		return Type{Kind: KindAny}
	}
	return t.Args[len(t.Args)-1]
}

// item is the type of item i of a tuple; ok is false beyond its end.
func (t Type) item(i int) (Type, bool) {
	if t.unbounded() {
		return t.Args[0], true
	}
	if i >= len(t.Args) {
		return Type{}, false
	}
	return t.Args[i], true
}

// unbounded reports whether t is a tuple of any length.
func (t Type) unbounded() bool { return len(t.Args) == 2 && t.Args[1].Kind == KindEllipsis }

// MarshalText writes the canonical spelling.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads any spelling that ParseType accepts.
func (t *Type) UnmarshalText(text []byte) error {
	parsed, err := ParseType(string(text))
	if err != nil {
		return err
	}
	*t = parsed
	return nil
}
