package calendar

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

var (
	weekdays = [7]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	months   = [13]string{"", "January", "February", "March", "April", "May", "June", "July",
		"August", "September", "October", "November", "December"}
)

// Fields is what strftime formats. Offset and Zone are the texts for %z and %Z,
// empty for naive times.
type Fields struct {
	Date
	Clock
	Offset, Zone string
}

// Strftime formats as datetime.strftime does on a C library by GNU, in the C
// locale: the flags - _ 0 ^ # and widths too.
func Strftime(m budget.Meter, format string, f Fields) (string, error) {
	chars := utf8.RuneCountInString(format)
	if err := m.Alloc(2 * len(format)); err != nil {
		return "", err
	}
	w := &writer{m: m, f: f, out: make([]byte, 0, 2*len(format)), limit: 1024}
	for w.limit < 256*chars {
		w.limit *= 2
	}
	for format != "" && !w.full {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			i = len(format)
		}
		if err := w.literal(format[:i]); err != nil {
			return "", err
		}
		format = format[i:]
		if format == "" {
			break
		}
		n := directiveLength(format)
		if err := w.directive(format[:n]); err != nil {
			return "", err
		}
		format = format[n:]
	}
	if w.full { // CPython gives up on texts that grow too much
		return "", nil
	}
	return string(w.out), m.Alloc(len(w.out))
}

// writer makes the text of one strftime.
type writer struct {
	m     budget.Meter
	f     Fields
	out   []byte
	limit int
	full  bool
}

// literal appends text that is already as it should be.
func (w *writer) literal(s string) error {
	if len(w.out)+len(s) > cap(w.out) {
		if err := w.m.Alloc(2 * (len(w.out) + len(s))); err != nil {
			return err
		}
	}
	w.out = append(w.out, s...)
	w.full = w.full || len(w.out) > 4*w.limit // of UTF-8
	return w.m.Work(20 + len(s)/8)
}

// directiveLength is the length of the directive at the start of s: flags,
// width, modifier and letter.
func directiveLength(s string) int {
	i := 1
	for i < len(s) && strings.IndexByte("_-0^#", s[i]) >= 0 {
		i++
	}
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i < len(s) && (s[i] == 'E' || s[i] == 'O') {
		i++
	}
	if i < len(s) {
		i += charWidth(s[i:])
	}
	return i
}

// directive is the parsed form of %flags width modifier letter.
type directive struct {
	text     string
	pad      byte // - _ 0, or 0 for the default of the letter
	upper    bool
	swap     bool
	width    int
	modifier byte
	letter   byte
}

func parseDirective(s string) directive {
	d := directive{text: s}
	i := 1
	for ; i < len(s) && strings.IndexByte("_-0^#", s[i]) >= 0; i++ {
		switch s[i] {
		case '^':
			d.upper = true
		case '#':
			d.swap = true
		default:
			d.pad = s[i]
		}
	}
	start := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i > start {
		n, err := strconv.Atoi(s[start:i])
		d.width = n
		if err != nil {
			d.width = 1 << 30
		}
	}
	if i < len(s)-1 && (s[i] == 'E' || s[i] == 'O') {
		d.modifier = s[i]
		i++
	}
	if i == len(s)-1 {
		d.letter = s[i]
	}
	return d
}

func (w *writer) directive(s string) error {
	switch s { // CPython puts these in before the C library sees the format
	case "%f":
		return w.literal(padded(w.f.Microsecond, 6))
	case "%z":
		return w.literal(w.f.Offset)
	case "%Z":
		return w.literal(w.f.Zone)
	}
	d := parseDirective(s)
	if d.modifier == 'E' && strings.IndexByte("aAbBdDeFgGhHIjklmMSUVwWf", d.letter) >= 0 ||
		d.modifier == 'O' && strings.IndexByte("aAcDFxXYf", d.letter) >= 0 {
		return w.text(d, d.text)
	}
	if n, width, pad, ok := w.number(d.letter); ok {
		return w.digits(d, n, width, pad)
	}
	return w.word(d)
}

// number returns the value of a numeric directive, its width and its padding.
func (w *writer) number(letter byte) (n, width int, pad byte, ok bool) {
	d, c := w.f.Date, w.f.Clock
	switch letter {
	case 'C':
		return d.Year / 100, 1, '0', true
	case 'd':
		return d.Day, 2, '0', true
	case 'e':
		return d.Day, 2, '_', true
	case 'g':
		y, _, _ := d.ISO()
		return floorMod(y, 100), 2, '0', true
	case 'G':
		y, _, _ := d.ISO()
		return y, 1, '0', true
	case 'H':
		return c.Hour, 2, '0', true
	case 'k':
		return c.Hour, 2, '_', true
	case 'I':
		return (c.Hour+11)%12 + 1, 2, '0', true
	case 'l':
		return (c.Hour+11)%12 + 1, 2, '_', true
	case 'j':
		return d.YearDay(), 3, '0', true
	case 'm':
		return d.Month, 2, '0', true
	case 'M':
		return c.Minute, 2, '0', true
	case 'S':
		return c.Second, 2, '0', true
	}
	return w.week(letter)
}

// week is number for weeks, weekdays, years and the epoch.
func (w *writer) week(letter byte) (n, width int, pad byte, ok bool) {
	d, c := w.f.Date, w.f.Clock
	weekday := d.Weekday()
	switch letter {
	case 's':
		days := d.Ordinal() - (Date{1970, 1, 1}).Ordinal()
		return days*86_400 + c.Hour*3600 + c.Minute*60 + c.Second, 1, '_', true
	case 'u':
		return weekday + 1, 1, '0', true
	case 'U':
		return (d.YearDay() + 6 - (weekday+1)%7) / 7, 2, '0', true
	case 'V':
		_, week, _ := d.ISO()
		return week, 2, '0', true
	case 'w':
		return (weekday + 1) % 7, 1, '0', true
	case 'W':
		return (d.YearDay() + 6 - weekday) / 7, 2, '0', true
	case 'y':
		return d.Year % 100, 2, '0', true
	case 'Y':
		return d.Year, 1, '0', true
	}
	return 0, 0, 0, false
}

// digits appends a number, padded as flags and width ask for.
func (w *writer) digits(d directive, n, width int, pad byte) error {
	if d.pad != 0 {
		pad = d.pad
	}
	digits := strconv.Itoa(n)
	fill, atLeast := " ", max(width, d.width)
	if pad == '0' {
		fill = "0"
	}
	if pad == '-' {
		atLeast = d.width
	}
	if atLeast >= w.limit {
		w.full = true
		return nil
	}
	if missing := atLeast - len(digits); missing > 0 {
		if n < 0 && pad == '0' {
			return w.literal("-" + strings.Repeat(fill, missing) + digits[1:])
		}
		return w.literal(strings.Repeat(fill, missing) + digits)
	}
	return w.literal(digits)
}

// word appends a directive that is text.
func (w *writer) word(d directive) error {
	c := w.f.Clock
	half := "AM"
	if c.Hour >= 12 {
		half = "PM"
	}
	switch d.letter {
	case 'a':
		return w.name(d, weekdays[w.f.Weekday()][:3])
	case 'A':
		return w.name(d, weekdays[w.f.Weekday()])
	case 'b', 'h':
		return w.name(d, months[w.f.Month][:3])
	case 'B':
		return w.name(d, months[w.f.Month])
	case 'p':
		if d.swap {
			half = strings.ToLower(half)
		}
		return w.text(d, half)
	case 'P':
		d.upper = false
		return w.text(d, strings.ToLower(half))
	case '%':
		return w.text(d, "%")
	case 'n':
		return w.text(d, "\n")
	case 't':
		return w.text(d, "\t")
	case 'z': // the C library does not know the offset
		return nil
	case 'Z':
		return w.text(d, "")
	}
	return w.composite(d)
}

// composite appends a directive that stands for others.
func (w *writer) composite(d directive) error {
	var format string
	switch d.letter {
	case 'c':
		format = "%a %b %e %H:%M:%S %Y"
	case 'D', 'x':
		format = "%m/%d/%y"
	case 'F':
		format = "%Y-%m-%d"
	case 'r':
		format = "%I:%M:%S %p"
	case 'R':
		format = "%H:%M"
	case 'T', 'X':
		format = "%H:%M:%S"
	default:
		return w.text(d, d.text)
	}
	s, err := Strftime(w.m, format, w.f)
	if err != nil {
		return err
	}
	return w.text(d, s)
}

// name appends the name of a day or month.
func (w *writer) name(d directive, s string) error {
	d.upper = d.upper || d.swap
	return w.text(d, s)
}

// text appends s in the case and width that d asks for.
func (w *writer) text(d directive, s string) error {
	if d.upper {
		s = strings.ToUpper(s)
	}
	if d.width >= w.limit {
		w.full = true
		return nil
	}
	fill := " "
	if d.pad == '0' {
		fill = "0"
	}
	if missing := d.width - utf8.RuneCountInString(s); missing > 0 {
		s = strings.Repeat(fill, missing) + s
	}
	return w.literal(s)
}

func padded(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(s))) + s
}
