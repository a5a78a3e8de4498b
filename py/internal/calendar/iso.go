package calendar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Moment is what a text says: a date, a time, and how far that is from UTC.
type Moment struct {
	Date
	Clock
	Zoned  bool   // the text has an offset
	Offset Delta  // east is positive
	Zone   string // of strptime's %Z, as it is written
}

// String returns the date as YYYY-MM-DD.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// Format returns the time as time.isoformat does; spec is its timespec.
func (c Clock) Format(spec string) (string, error) {
	switch spec {
	case "auto":
		if c.Microsecond != 0 {
			return c.Format("microseconds")
		}
		return c.Format("seconds")
	case "hours":
		return fmt.Sprintf("%02d", c.Hour), nil
	case "minutes":
		return fmt.Sprintf("%02d:%02d", c.Hour, c.Minute), nil
	case "seconds":
		return fmt.Sprintf("%02d:%02d:%02d", c.Hour, c.Minute, c.Second), nil
	case "milliseconds":
		return fmt.Sprintf("%02d:%02d:%02d.%03d", c.Hour, c.Minute, c.Second, c.Microsecond/1000), nil
	case "microseconds":
		return fmt.Sprintf("%02d:%02d:%02d.%06d", c.Hour, c.Minute, c.Second, c.Microsecond), nil
	}
	return "", raise.Value("Unknown timespec value")
}

// ParseDate reads a date as date.fromisoformat does.
func ParseDate(s string) (Date, error) {
	if len(s) != 7 && len(s) != 8 && len(s) != 10 {
		return Date{}, invalidISO(s)
	}
	d, ok, err := isoDate(s)
	if err == nil && ok {
		err = d.Check()
	}
	if !ok && err == nil {
		err = invalidISO(s)
	}
	return d, err
}

// ParseTime reads a time as time.fromisoformat does.
func ParseTime(s string) (Moment, error) {
	var m Moment
	if !isoTime(strings.TrimPrefix(s, "T"), &m) {
		return m, invalidISO(s)
	}
	return m, m.Clock.Check()
}

// ParseDateTime reads a date and perhaps a time as datetime.fromisoformat does.
func ParseDateTime(s string) (Moment, error) {
	var m Moment
	if utf8.RuneCountInString(s) < 7 {
		return m, invalidISO(s)
	}
	at := separator(s)
	if at < 0 || at > len(s) {
		return m, invalidISO(s)
	}
	d, ok, err := isoDate(s[:at])
	if err != nil {
		return m, err
	}
	m.Date = d
	if ok && at < len(s) {
		ok = isoTime(s[at+charWidth(s[at:]):], &m)
	}
	if !ok {
		return m, invalidISO(s)
	}
	if err := m.Date.Check(); err != nil {
		return m, err
	}
	return m, m.Clock.Check()
}

// charWidth is the width of the first character, which may be a surrogate.
func charWidth(s string) int {
	n := 1
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return n
}

func invalidISO(s string) error {
	return raise.Value("Invalid isoformat string: %s", quote(s))
}

// separator finds where the date ends. Some texts could be read in two ways;
// this decides as CPython does. The text has at least seven characters.
func separator(s string) int {
	if s[4] == '-' {
		return dashedSeparator(s)
	}
	if s[4] != 'W' {
		return 8
	}
	end := 7
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	switch {
	case end < 9:
		return end
	case end%2 == 0:
		return 7
	}
	return 8
}

func dashedSeparator(s string) int {
	switch {
	case s[5] != 'W':
		return 10
	case len(s) < 9 || s[8] != '-':
		return 8
	case len(s) == 9:
		return -1
	case len(s) > 10 && isDigit(s[10]):
		return 8
	}
	return 10
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isoDate reads a date that fills s. An error is about a week that does not exist.
func isoDate(s string) (Date, bool, error) {
	r := reader{s: s}
	year, ok := r.digits(4)
	dashed := r.accept('-')
	if ok && r.accept('W') {
		return r.week(year, dashed)
	}
	month, ok2 := r.digits(2)
	if dashed && !r.accept('-') {
		return Date{}, false, nil
	}
	day, ok3 := r.digits(2)
	return Date{year, month, day}, ok && ok2 && ok3, nil
}

// reader takes a text apart from the front.
type reader struct{ s string }

func (r *reader) accept(c byte) bool {
	if r.s == "" || r.s[0] != c {
		return false
	}
	r.s = r.s[1:]
	return true
}

func (r *reader) digits(n int) (int, bool) {
	if len(r.s) < n {
		return 0, false
	}
	v := 0
	for i := range n {
		if !isDigit(r.s[i]) {
			return 0, false
		}
		v = 10*v + int(r.s[i]-'0')
	}
	r.s = r.s[n:]
	return v, true
}

// week reads the number of a week and perhaps of a day.
func (r *reader) week(year int, dashed bool) (Date, bool, error) {
	week, ok := r.digits(2)
	day := 1
	if ok && r.s != "" {
		if dashed && !r.accept('-') {
			return Date{}, false, nil
		}
		day, ok = r.digits(1)
	}
	if !ok {
		return Date{}, false, nil
	}
	d, err := FromISO(year, week, day)
	if err != nil {
		return Date{}, false, nil
	}
	return d, true, nil
}

// isoTime reads a time and perhaps an offset that fill s. As CPython, it does
// not mind what is between a complete time and an offset.
func isoTime(s string, m *Moment) bool {
	at := strings.IndexAny(s, "+-Z")
	if at < 0 {
		c, rest, ok := isoClock(s)
		m.Clock = c
		return ok && !rest
	}
	c, _, ok := isoClock(s[:at])
	if !ok {
		return false
	}
	m.Clock, m.Zoned = c, true
	if s[at] == 'Z' {
		return at == len(s)-1
	}
	o, rest, ok := isoClock(s[at+1:])
	if !ok || rest {
		return false
	}
	m.Offset, _ = normal(0, o.Hour*3600+o.Minute*60+o.Second, o.Microsecond)
	if s[at] == '-' {
		m.Offset, _ = m.Offset.Neg()
	}
	return true
}

// isoClock reads HH[:MM[:SS[.ffffff]]], with or without the colons, and reports
// whether anything is left after it.
func isoClock(s string) (c Clock, rest, ok bool) {
	r := reader{s}
	colons := false
	for i, field := range []*int{&c.Hour, &c.Minute, &c.Second} {
		if *field, ok = r.digits(2); !ok {
			return c, false, false
		}
		if len(r.s) <= 1 {
			return c, r.s != "", true
		}
		if i == 0 {
			colons = r.s[0] == ':'
		}
		if r.accept('.') || r.accept(',') {
			break
		}
		if colons && !r.accept(':') {
			return c, false, false
		}
	}
	ok = r.fraction(&c.Microsecond)
	return c, r.s != "", ok
}

// fraction reads a decimal fraction of a second; what is beyond microseconds is
// cut off.
func (r *reader) fraction(us *int) bool {
	n := min(6, len(r.s))
	v, ok := r.digits(n)
	for ; n < 6; n++ {
		v *= 10
	}
	*us = v
	r.s = strings.TrimLeft(r.s, "0123456789")
	return ok
}
