package text

import (
	"math"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Segment is a part of a format string of str.format: Literal text, and after it
// a replacement field if HasField.
type Segment struct {
	Literal    string
	HasField   bool
	Name       string // what SplitName takes apart
	Conversion string // one code point, or empty; checked by CheckConversion
	Spec       string
	Nested     bool // Spec has fields or braces, and is to be formatted first
}

// Fields reads a format string segment by segment, so that what comes before an
// error takes place before it. The zero value with Rest set is ready.
//
// A spec that is Nested is a format string itself. Its fields are formatted with
// the same arguments and Numbering, and within it nothing is Nested any more:
// TooDeep is the error.
type Fields struct{ Rest string }

// TooDeep is the error of a field in the spec of a field in a spec.
func TooDeep() error { return raise.Value("Max string recursion exceeded") }

// Next returns the next segment, and false at the end.
func (f *Fields) Next(m budget.Meter) (Segment, bool, error) {
	if f.Rest == "" {
		return Segment{}, false, nil
	}
	s := Segment{}
	n := strings.IndexAny(f.Rest, "{}")
	if n < 0 {
		s.Literal, f.Rest = f.Rest, ""
		return s, true, m.Work(1 + len(s.Literal)/4)
	}
	if err := work(m, n+8); err != nil {
		return s, false, err
	}
	brace := f.Rest[n]
	switch after := f.Rest[n+1:]; {
	case after != "" && after[0] == brace:
		s.Literal, f.Rest = f.Rest[:n+1], after[1:]
		return s, true, nil
	case brace == '}':
		return s, false, raise.Value("Single '}' encountered in format string")
	case after == "":
		return s, false, raise.Value("Single '{' encountered in format string")
	default:
		s.Literal, f.Rest = f.Rest[:n], after
	}
	s.HasField = true
	before := len(f.Rest)
	if err := f.field(&s); err != nil {
		return s, false, err
	}
	return s, true, work(m, before-len(f.Rest))
}

// field reads what is between braces. Brackets protect what is in them from
// being read as the end of the name.
func (f *Fields) field(s *Segment) error {
	n, inside := 0, false
	for ; n < len(f.Rest); n++ {
		c := f.Rest[n]
		if inside {
			inside = c != ']'
			continue
		}
		if c == '{' {
			return raise.Value("unexpected '{' in field name")
		}
		if inside = c == '['; c == '}' || c == ':' || c == '!' {
			break
		}
	}
	s.Name = f.Rest[:n]
	if n == len(f.Rest) {
		f.Rest = ""
		return raise.Value("expected '}' before end of string")
	}
	end := f.Rest[n]
	f.Rest = f.Rest[n+1:]
	if end == '}' {
		return nil
	}
	if end == '!' {
		done, err := f.conversion(s)
		if done || err != nil {
			return err
		}
	}
	return f.spec(s)
}

// conversion reads what follows the exclamation mark. It is done when the field
// ends with it.
func (f *Fields) conversion(s *Segment) (done bool, err error) {
	if f.Rest == "" {
		return false, raise.Value("end of string while looking for conversion specifier")
	}
	_, size := DecodeRune(f.Rest)
	s.Conversion, f.Rest = f.Rest[:size], f.Rest[size:]
	if f.Rest == "" {
		return false, raise.Value("unmatched '{' in format spec")
	}
	after := f.Rest[0]
	f.Rest = f.Rest[1:]
	switch after {
	case '}':
		return true, nil
	case ':':
		return false, nil
	}
	return false, raise.Value("expected ':' after conversion specifier")
}

// spec reads up to the brace that matches.
func (f *Fields) spec(s *Segment) error {
	depth := 1
	for i := 0; i < len(f.Rest); i++ {
		switch f.Rest[i] {
		case '{':
			s.Nested = true
			depth++
		case '}':
			if depth--; depth == 0 {
				s.Spec, f.Rest = f.Rest[:i], f.Rest[i+1:]
				return nil
			}
		}
	}
	return raise.Value("unmatched '{' in format spec")
}

// CheckConversion returns 'r', 's', 'a' or 0 for none.
func (s Segment) CheckConversion() (byte, error) {
	switch s.Conversion {
	case "":
		return 0, nil
	case "r", "s", "a":
		return s.Conversion[0], nil
	}
	r, _ := DecodeRune(s.Conversion)
	if ' ' < r && r < 0x7F {
		return 0, raise.Value("Unknown conversion specifier %c", r)
	}
	return 0, raise.Value("Unknown conversion specifier %s", strings.Trim(quotedKind(r), "'"))
}

// FieldName is the name of a field taken apart: the argument, and the attributes
// and items that lead from it to the value. What may be reached is the caller's
// to decide.
type FieldName struct {
	// Auto is set when no argument is named.
	Auto bool
	// Index is the number of the argument, or -1 when it is called Key.
	Index int
	Key   string
	Steps []Step
}

// Step is .Key, or [Index], or [Key] when Index is -1.
type Step struct {
	Attribute bool
	Index     int
	Key       string
}

// SplitName takes the name of a field apart.
func SplitName(m budget.Meter, name string) (FieldName, error) {
	if err := work(m, 4*len(name)); err != nil {
		return FieldName{}, err
	}
	n := strings.IndexAny(name, ".[")
	if n < 0 {
		n = len(name)
	}
	f := FieldName{Key: name[:n], Auto: n == 0}
	var err error
	if f.Index, err = fieldIndex(name[:n]); err != nil {
		return FieldName{}, err
	}
	f.Steps, err = splitSteps(m, name[n:])
	return f, err
}

func splitSteps(m budget.Meter, rest string) ([]Step, error) {
	var steps []Step
	for rest != "" {
		if len(steps) == cap(steps) {
			n := max(2, 2*len(steps))
			if err := alloc(m, times(40, n)); err != nil {
				return nil, err
			}
			steps = append(make([]Step, 0, n), steps...)
		}
		var s Step
		var err error
		if s, rest, err = nextStep(rest); err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	return steps, nil
}

func nextStep(t string) (Step, string, error) {
	s := Step{Attribute: t[0] == '.', Index: -1}
	t0 := t[0]
	t = t[1:]
	n := 0
	switch t0 {
	case '.':
		if n = strings.IndexAny(t, ".["); n < 0 {
			n = len(t)
		}
		s.Key, t = t[:n], t[n:]
	case '[':
		if n = strings.IndexByte(t, ']'); n < 0 {
			return s, "", raise.Value("Missing ']' in format string")
		}
		s.Key, t = t[:n], t[n+1:]
		var err error
		if s.Index, err = fieldIndex(s.Key); err != nil {
			return s, "", err
		}
	default:
		return s, "", raise.Value("Only '.' or '[' may follow ']' in format field specifier")
	}
	if s.Key == "" {
		return s, "", raise.Value("Empty attribute in format string")
	}
	return s, t, nil
}

// fieldIndex reads a number without sign, -1 when the text is none.
func fieldIndex(t string) (int, error) {
	n, ok := 0, t != ""
	for t != "" {
		r, size := DecodeRune(t)
		rec := recordFor(r)
		if rec.flags&decimal == 0 {
			return -1, nil
		}
		if n > (math.MaxInt-int(rec.value))/10 {
			return -1, raise.Value("Too many decimal digits in format string")
		}
		n = 10*n + int(rec.value)
		t = t[size:]
	}
	if !ok {
		return -1, nil
	}
	return n, nil
}

// Numbering counts the fields without number of one format string.
type Numbering struct {
	next           int
	manual, counts bool
}

// Number returns the index of the argument that f names, -1 when it is named by
// Key.
func (c *Numbering) Number(f FieldName) (int, error) {
	if !f.Auto && f.Index < 0 {
		return -1, nil
	}
	if f.Auto && c.manual {
		return 0, raise.Value("cannot switch from manual field specification to automatic field numbering")
	}
	if !f.Auto && c.counts {
		return 0, raise.Value("cannot switch from automatic field numbering to manual field specification")
	}
	if !f.Auto {
		c.manual = true
		return f.Index, nil
	}
	c.counts = true
	c.next++
	return c.next - 1, nil
}

// State returns the numbering as one number, from which NumberingFrom makes it
// again.
func (c Numbering) State() int64 {
	state := int64(c.next) << 2
	if c.manual {
		state |= 1
	}
	if c.counts {
		state |= 2
	}
	return state
}

// NumberingFrom returns the numbering that had the state.
func NumberingFrom(state int64) Numbering {
	return Numbering{next: int(state >> 2), manual: state&1 != 0, counts: state&2 != 0}
}

// NoArgument is the error of a field whose number is beyond the arguments.
func NoArgument(index int) error {
	return raise.Index("Replacement index %d out of range for positional args tuple", index)
}
