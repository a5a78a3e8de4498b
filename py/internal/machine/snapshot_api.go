package machine

import (
	"encoding/binary"
	"math"
	"math/big"
	"time"

	"github.com/glovebox-dev/glovebox/value"
)

// The tags of values of package api, in the arguments of calls and in handles.
const (
	apiNil = iota
	apiFalse
	apiTrue
	apiInt
	apiBig
	apiFloat
	apiStr
	apiBytes
	apiDateTime
	apiTimedelta
	apiFile
	apiDir
	apiFrame
	apiList
	apiTuple
	apiDict
	apiDate
	apiTime
	apiDecimal
	apiUUID
	apiSet
	apiKeyed // a dict by another kind of keys than str
)

// maxAPIDepth bounds the nesting of arguments.
const maxAPIDepth = 1000

// apiValue writes an argument. Arguments are trees, whose depth export bounds.
func (s *saver) apiValue(v any, depth int) {
	if depth > maxAPIDepth {
		s.fail("an argument that is nested too deeply")
		return
	}
	switch v := v.(type) {
	case nil:
		s.byte(apiNil)
	case bool:
		if v {
			s.byte(apiTrue)
		} else {
			s.byte(apiFalse)
		}
	case int64:
		s.byte(apiInt)
		s.int(v)
	case *big.Int:
		s.byte(apiBig)
		s.bool(v.Sign() < 0)
		s.text(string(v.Bytes()))
	case float64:
		s.byte(apiFloat)
		s.b = binary.LittleEndian.AppendUint64(s.b, math.Float64bits(v))
	case string:
		s.byte(apiStr)
		s.text(v)
	case []byte:
		s.byte(apiBytes)
		s.text(string(v))
	case []any:
		s.byte(apiList)
		s.apiValues(v, depth)
	case value.Fields:
		s.floats(v)
	case value.Tuple:
		s.byte(apiTuple)
		s.apiValues(v, depth)
	case value.Set:
		s.byte(apiSet)
		s.apiValues(v, depth)
	case *value.Dict:
		if v.KeyKind() == value.KindStr {
			s.byte(apiDict)
		} else {
			s.byte(apiKeyed)
			s.text(string(v.KeyKind()))
		}
		s.count(v.Len())
		for key, item := range v.All() {
			s.text(key)
			s.apiValue(item, depth+1)
		}
	default:
		s.apiRare(v)
	}
}

func (s *saver) apiValues(vs []any, depth int) {
	s.count(len(vs))
	for _, v := range vs {
		s.apiValue(v, depth+1)
	}
}

// floats writes the list of exportFloats as any other.
func (s *saver) floats(f value.Fields) {
	count, items, _ := f.Floats(f.Params()[0].Name)
	s.byte(apiList)
	s.count(count)
	for item := range items {
		s.apiValue(item, 0)
	}
}

func (s *saver) apiRare(v any) {
	switch v := v.(type) {
	case value.File:
		s.byte(apiFile)
		s.text(v.Path)
		s.int(v.Size)
		s.text(v.SHA256)
	case value.Dir:
		s.byte(apiDir)
		s.text(v.Path)
		s.int(v.Size)
		s.count(v.Files)
		s.text(v.SHA256)
	case value.DataFrame:
		s.byte(apiFrame)
		s.text(v.Path)
		s.text(v.Format)
		s.int(v.Size)
		s.text(v.SHA256)
	case value.DateTime:
		s.dateTime(v)
	case value.Timedelta:
		s.timedelta(v)
	case value.Date:
		s.byte(apiDate)
		s.int(v.Time().Unix())
	case value.TimeOfDay:
		s.byte(apiTime)
		s.int(int64(v.Clock))
		s.bool(v.Aware)
		s.int(int64(v.Offset))
	case value.Decimal:
		s.byte(apiDecimal)
		s.text(string(v))
	case value.UUID:
		s.byte(apiUUID)
		s.text(string(v[:]))
	default:
		s.fail("an argument of type %T", v)
	}
}

// apiValue reads an argument.
func (l *loader) apiValue(depth int) any {
	if depth > maxAPIDepth {
		l.corrupt()
	}
	if l.err != nil {
		return nil
	}
	l.pay(2 * ValueBytes)
	switch tag := l.byte(); tag {
	case apiNil:
		return nil
	case apiFalse, apiTrue:
		return tag == apiTrue
	case apiInt:
		return l.int()
	case apiBig:
		n := l.bigInt()
		if n.IsInt64() {
			l.corrupt()
		}
		return n
	case apiFloat:
		return math.Float64frombits(l.fixed())
	case apiStr:
		return l.unicode()
	case apiBytes:
		return []byte(l.text())
	case apiList:
		return l.apiValues(depth)
	case apiTuple:
		return value.Tuple(l.apiValues(depth))
	case apiSet:
		return value.Set(l.apiValues(depth))
	case apiDict:
		return l.apiDict(value.KindStr, depth)
	case apiKeyed:
		return l.apiDict(value.Kind(l.text()), depth)
	default:
		return l.apiRare(tag)
	}
}

func (l *loader) apiValues(depth int) []any {
	vs := make([]any, 0, l.count(1))
	for n := cap(vs); n > 0 && l.err == nil; n-- {
		vs = append(vs, l.apiValue(depth+1))
	}
	return vs
}

func (l *loader) apiDict(keys value.Kind, depth int) *value.Dict {
	d := value.NewDictBy(keys)
	for n := l.count(2); n > 0 && l.err == nil; n-- {
		key := l.unicode()
		l.pay(entryBytes)
		l.apiKey(keys, key)
		d.Set(key, l.apiValue(depth+1))
	}
	return d
}

// apiKey checks a key that is no str.
func (l *loader) apiKey(kind value.Kind, text string) {
	if kind == value.KindStr {
		return
	}
	d := value.NewDictBy(kind)
	d.Set(text, nil)
	if _, err := value.Normalize(value.DictBy(kind, value.Type{Kind: value.KindNone}), d); err != nil && kind != value.KindAny {
		l.corrupt()
	}
}

func (l *loader) apiRare(tag byte) any {
	switch tag {
	case apiFile:
		return value.File{Path: l.unicode(), Size: l.int(), SHA256: l.unicode()}
	case apiDir:
		return value.Dir{Path: l.unicode(), Size: l.int(), Files: int(l.uint() & math.MaxInt64), SHA256: l.unicode()}
	case apiFrame:
		return value.DataFrame{Path: l.unicode(), Format: l.unicode(), Size: l.int(), SHA256: l.unicode()}
	case apiDateTime:
		return l.dateTime()
	case apiTimedelta:
		return l.timedelta()
	case apiDate:
		return l.date()
	case apiTime:
		return l.checked(value.TimeOfDay{Clock: time.Duration(l.int()), Aware: l.bool(), Offset: time.Duration(l.int())})
	case apiDecimal:
		return l.checked(value.Decimal(l.unicode()))
	case apiUUID:
		return l.uuid()
	}
	l.corrupt()
	return nil
}

// checked checks a value by the rules of package api.
func (l *loader) checked(v any) any {
	n, err := value.Normalize(value.Type{Kind: value.KindAny}, v)
	if err != nil || n != v {
		l.corrupt()
		return nil
	}
	return v
}

func (l *loader) date() any {
	seconds := l.int()
	if seconds%86400 != 0 || seconds < -1<<37 || seconds > 1<<38 {
		l.corrupt()
		return nil
	}
	return l.checked(value.DateOf(time.Unix(seconds, 0).UTC()))
}

func (l *loader) uuid() any {
	var u value.UUID
	if copy(u[:], l.text()) != len(u) {
		l.corrupt()
	}
	return u
}

func (s *saver) dateTime(d value.DateTime) {
	s.byte(apiDateTime)
	s.int(d.Wall.Unix())
	s.count(d.Wall.Nanosecond())
	s.bool(d.Aware)
	s.int(int64(d.Offset))
}

func (l *loader) dateTime() value.DateTime {
	seconds, nanos := l.int(), l.uint()
	wall := time.Unix(seconds, int64(nanos)).UTC()
	if nanos > 999_999_999 || nanos%1000 != 0 || seconds < -1<<37 || seconds > 1<<38 || wall.Year() < 1 || wall.Year() > 9999 {
		l.corrupt()
		return value.DateTime{}
	}
	d := value.DateTime{Wall: wall, Aware: l.bool(), Offset: time.Duration(l.int())}
	if d.Offset <= -24*time.Hour || d.Offset >= 24*time.Hour || !d.Aware && d.Offset != 0 {
		l.corrupt()
	}
	return d
}

func (s *saver) timedelta(d value.Timedelta) {
	s.byte(apiTimedelta)
	s.int(int64(d.Days))
	s.count(d.Seconds)
	s.count(d.Microseconds)
}

func (l *loader) timedelta() value.Timedelta {
	days, seconds, micros := l.int(), l.uint(), l.uint()
	if days < -999_999_999 || days > 999_999_999 || seconds >= 86400 || micros >= 1e6 {
		l.corrupt()
	}
	return value.Timedelta{Days: int(days), Seconds: int(seconds), Microseconds: int(micros)}
}
