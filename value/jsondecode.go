package value

import (
	"bytes"
	"math"
	"strconv"
)

// DecodeJSON reads the encoding that EncodeJSON describes, strictly: bad
// grammar, a wrong type, a key that comes twice, nesting beyond 200 containers,
// ints beyond 100000 digits and more than some million parts are errors. It
// takes plain JSON of people and programs too, such as a path for a File. The error is a *Error. The
// caller bounds len(data).
func DecodeJSON(t Type, data []byte) (any, error) {
	r := &jsonReader{data: data}
	v, err := r.typed(t)
	if err != nil {
		return nil, err
	}
	if r.skip(); r.pos < len(data) {
		return nil, r.invalid()
	}
	return v, nil
}

func (r *jsonReader) typed(t Type) (any, error) {
	if err := r.charge(1); err != nil {
		return nil, err
	}
	return r.charged(t)
}

// charged is typed for a value that was charged for.
func (r *jsonReader) charged(t Type) (any, error) {
	switch t.Kind {
	case KindAny:
		return r.any()
	case KindUnion:
		return r.union(t)
	case KindNone:
		if r.word("null") {
			return nil, nil
		}
	case KindBool:
		if r.word("true") {
			return true, nil
		}
		if r.word("false") {
			return false, nil
		}
	case KindInt, KindFloat:
		return r.numeric(t)
	case KindDecimal:
		return r.decimal(t)
	case KindList, KindTuple:
		if r.peek() == '[' {
			return r.sequence(t)
		}
	case KindSet:
		if r.peek() == '[' {
			return r.set(t)
		}
	case KindDict:
		if r.peek() == '{' {
			return r.dict(t)
		}
	case KindFile, KindDir, KindDataFrame:
		switch r.peek() {
		case '{':
			return r.file(t)
		case '"':
			return r.path(t)
		}
	default:
		return r.text(t)
	}
	return nil, r.unexpected(t)
}

func (r *jsonReader) union(t Type) (any, error) {
	if inner, ok := t.Optional(); ok {
		if r.word("null") {
			return nil, nil
		}
		return r.typed(inner)
	}
	v, err := r.any()
	if err != nil {
		return nil, err
	}
	return fit(t, v, fitting{})
}

func (r *jsonReader) numeric(t Type) (any, error) {
	c := r.peek()
	if c == '"' && t.Kind == KindFloat {
		return r.text(t)
	}
	if c != '-' && (c < '0' || c > '9') {
		return nil, r.unexpected(t)
	}
	start := r.pos
	v, err := r.anyNumber()
	if err != nil {
		return nil, err
	}
	if _, ok := v.(float64); ok && t.Kind == KindInt {
		r.pos = start
		return nil, r.unexpected(t)
	}
	return fit(t, v, fitting{})
}

func (r *jsonReader) anyNumber() (any, error) {
	literal, integral, err := r.numeral()
	if err != nil {
		return nil, err
	}
	if integral {
		return parseInt(string(literal))
	}
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil {
		return nil, beyondFloat(Quote(string(literal)))
	}
	return f, nil
}

// text reads the values that stand in a JSON string.
func (r *jsonReader) text(t Type) (any, error) {
	if r.peek() == '{' && t.Kind == KindStr {
		return r.surrogates()
	}
	if r.peek() != '"' {
		return nil, r.unexpected(t)
	}
	s, err := r.quoted()
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case KindStr:
		return s, nil
	case KindBytes:
		return decodeBase64(s)
	case KindFloat:
		return floatWord(s)
	case KindDateTime:
		if d, ok := parseDateTime(s); ok {
			return d, nil
		}
	case KindTimedelta:
		if d, ok := parseTimedelta(s); ok {
			return d, nil
		}
	default:
		if v, ok := parseRare(t.Kind, s); ok {
			return v, nil
		}
	}
	return nil, mismatch(t, s)
}

// parseRare reads the text of a date, a time, a Decimal or a UUID.
func parseRare(k Kind, s string) (any, bool) {
	switch k {
	case KindDate:
		return parseDate(s)
	case KindTime:
		return parseTime(s)
	case KindDecimal:
		return ParseDecimal(s)
	case KindUUID:
		return parseUUID(s)
	}
	return nil, false
}

// decimal reads a Decimal, of which people write the number itself.
func (r *jsonReader) decimal(t Type) (any, error) {
	if c := r.peek(); c != '-' && (c < '0' || c > '9') {
		return r.text(t)
	}
	literal, _, err := r.number()
	if err != nil {
		return nil, err
	}
	if d, ok := ParseDecimal(literal); ok {
		return d, nil
	}
	return nil, mismatch(t, literal)
}

func floatWord(s string) (any, error) {
	switch s {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		return math.Inf(1), nil
	case "-Infinity":
		return math.Inf(-1), nil
	}
	return nil, mismatch(Type{Kind: KindFloat}, s)
}

// surrogates reads {"$str": base64}.
func (r *jsonReader) surrogates() (any, error) {
	start := r.pos
	k, ok := r.tag()
	if !ok || k != tagStr {
		r.pos = start
		return nil, r.unexpected(Type{Kind: KindStr})
	}
	return r.tagged(k)
}

func (r *jsonReader) sequence(t Type) (any, error) {
	out := r.roomForItems(t)
	err := r.items(func(i int) error {
		elem := t.elem()
		if t.Kind == KindTuple {
			var err error
			if elem, err = t.itemOrEnd(i); err != nil {
				return err
			}
		}
		v, err := r.typed(elem)
		out = append(out, v)
		return err
	})
	if err != nil || t.Kind != KindTuple {
		return out, err
	}
	if !t.unbounded() && len(out) != len(t.Args) {
		return nil, mismatch(t, Tuple(out))
	}
	return Tuple(out), nil
}

// roomForItems returns an empty list. That of numbers, of a value that was checked
// before, has room for all.
func (r *jsonReader) roomForItems(t Type) []any {
	if elem := t.elem().Kind; !r.paid || t.Kind != KindList || elem != KindFloat && elem != KindInt {
		return []any{}
	}
	return make([]any, 0, r.countItems())
}

// countItems returns how many items the canonical list of numbers has that comes
// next.
func (r *jsonReader) countItems() int {
	end := bytes.IndexByte(r.data[r.pos:], ']')
	if end <= 1 {
		return 0
	}
	return bytes.Count(r.data[r.pos:r.pos+end], []byte{','}) + 1
}

// itemOrEnd is the type of item i of a tuple that is read.
func (t Type) itemOrEnd(i int) (Type, error) {
	elem, ok := t.item(i)
	if !ok {
		return elem, &Error{Expected: "the end of " + t.String(), Got: "one more item"}
	}
	return elem, nil
}

func (r *jsonReader) set(t Type) (any, error) {
	items, err := r.sequence(Type{KindList, t.Args})
	if err != nil {
		return nil, err
	}
	return Set(items.([]any)), checkItems(items.([]any))
}

func (r *jsonReader) dict(t Type) (any, error) {
	kind, elem := t.keyKind(), t.elem()
	d := NewDictBy(kind)
	err := r.fields(func(k string) error {
		text, err := canonicalKey(kind, k)
		if err != nil {
			return err
		}
		if _, twice := d.values[text]; twice {
			return &Error{Expected: "every key once", Got: "the key again"}
		}
		v, err := r.typed(elem)
		d.Set(text, v)
		return err
	})
	return d, err
}

// any reads a value that describes itself.
func (r *jsonReader) any() (any, error) {
	switch c := r.peek(); {
	case c == '{':
		return r.object()
	case c == '[':
		return r.sequence(Type{Kind: KindList})
	case c == '"':
		return r.quoted()
	case c == '-' || c >= '0' && c <= '9':
		return r.anyNumber()
	case r.word("true"):
		return true, nil
	case r.word("false"):
		return false, nil
	case r.word("null"):
		return nil, nil
	}
	return nil, r.invalid()
}

// object reads a dict, or the value of a tag.
func (r *jsonReader) object() (any, error) {
	start := r.pos
	if k, ok := r.tag(); ok {
		v, err := r.tagged(k)
		if err != nil {
			return nil, below(key(k), err)
		}
		return v, nil
	}
	r.pos = start
	return r.dict(DictOf(Type{Kind: KindAny}))
}

// tag reads the beginning of an object up to its first value, if the first key
// is a tag. Tags are short, so a long key is never read for nothing.
func (r *jsonReader) tag() (string, bool) {
	r.accept('{')
	r.skip()
	if !bytes.HasPrefix(r.data[r.pos:], []byte(`"$`)) {
		return "", false
	}
	end := bytes.IndexByte(r.data[r.pos+1:min(len(r.data), r.pos+16)], '"')
	if end < 0 {
		return "", false
	}
	k := string(r.data[r.pos+1 : r.pos+1+end])
	if !isTag(k) {
		return "", false
	}
	r.pos += end + 2
	return k, r.accept(':')
}

// tagged reads the value of a tag and the end of its object.
func (r *jsonReader) tagged(tag string) (any, error) {
	v, err := r.tagValue(tag)
	if err != nil {
		return nil, err
	}
	if !r.accept('}') {
		return nil, r.invalid()
	}
	return v, nil
}

func (r *jsonReader) tagValue(tag string) (any, error) {
	switch tag {
	case tagTuple:
		return r.typed(TupleOfAny(Type{Kind: KindAny}))
	case tagDict:
		return r.typed(DictOf(Type{Kind: KindAny}))
	case tagDictInt, tagDictBool, tagDictDate:
		keys := Kind(tag[len(tagDict)+1 : len(tag)-1])
		return r.typed(DictBy(keys, Type{Kind: KindAny}))
	case tagSet:
		return r.typed(SetOf(Type{Kind: KindAny}))
	case tagStr:
		v, err := r.typed(Type{Kind: KindBytes})
		if err != nil {
			return nil, err
		}
		return naturalString(string(v.([]byte)))
	}
	return r.typed(Type{Kind: kindOfTag(tag)})
}

func kindOfTag(tag string) Kind {
	switch tag {
	case tagFloat:
		return KindFloat
	case tagBytes:
		return KindBytes
	case tagDateTime:
		return KindDateTime
	case tagTimedelta:
		return KindTimedelta
	case tagDate:
		return KindDate
	case tagTime:
		return KindTime
	case tagDecimal:
		return KindDecimal
	case tagUUID:
		return KindUUID
	case tagFile:
		return KindFile
	case tagDir:
		return KindDir
	}
	return KindDataFrame
}

// path reads a File, Dir or DataFrame of which there is only the path.
func (r *jsonReader) path(t Type) (any, error) {
	path, err := r.quoted()
	if err != nil {
		return nil, err
	}
	return decodePath(t, path)
}

// file reads the object of a File, Dir or DataFrame. Keys that it does not
// have are errors.
func (r *jsonReader) file(t Type) (any, error) {
	var path, format, sha256 string
	var size, files int64
	err := r.fields(func(k string) (err error) {
		switch {
		case k == "path":
			path, err = fieldOf[string](r, KindStr)
		case k == "sha256":
			sha256, err = fieldOf[string](r, KindStr)
		case k == "size":
			size, err = fieldOf[int64](r, KindInt)
		case k == "files" && t.Kind == KindDir:
			files, err = fieldOf[int64](r, KindInt)
		case k == "format" && t.Kind == KindDataFrame:
			format, err = fieldOf[string](r, KindStr)
		default:
			err = &Error{Expected: "no such key in " + t.String(), Got: "one"}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if path == "" || size < 0 || files < 0 || files > math.MaxInt32 || checkPath(path, format, sha256) != nil {
		return nil, &Error{Expected: t.String() + ` with a "path" and counts that are not negative`, Got: "an object without"}
	}
	switch t.Kind {
	case KindFile:
		return File{Path: path, Size: size, SHA256: sha256}, nil
	case KindDir:
		return Dir{Path: path, Size: size, Files: int(files), SHA256: sha256}, nil
	}
	return DataFrame{Path: path, Format: format, Size: size, SHA256: sha256}, nil
}

// fieldOf reads a value whose Go type is known from its kind, unless it is an int
// beyond 64 bits.
func fieldOf[T any](r *jsonReader, k Kind) (T, error) {
	v, err := r.typed(Type{Kind: k})
	n, ok := v.(T)
	if err == nil && !ok {
		err = mismatch(Type{Kind: k}, v)
	}
	return n, err
}
