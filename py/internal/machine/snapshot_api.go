package machine

import (
	"encoding/binary"
	"math"
	"math/big"
	"time"

	"github.com/glovebox-dev/glovebox/api"
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
	case api.Tuple:
		s.byte(apiTuple)
		s.apiValues(v, depth)
	case api.Set:
		s.byte(apiSet)
		s.apiValues(v, depth)
	case *api.Dict:
		if v.KeyKind() == api.KindStr {
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

func (s *saver) apiRare(v any) {
	switch v := v.(type) {
	case api.File:
		s.byte(apiFile)
		s.text(v.Path)
		s.int(v.Size)
		s.text(v.SHA256)
	case api.Dir:
		s.byte(apiDir)
		s.text(v.Path)
		s.int(v.Size)
		s.count(v.Files)
		s.text(v.SHA256)
	case api.DataFrame:
		s.byte(apiFrame)
		s.text(v.Path)
		s.text(v.Format)
		s.int(v.Size)
		s.text(v.SHA256)
	case api.DateTime:
		s.dateTime(v)
	case api.Timedelta:
		s.timedelta(v)
	case api.Date:
		s.byte(apiDate)
		s.int(v.Time().Unix())
	case api.TimeOfDay:
		s.byte(apiTime)
		s.int(int64(v.Clock))
		s.bool(v.Aware)
		s.int(int64(v.Offset))
	case api.Decimal:
		s.byte(apiDecimal)
		s.text(string(v))
	case api.UUID:
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
	l.pay(2 * valueBytes)
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
		return api.Tuple(l.apiValues(depth))
	case apiSet:
		return api.Set(l.apiValues(depth))
	case apiDict:
		return l.apiDict(api.KindStr, depth)
	case apiKeyed:
		return l.apiDict(api.Kind(l.text()), depth)
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

func (l *loader) apiDict(keys api.Kind, depth int) *api.Dict {
	d := api.NewDictBy(keys)
	for n := l.count(2); n > 0 && l.err == nil; n-- {
		key := l.unicode()
		l.pay(entryBytes)
		l.apiKey(keys, key)
		d.Set(key, l.apiValue(depth+1))
	}
	return d
}

// apiKey checks a key that is no str.
func (l *loader) apiKey(kind api.Kind, text string) {
	if kind == api.KindStr {
		return
	}
	d := api.NewDictBy(kind)
	d.Set(text, nil)
	if _, err := api.Normalize(api.DictBy(kind, api.Type{Kind: api.KindNone}), d); err != nil && kind != api.KindAny {
		l.corrupt()
	}
}

func (l *loader) apiRare(tag byte) any {
	switch tag {
	case apiFile:
		return api.File{Path: l.unicode(), Size: l.int(), SHA256: l.unicode()}
	case apiDir:
		return api.Dir{Path: l.unicode(), Size: l.int(), Files: int(l.uint() & math.MaxInt64), SHA256: l.unicode()}
	case apiFrame:
		return api.DataFrame{Path: l.unicode(), Format: l.unicode(), Size: l.int(), SHA256: l.unicode()}
	case apiDateTime:
		return l.dateTime()
	case apiTimedelta:
		return l.timedelta()
	case apiDate:
		return l.date()
	case apiTime:
		return l.checked(api.TimeOfDay{Clock: time.Duration(l.int()), Aware: l.bool(), Offset: time.Duration(l.int())})
	case apiDecimal:
		return l.checked(api.Decimal(l.unicode()))
	case apiUUID:
		return l.uuid()
	}
	l.corrupt()
	return nil
}

// checked checks a value by the rules of package api.
func (l *loader) checked(v any) any {
	n, err := api.Normalize(api.Type{Kind: api.KindAny}, v)
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
	return l.checked(api.DateOf(time.Unix(seconds, 0).UTC()))
}

func (l *loader) uuid() any {
	var u api.UUID
	if copy(u[:], l.text()) != len(u) {
		l.corrupt()
	}
	return u
}

func (s *saver) dateTime(d api.DateTime) {
	s.byte(apiDateTime)
	s.int(d.Wall.Unix())
	s.count(d.Wall.Nanosecond())
	s.bool(d.Aware)
	s.int(int64(d.Offset))
}

func (l *loader) dateTime() api.DateTime {
	seconds, nanos := l.int(), l.uint()
	wall := time.Unix(seconds, int64(nanos)).UTC()
	if nanos > 999_999_999 || nanos%1000 != 0 || seconds < -1<<37 || seconds > 1<<38 || wall.Year() < 1 || wall.Year() > 9999 {
		l.corrupt()
		return api.DateTime{}
	}
	d := api.DateTime{Wall: wall, Aware: l.bool(), Offset: time.Duration(l.int())}
	if d.Offset <= -24*time.Hour || d.Offset >= 24*time.Hour || !d.Aware && d.Offset != 0 {
		l.corrupt()
	}
	return d
}

func (s *saver) timedelta(d api.Timedelta) {
	s.byte(apiTimedelta)
	s.int(int64(d.Days))
	s.count(d.Seconds)
	s.count(d.Microseconds)
}

func (l *loader) timedelta() api.Timedelta {
	days, seconds, micros := l.int(), l.uint(), l.uint()
	if days < -999_999_999 || days > 999_999_999 || seconds >= 86400 || micros >= 1e6 {
		l.corrupt()
	}
	return api.Timedelta{Days: int(days), Seconds: int(seconds), Microseconds: int(micros)}
}
