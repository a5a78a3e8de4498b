package value

import (
	"strings"
	"unicode"
)

// Bounds of a type. The spelling may have more brackets than the type is deep,
// because unions are made flat.
const (
	maxTypeLength = 4096 // bytes, of the canonical spelling too
	maxTypeDepth  = 32
	maxBrackets   = 4 * maxTypeDepth
)

// ParseType reads the Python spelling of a type: builtin and typing names,
// "X | Y", and dotted names, of which the last part counts. It returns
// invalid_type with the nearest known name.
func ParseType(text string) (Type, error) {
	if len(text) > maxTypeLength {
		return Type{}, badType(text, "it is longer than %d bytes", maxTypeLength)
	}
	p := typeParser{text: text, rest: text}
	t, err := p.union(0)
	if err != nil {
		return Type{}, err
	}
	if p.skip(); p.rest != "" {
		return Type{}, p.unexpected("the end")
	}
	return t, checkSize(text, t)
}

// checkSize makes sure that the canonical spelling can be read back.
func checkSize(text string, t Type) error {
	if t.depth() > maxTypeDepth {
		return badType(text, "it is nested more than %d deep", maxTypeDepth)
	}
	if len(t.String()) > maxTypeLength {
		return badType(text, "its full spelling is longer than %d bytes", maxTypeLength)
	}
	return nil
}

// MustType is ParseType for a spelling that is a constant of the program. It
// panics if that is not a type.
func MustType(text string) Type {
	t, err := ParseType(text)
	if err != nil {
		panic(err)
	}
	return t
}

type typeParser struct {
	text, rest string
}

func (p *typeParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *typeParser) accept(token string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, token)
	p.rest = rest
	return ok
}

func (p *typeParser) union(depth int) (Type, error) {
	var members []Type
	for {
		t, err := p.term(depth)
		if err != nil {
			return Type{}, err
		}
		members = append(members, t)
		if !p.accept("|") {
			return UnionOf(members...), nil
		}
	}
}

func (p *typeParser) term(depth int) (Type, error) {
	name := p.name()
	if name == "" {
		return Type{}, p.unexpected("a type")
	}
	if !p.accept("[") {
		return p.bare(name)
	}
	if depth >= maxBrackets {
		return Type{}, badType(p.text, "it has more than %d nested brackets", maxBrackets)
	}
	if lastPart(name) == "tuple" || lastPart(name) == "Tuple" {
		return p.tuple(depth + 1)
	}
	args, err := p.arguments(depth + 1)
	if err != nil {
		return Type{}, err
	}
	return p.generic(name, args)
}

// name reads a dotted name, or returns "" if there is none.
func (p *typeParser) name() string {
	p.skip()
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		return r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if end < 0 {
		end = len(p.rest)
	}
	name := p.rest[:end]
	if lastPart(name) == "" {
		return ""
	}
	p.rest = p.rest[end:]
	return name
}

func (p *typeParser) arguments(depth int) ([]Type, error) {
	var args []Type
	for {
		t, err := p.union(depth)
		if err != nil {
			return nil, err
		}
		args = append(args, t)
		if p.accept("]") {
			return args, nil
		}
		if !p.accept(",") {
			return nil, p.unexpected(`"," or "]"`)
		}
	}
}

// tuple reads the rest of "tuple[", whose arguments may be "()" or end in "...".
func (p *typeParser) tuple(depth int) (Type, error) {
	if p.accept("(") {
		if !p.accept(")") || !p.accept("]") {
			return Type{}, p.unexpected(`")]"`)
		}
		return TupleOf(), nil
	}
	args := []Type{}
	for {
		t, err := p.union(depth)
		if err != nil {
			return Type{}, err
		}
		args = append(args, t)
		if p.accept("]") {
			return TupleOf(args...), nil
		}
		if !p.accept(",") {
			return Type{}, p.unexpected(`"," or "]"`)
		}
		if !p.accept("...") {
			continue
		}
		if len(args) != 1 || !p.accept("]") {
			return Type{}, badType(p.text, `"..." must follow the only element type of a tuple`)
		}
		return TupleOfAny(t), nil
	}
}

// bare resolves a name without brackets.
func (p *typeParser) bare(name string) (Type, error) {
	anything := Type{Kind: KindAny}
	switch last := lastPart(name); last {
	case "int", "float", "str", "bool", "bytes", "datetime", "timedelta", "date", "time", "Decimal", "UUID",
		"None", "File", "Dir", "DataFrame", "Any":
		return Type{Kind: Kind(last)}, nil
	case "NoneType":
		return Type{Kind: KindNone}, nil
	case "list", "List":
		return ListOf(anything), nil
	case "set", "Set", "frozenset", "FrozenSet":
		return SetOf(anything), nil
	case "dict", "Dict":
		return DictOf(anything), nil
	case "tuple", "Tuple":
		return TupleOfAny(anything), nil
	case "Optional", "Union":
		return Type{}, badType(p.text, "%s needs types in brackets", last)
	}
	return Type{}, unknownType(p.text, name)
}

// generic resolves a name with arguments.
func (p *typeParser) generic(name string, args []Type) (Type, error) {
	last := lastPart(name)
	switch last {
	case "list", "List", "set", "Set", "frozenset", "FrozenSet", "Optional":
		if len(args) != 1 {
			return Type{}, badType(p.text, "%s takes one type, got %d", last, len(args))
		}
	}
	switch last {
	case "list", "List":
		return ListOf(args[0]), nil
	case "set", "Set", "frozenset", "FrozenSet":
		return p.set(args[0])
	case "Optional":
		return OptionalOf(args[0]), nil
	case "Union":
		return UnionOf(args...), nil
	case "dict", "Dict":
		return p.dict(args)
	}
	if _, err := p.bare(name); err != nil {
		return Type{}, err
	}
	return Type{}, badType(p.text, "%s takes no types in brackets", last)
}

func (p *typeParser) dict(args []Type) (Type, error) {
	if len(args) != 2 {
		return Type{}, badType(p.text, "dict takes two types, got %d", len(args))
	}
	if !isKeyKind(args[0].Kind) {
		return Type{}, badType(p.text, "the keys of a dict must be str, int, bool or date, got %s", args[0])
	}
	return DictBy(args[0].Kind, args[1]), nil
}

func (p *typeParser) set(elem Type) (Type, error) {
	if elem.Kind == KindList || elem.Kind == KindDict || elem.Files() {
		return Type{}, badType(p.text, "%s cannot be in a set", elem)
	}
	return SetOf(elem), nil
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func (p *typeParser) unexpected(want string) error {
	got := "the end"
	if p.skip(); p.rest != "" {
		got = Quote(p.rest)
	}
	return badType(p.text, "expected %s, got %s", want, got)
}
