package text

import (
	"bufio"
	"hash/crc32"
	"math/big"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

type oneText = func(budget.Meter, Str) (string, error)

// goldenCalls maps the names in the golden data to what they test.
func goldenCalls() map[string]call {
	calls := map[string]call{}
	both := func(name string, f call) {
		calls["str."+name], calls["bytes."+name] = f, f
	}
	for name, f := range map[string]oneText{
		"upper": Upper, "lower": Lower, "title": Title, "capitalize": Capitalize,
		"swapcase": SwapCase, "casefold": CaseFold,
	} {
		both(name, func(a arguments) (any, error) { return f(free, a.str(0)) })
	}
	for name, f := range map[string]func(budget.Meter, Str) (bool, error){
		"islower": IsLower, "isupper": IsUpper, "istitle": IsTitle, "isidentifier": IsIdentifier,
		"isascii": func(_ budget.Meter, s Str) (bool, error) { return ASCII(s.S), nil },
	} {
		both(name, func(a arguments) (any, error) { return f(free, a.str(0)) })
	}
	for name, p := range map[string]Property{
		"isalnum": Alnum, "isalpha": Alpha, "isdecimal": Decimal, "isdigit": Digit,
		"isnumeric": Numeric, "isprintable": Printable, "isspace": Space,
	} {
		both(name, func(a arguments) (any, error) { return Is(free, a.str(0), p) })
	}
	searchCalls(both)
	splitCalls(both)
	padCalls(both)
	for _, more := range []map[string]call{textCalls(), numberCalls(), formatCalls()} {
		for name, f := range more {
			calls[name] = f
		}
	}
	return calls
}

func searchCalls(both func(string, call)) {
	for name, f := range map[string]func(budget.Meter, Str, string, int, int) (int, error){
		"find": Find, "rfind": RFind, "count": Count, "index": Find, "rindex": RFind,
	} {
		both(name, func(a arguments) (any, error) {
			i, err := f(free, a.str(0), a.text(1), a.int(2), a.int(3))
			if err == nil && i < 0 && strings.HasSuffix(name, "index") {
				err = a.str(0).NotFound()
			}
			return i, err
		})
	}
	both("startswith", func(a arguments) (any, error) {
		return StartsWith(free, a.str(0), a.text(1), a.int(2), a.int(3))
	})
	both("endswith", func(a arguments) (any, error) {
		return EndsWith(free, a.str(0), a.text(1), a.int(2), a.int(3))
	})
	both("replace", func(a arguments) (any, error) {
		return Replace(free, a.str(0), a.text(1), a.text(2), a.int(3))
	})
	both("removeprefix", func(a arguments) (any, error) { return RemovePrefix(free, a.text(0), a.text(1)) })
	both("removesuffix", func(a arguments) (any, error) { return RemoveSuffix(free, a.text(0), a.text(1)) })
}

func splitCalls(both func(string, call)) {
	both("split", func(a arguments) (any, error) {
		if a[1] == nil {
			return SplitSpace(free, a.str(0), a.int(2))
		}
		return Split(free, a.text(0), a.text(1), a.int(2))
	})
	both("rsplit", func(a arguments) (any, error) {
		if a[1] == nil {
			return RSplitSpace(free, a.str(0), a.int(2))
		}
		return RSplit(free, a.text(0), a.text(1), a.int(2))
	})
	both("splitlines", func(a arguments) (any, error) { return SplitLines(free, a.str(0), a[1].(bool)) })
	both("partition", func(a arguments) (any, error) { return Partition(free, a.text(0), a.text(1)) })
	both("rpartition", func(a arguments) (any, error) { return RPartition(free, a.text(0), a.text(1)) })
	for name, side := range map[string]Side{"strip": Both, "lstrip": Left, "rstrip": Right} {
		both(name, func(a arguments) (any, error) {
			if len(a) == 1 {
				return StripSpace(free, a.str(0), side)
			}
			return Strip(free, a.str(0), a.text(1), side)
		})
	}
}

func padCalls(both func(string, call)) {
	for name, f := range map[string]func(budget.Meter, Str, int, string) (string, error){
		"center": Center, "ljust": LJust, "rjust": RJust,
	} {
		both(name, func(a arguments) (any, error) { return f(free, a.str(0), a.int(1), a.text(2)) })
	}
	both("zfill", func(a arguments) (any, error) { return ZFill(free, a.str(0), a.int(1)) })
	both("expandtabs", func(a arguments) (any, error) { return ExpandTabs(free, a.str(0), a.int(1)) })
}

func textCalls() map[string]call {
	return map[string]call{
		"slice": func(a arguments) (any, error) {
			start, stop, step := a.int(1), a.int(2), a.int(3)
			count := 0
			for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
				count++
			}
			return Slice(free, a.str(0), start, step, count)
		},
		"repr": func(a arguments) (any, error) { return Repr(free, a.str(0)) },
		"encode": func(a arguments) (any, error) {
			return Encode(free, a.str(0), a.text(1), a.text(2))
		},
		"decode": func(a arguments) (any, error) {
			return Decode(free, a.text(0), a.text(1), a.text(2))
		},
		"fromhex": func(a arguments) (any, error) { return FromHex(free, a.text(0)) },
		"hex": func(a arguments) (any, error) {
			sep := a.text(1)
			return Hex(free, a.text(0), &sep, a.int(2))
		},
		"bytes.translate": func(a arguments) (any, error) {
			table, err := BytesMakeTrans(a.text(1), a.text(2))
			if err != nil {
				return nil, err
			}
			return BytesTranslate(free, a.text(0), &table, a.text(3))
		},
		"maketrans": func(a arguments) (any, error) {
			pairs, err := MakeTrans(free, a.text(0), a.text(1), a.text(2))
			return mapping(pairs), err
		},
	}
}

// mapping is the dict that the pairs make, as the golden data writes it.
func mapping(pairs []Pair) any {
	place := map[rune]int{}
	list := []any{}
	for _, p := range pairs {
		entry := []any{int(p.From), int(p.To)}
		if p.Delete {
			entry[1] = nil
		}
		if i, ok := place[p.From]; ok {
			list[i] = entry
			continue
		}
		place[p.From] = len(list)
		list = append(list, entry)
	}
	return list
}

func (a arguments) number(i int) Int { return fit(a.big(i)) }

// numbered is the way the golden data writes an int.
func numbered(i Int) any {
	if i.Big == nil && i.Small < 1<<53 && i.Small > -1<<53 {
		return int(i.Small)
	}
	if i.Big == nil {
		return big.NewInt(i.Small)
	}
	return i.Big
}

func numberCalls() map[string]call {
	calls := map[string]call{
		"repr.float": func(a arguments) (any, error) { return FloatRepr(a[0].(float64)), nil },
		"hex.float":  func(a arguments) (any, error) { return FloatHex(a[0].(float64)), nil },
		"ratio": func(a arguments) (any, error) {
			n, d, err := IntegerRatio(a[0].(float64))
			return []any{numbered(n), numbered(d)}, err
		},
		"round":         func(a arguments) (any, error) { return Round(a[0].(float64), a.int(1)) },
		"float":         func(a arguments) (any, error) { return ParseFloat(free, a.str(0)) },
		"float.fromhex": func(a arguments) (any, error) { return FloatFromHex(free, a.str(0)) },
		"int": func(a arguments) (any, error) {
			i, err := ParseInt(free, a.str(0), a.int(1))
			return numbered(i), err
		},
	}
	for name, f := range map[string]func(budget.Meter, Int) (string, error){
		"str": IntText, "hex": HexText, "oct": OctText, "bin": BinText,
	} {
		calls[name+".int"] = func(a arguments) (any, error) { return f(free, a.number(0)) }
	}
	return calls
}

func formatCalls() map[string]call {
	return map[string]call{
		"format.int":    func(a arguments) (any, error) { return FormatInt(free, a.number(0), a.text(1), "int") },
		"format.float":  func(a arguments) (any, error) { return FormatFloat(free, a[0].(float64), a.text(1), "float") },
		"format.str":    func(a arguments) (any, error) { return FormatStr(free, a.str(0), a.text(1), "str") },
		"format.bool":   func(a arguments) (any, error) { return FormatInt(free, Int{Small: 1}, a.text(1), "bool") },
		"percent.int":   percentCall,
		"percent.float": percentCall,
		"percent.str":   percentCall,
		"digest":        func(a arguments) (any, error) { return digest(a.text(0)), nil },
		"fields":        func(a arguments) (any, error) { return listFields(a.text(0)) },
		"steps":         func(a arguments) (any, error) { return listSteps(a.text(0)) },
	}
}

// digest sums up what an operation makes of every assigned code point.
func digest(name string) int {
	h := crc32.NewIEEE()
	w := bufio.NewWriter(h)
	calls, before := goldenCalls(), ""
	f := calls["str."+name]
	switch name {
	case "repr":
		f = calls["repr"]
	case "continues":
		f, before = calls["str.isidentifier"], "a"
	}
	for r := rune(0); r < 0xE0200; r++ {
		if r == 0x32000 {
			r = 0xE0000
		}
		out, _ := f(arguments{before + Chr(r)})
		if ok, isBool := out.(bool); isBool {
			out = "0"
			if ok {
				out = "1"
			}
		}
		w.WriteString(out.(string))
	}
	w.Flush()
	return int(h.Sum32())
}

// percentCall is format % value, of a value that is no tuple.
func percentCall(a arguments) (any, error) {
	p, out := NewPercent(a.str(0)), ""
	taken := false
	for {
		literal, more, err := p.Literal(free)
		out += literal
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		part, err := percentOne(p, a, &taken)
		if err != nil {
			return nil, err
		}
		out += part
	}
	if !taken {
		return nil, TooManyArguments()
	}
	return out, nil
}

func percentOne(p *Percent, a arguments, taken *bool) (string, error) {
	if p.KeyNext() {
		return "", NotMapping()
	}
	d, err := p.Start(free)
	if err != nil {
		return "", err
	}
	if d.StarWidth {
		*taken = true
		if d, err = p.Width(d, a.number(1)); err != nil {
			return "", err
		}
	}
	if d, err = p.Middle(d); err != nil {
		return "", err
	}
	if d, err = p.End(d); err != nil {
		return "", err
	}
	if d.Sign() {
		return "%", nil
	}
	if *taken {
		return "", TooFewArguments()
	}
	*taken = true
	return percentValue(p, d, a)
}

func percentValue(p *Percent, d Directive, a arguments) (string, error) {
	switch f, isFloat := a[1].(float64); d.Type {
	case 'd', 'i', 'u', 'o', 'x', 'X':
		return d.FormatInt(free, a.number(1))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if !isFloat {
			var err error
			if f, err = a.number(1).Float(); err != nil {
				return "", err
			}
		}
		return d.FormatFloat(free, f)
	case 'c':
		if s, ok := a[1].(string); !ok {
			return d.FormatChar(free, a.number(1))
		} else if !single(s) {
			return "", NotChar()
		}
		return d.FormatStr(free, a.str(1))
	case 's':
		if s, ok := a[1].(string); ok {
			return d.FormatStr(free, Of(s))
		}
		text, err := IntText(free, a.number(1))
		if err != nil {
			return "", err
		}
		return d.FormatStr(free, Of(text))
	}
	return "", p.Unsupported(d)
}

// listFields lists what _string.formatter_parser does.
func listFields(format string) (any, error) {
	f := Fields{Rest: format}
	list := []any{}
	for {
		s, more, err := f.Next(free)
		if err != nil || !more {
			return list, err
		}
		row := []any{s.Literal, nil, nil, nil}
		if s.HasField {
			row = []any{s.Literal, s.Name, s.Spec, nil}
			if s.Conversion != "" {
				row[3] = s.Conversion
			}
		}
		list = append(list, row)
	}
}

// listSteps lists what _string.formatter_field_name_split does.
func listSteps(name string) (any, error) {
	f, err := SplitName(free, name)
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, s := range f.Steps {
		list = append(list, []any{s.Attribute, key(s.Index, s.Key)})
	}
	return []any{key(f.Index, f.Key), list}, nil
}

func key(index int, name string) any {
	if index >= 0 {
		return index
	}
	return name
}
