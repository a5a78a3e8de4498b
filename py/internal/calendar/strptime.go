package calendar

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
)

// Layout is a format of strptime, ready to read texts. It does not change and
// may be shared; making one costs much more than using it.
type Layout struct {
	format  string
	pattern *regex.Pattern
}

// directives are the patterns that CPython's strptime accepts for numbers.
var directives = map[byte]string{
	'd': `(?P<d>3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9])`,
	'f': `(?P<f>[0-9]{1,6})`,
	'H': `(?P<H>2[0-3]|[0-1]\d|\d)`,
	'I': `(?P<I>1[0-2]|0[1-9]|[1-9])`,
	'G': `(?P<G>\d\d\d\d)`,
	'j': `(?P<j>36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9])`,
	'm': `(?P<m>1[0-2]|0[1-9]|[1-9])`,
	'M': `(?P<M>[0-5]\d|\d)`,
	'S': `(?P<S>6[0-1]|[0-5]\d|\d)`,
	'U': `(?P<U>5[0-3]|[0-4]\d|\d)`,
	'W': `(?P<W>5[0-3]|[0-4]\d|\d)`,
	'w': `(?P<w>[0-6])`,
	'u': `(?P<u>[1-7])`,
	'V': `(?P<V>5[0-3]|0[1-9]|[1-4]\d|\d)`,
	'y': `(?P<y>\d\d)`,
	'Y': `(?P<Y>\d\d\d\d)`,
	'z': `(?P<z>[+-]\d\d:?[0-5]\d(:?[0-5]\d(\.\d{1,6})?)?|(?-i:Z))`,
	'p': `(?P<p>am|pm)`,
	'Z': `(?P<Z>utc|gmt)`,
	'%': `%`,
}

// NewLayout reads a format. An error is a ValueError, or re.error for a
// directive that comes twice.
func NewLayout(m budget.Meter, format string) (*Layout, error) {
	if err := m.Alloc(8 * (len(format) + 64)); err != nil {
		return nil, err
	}
	if err := m.Work(min(20*len(format), 1_000_000)); err != nil {
		return nil, err
	}
	source, err := layoutPattern(format)
	if err != nil {
		return nil, err
	}
	p, err := regex.Compile(m, source, false, regex.IgnoreCase)
	if err != nil {
		return nil, err
	}
	return &Layout{format, p}, nil
}

// maxFormat is how long a format may be, in bytes.
const maxFormat = 1000

func layoutPattern(format string) (string, error) {
	if len(format) > maxFormat {
		return "", raise.Value("the format is longer than %d bytes", maxFormat)
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		c := format[i]
		switch {
		case c == '%':
			i++
			if i == len(format) {
				return "", raise.Value("stray %% in format '%s'", format)
			}
			p, err := directivePattern(format, i)
			if err != nil {
				return "", err
			}
			b.WriteString(p)
		case c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f:
			if !strings.HasSuffix(b.String(), `\s+`) {
				b.WriteString(`\s+`)
			}
		case strings.IndexByte(`\.^$*+?(){}[]|`, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

// directivePattern returns the pattern of the directive whose letter is at i.
func directivePattern(format string, i int) (string, error) {
	c := format[i]
	if p, ok := directives[c]; ok {
		return p, nil
	}
	switch c {
	case 'A':
		return "(?P<A>" + alternatives(weekdays[:], 0) + ")", nil
	case 'a':
		return "(?P<a>" + alternatives(weekdays[:], 3) + ")", nil
	case 'B':
		return "(?P<B>" + alternatives(months[1:], 0) + ")", nil
	case 'b':
		return "(?P<b>" + alternatives(months[1:], 3) + ")", nil
	case 'c':
		return layoutPattern("%a %b %d %H:%M:%S %Y")
	case 'x':
		return layoutPattern("%m/%d/%y")
	case 'X':
		return layoutPattern("%H:%M:%S")
	}
	bad := format[i : i+charWidth(format[i:])]
	if strings.IndexByte(" \t\n\v\f\r\x1c\x1d\x1e\x1f\\.^$*+?(){}[]|", c) >= 0 {
		bad = "%" // what CPython reports for all that it escapes
	}
	return "", raise.Value("'%s' is a bad directive in format '%s'", bad, format)
}

// alternatives are names cut to n letters, the longest first.
func alternatives(names []string, n int) string {
	var cut []string
	for _, name := range names {
		if n > 0 {
			name = name[:n]
		}
		cut = append(cut, strings.ToLower(name))
	}
	slices.SortStableFunc(cut, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(cut, "|")
}

// Parse reads a text as datetime.strptime does.
func (l *Layout) Parse(m budget.Meter, s *regex.Scratch, text string) (Moment, error) {
	groups, err := l.pattern.Find(m, s, text, 0, len(text), regex.Match)
	if err != nil {
		return Moment{}, err
	}
	if groups == nil {
		return Moment{}, raise.Value("time data %s does not match format %s", quote(text), quote(l.format))
	}
	if groups[1] != len(text) {
		return Moment{}, raise.Value("unconverted data remains: %s", text[groups[1]:])
	}
	p := newParsed()
	if g, ok := l.pattern.Group("p"); ok {
		p.afternoon = strings.EqualFold(text[groups[2*g]:groups[2*g+1]], "pm")
	}
	for _, n := range l.pattern.Names {
		if from := groups[2*n.Group]; from >= 0 {
			if err := p.set(n.Name[0], text[from:groups[2*n.Group+1]]); err != nil {
				return Moment{}, err
			}
		}
	}
	return p.moment()
}

// missing is a field that the text does not have.
const missing = -1 << 30

// parsed is what the fields of a text say.
type parsed struct {
	Moment
	afternoon           bool
	julian, weekday     int
	week, isoYear, isoV int
	sunday              bool // weeks begin on Sunday
}

func newParsed() *parsed {
	return &parsed{
		Moment: Moment{Date: Date{missing, 1, 1}},
		julian: missing, weekday: missing, week: missing, isoYear: missing, isoV: missing,
	}
}

// set takes the text of one directive.
func (p *parsed) set(letter byte, s string) error {
	n := number(s)
	switch letter {
	case 'Y':
		p.Year = n
	case 'y':
		p.Year = 1900 + n
		if n <= 68 {
			p.Year = 2000 + n
		}
	case 'm':
		p.Month = n
	case 'B', 'b':
		p.Month = index(months[:], s)
	case 'd':
		p.Day = n
	case 'H':
		p.Hour = n
	case 'I':
		p.Hour = n % 12
		if p.afternoon {
			p.Hour += 12
		}
	case 'M':
		p.Minute = n
	case 'S':
		p.Second = n
	case 'f':
		p.Microsecond = number(s + strings.Repeat("0", 6-len(s)))
	case 'Z':
		p.Zone = s
	case 'z':
		return p.offset(s)
	default:
		p.setDay(letter, s, n)
	}
	return nil
}

// setDay takes the directives that name a day in other ways than by a month.
func (p *parsed) setDay(letter byte, s string, n int) {
	switch letter {
	case 'A', 'a':
		p.weekday = index(weekdays[:], s)
	case 'w':
		p.weekday = (n + 6) % 7
	case 'u':
		p.weekday = n - 1
	case 'j':
		p.julian = n
	case 'U', 'W':
		p.week, p.sunday = n, letter == 'U'
	case 'G':
		p.isoYear = n
	case 'V':
		p.isoV = n
	}
}

// number converts digits, which may be of any script, with spaces before.
func number(s string) int {
	n := 0
	for _, r := range s {
		if d := digitValue(r); d >= 0 {
			n = 10*n + d
		}
	}
	return n
}

// index finds a name by its first letters, in any case.
func index(names []string, s string) int {
	for i, name := range names {
		if len(name) >= len(s) && strings.EqualFold(name[:len(s)], s) {
			return i
		}
	}
	return 0
}

// offset reads +HH:MM[:SS[.ffffff]], with or without all of the colons, or Z.
func (p *parsed) offset(text string) error {
	p.Zoned = true
	if text == "Z" {
		return nil
	}
	z := text
	if z[3] == ':' {
		z = z[:3] + z[4:]
		if len(z) > 5 {
			if z[5] != ':' {
				return raise.Value("Inconsistent use of : in %s", text)
			}
			z = z[:5] + z[6:]
		}
	}
	if len(z) > 5 && z[5] == ':' {
		return raise.Value("invalid literal for int() with base 10: %s", quote(z[5:min(7, len(z))]))
	}
	seconds := number(z[1:3])*3600 + number(z[3:5])*60
	if len(z) > 5 {
		seconds += number(z[5:7])
	}
	us := 0
	if len(z) > 8 {
		us = number(z[8:] + strings.Repeat("0", 6-len(z[8:])))
	}
	if z[0] == '-' {
		seconds, us = -seconds, -us
	}
	var err error
	p.Offset, err = normal(0, seconds, us)
	return err
}

// moment puts the fields together.
func (p *parsed) moment() (Moment, error) {
	if err := p.checkISO(); err != nil {
		return Moment{}, err
	}
	noYear := p.Year == missing
	leapDay := noYear && p.Month == 2 && p.Day == 29
	if noYear {
		p.Year = 1900
	}
	if leapDay {
		p.Year = 1904
	}
	if err := p.resolve(); err != nil {
		return Moment{}, err
	}
	if leapDay {
		p.Year = 1900
	}
	if err := p.Date.Check(); err != nil {
		return Moment{}, err
	}
	return p.Moment, p.Clock.Check()
}

// checkISO refuses directives of ISO weeks that lack others or do not fit them.
func (p *parsed) checkISO() error {
	byISO := p.Year == missing && p.isoYear != missing
	week := p.week == missing && p.isoV != missing
	switch {
	case byISO && (p.isoV == missing || p.weekday == missing):
		return raise.Value("ISO year directive '%%G' must be used with the ISO week directive '%%V' " +
			"and a weekday directive ('%%A', '%%a', '%%w', or '%%u').")
	case byISO && p.julian != missing:
		return raise.Value("Day of the year directive '%%j' is not compatible with ISO year directive '%%G'. Use '%%Y' instead.")
	case !byISO && week && p.weekday == missing:
		return raise.Value("ISO week directive '%%V' must be used with the ISO year directive '%%G' " +
			"and a weekday directive ('%%A', '%%a', '%%w', or '%%u').")
	case !byISO && week:
		return raise.Value("ISO week directive '%%V' is incompatible with the year directive '%%Y'. Use the ISO year '%%G' instead.")
	}
	return nil
}

// resolve finds the month and day that other directives name.
func (p *parsed) resolve() error {
	if p.julian == missing && p.weekday != missing {
		if p.week != missing {
			p.julian = p.weekToDay()
		} else if p.isoYear != missing && p.isoV != missing {
			return p.setOrdinal(weekOne(p.isoYear) + 7*(p.isoV-1) + p.weekday) // %V is not checked
		}
	}
	if p.julian == missing {
		return p.Date.Check()
	}
	if p.Year < MinYear {
		return raise.Value("year %d is out of range", p.Year)
	}
	if p.julian <= 0 && p.Year-1 < MinYear {
		return raise.Value("year 0 is out of range")
	}
	return p.setOrdinal(daysBeforeYear(p.Year) + p.julian)
}

func (p *parsed) setOrdinal(n int) (err error) {
	p.Date, err = FromOrdinal(n)
	return err
}

// weekToDay returns the day of the year of %U or %W and a weekday.
func (p *parsed) weekToDay() int {
	first := (daysBeforeYear(p.Year) + 7) % 7 // the weekday of 1 January
	day := p.weekday
	if p.sunday {
		first, day = (first+1)%7, (day+1)%7
	}
	if p.week == 0 {
		return 1 + day - first
	}
	return 1 + (7-first)%7 + 7*(p.week-1) + day
}
