package value

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String returns what Python's str() does, such as "-1 day, 23:59:59.500000".
func (d Timedelta) String() string {
	clock := fmt.Sprintf("%d:%02d:%02d%s", d.Seconds/3600, d.Seconds/60%60, d.Seconds%60, fraction(d.Microseconds))
	switch d.Days {
	case 0:
		return clock
	case 1, -1:
		return fmt.Sprintf("%d day, %s", d.Days, clock)
	}
	return fmt.Sprintf("%d days, %s", d.Days, clock)
}

// ISO returns the ISO 8601 duration in days and seconds, with the sign in
// front: "-P1DT0.5S".
func (d Timedelta) ISO() string {
	sign := ""
	if d.Days < 0 {
		sign, d = "-", d.negated()
	}
	text := sign + "P"
	if d.Days != 0 {
		text += strconv.Itoa(d.Days) + "D"
	}
	if d.Seconds != 0 || d.Microseconds != 0 || d.Days == 0 {
		text += "T" + strconv.Itoa(d.Seconds) + strings.TrimRight(fraction(d.Microseconds), "0") + "S"
	}
	return text
}

// negated may leave the range of Python by one day; only ISO uses it so.
func (d Timedelta) negated() Timedelta {
	n, _ := timedelta(-int64(d.Days), -int64(d.Seconds), -int64(d.Microseconds))
	return n
}

// timedelta carries microseconds and seconds over into days; ok is false
// outside the range of Python.
func timedelta(days, seconds, micros int64) (d Timedelta, ok bool) {
	carry := floorDiv(micros, 1e6)
	micros -= carry * 1e6
	seconds += carry
	carry = floorDiv(seconds, 86400)
	seconds -= carry * 86400
	days += carry
	return Timedelta{int(days), int(seconds), int(micros)}, days >= -maxDays && days <= maxDays
}

// parseTimedelta reads Python's str(), ISO 8601, Go's durations and plain
// seconds.
func parseTimedelta(s string) (Timedelta, bool) {
	if s == "" {
		return Timedelta{}, false
	}
	if d, ok := parseISODuration(s); ok {
		return d, true
	}
	if d, ok := parsePythonDuration(s); ok {
		return d, true
	}
	if d, ok := parseSeconds(s); ok {
		return d, true
	}
	d, err := time.ParseDuration(s)
	return NewTimedelta(d), err == nil
}

func parseSeconds(s string) (Timedelta, bool) {
	body, negative := cutSign(s)
	seconds, micros, ok := decimalSeconds(body)
	if !ok {
		return Timedelta{}, false
	}
	return signed(negative, 0, seconds, micros)
}

func cutSign(s string) (body string, negative bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:], s[0] == '-'
	}
	return s, false
}

func signed(negative bool, days, seconds, micros int64) (Timedelta, bool) {
	if negative {
		return timedelta(-days, -seconds, -micros)
	}
	return timedelta(days, seconds, micros)
}

// decimalSeconds reads digits with an optional fraction. More seconds than fit
// into a Timedelta are refused here, so that no sum can overflow.
func decimalSeconds(s string) (seconds, micros int64, ok bool) {
	whole, digits, hasFraction := cutFraction(s)
	seconds, ok = boundedCount(whole)
	if !ok {
		return 0, 0, false
	}
	micros, ok = parseMicros(digits, hasFraction)
	return seconds, micros, ok
}

func boundedCount(s string) (int64, bool) {
	if !isDigits(s) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n <= (maxDays+1)*86400
}

// parsePythonDuration reads "[-]D day[s], H:MM:SS[.ffffff]" and "H:MM:SS".
func parsePythonDuration(s string) (Timedelta, bool) {
	days := int64(0)
	if word, clock, found := strings.Cut(s, ", "); found {
		count, unit, _ := strings.Cut(word, " ")
		n, err := strconv.ParseInt(count, 10, 32)
		if err != nil || unit != "day" && unit != "days" {
			return Timedelta{}, false
		}
		days, s = n, clock
	}
	parts := strings.Split(s, ":")
	if len(parts) != 3 || len(parts[0]) > 2 || len(parts[1]) != 2 {
		return Timedelta{}, false
	}
	hours, okHours := boundedCount(parts[0])
	minutes, okMinutes := boundedCount(parts[1])
	seconds, micros, okSeconds := decimalSeconds(parts[2])
	if !okHours || !okMinutes || !okSeconds || hours > 23 || minutes > 59 || seconds > 59 {
		return Timedelta{}, false
	}
	return timedelta(days, hours*3600+minutes*60+seconds, micros)
}

// parseISODuration reads [-]P[nW][nD][T[nH][nM][n[.f]S]]. Years and months
// have no fixed length and are refused.
func parseISODuration(s string) (Timedelta, bool) {
	body, negative := cutSign(s)
	body, found := strings.CutPrefix(body, "P")
	date, clock, hasClock := strings.Cut(body, "T")
	if !found || body == "" || hasClock && clock == "" {
		return Timedelta{}, false
	}
	weeks, date, ok1 := cutUnit(date, "W")
	days, date, ok2 := cutUnit(date, "D")
	hours, clock, ok3 := cutUnit(clock, "H")
	minutes, clock, ok4 := cutUnit(clock, "M")
	if !ok1 || !ok2 || !ok3 || !ok4 || date != "" {
		return Timedelta{}, false
	}
	seconds, micros := int64(0), int64(0)
	if clock != "" {
		number, found := strings.CutSuffix(clock, "S")
		var ok bool
		if seconds, micros, ok = decimalSeconds(number); !found || !ok {
			return Timedelta{}, false
		}
	}
	return signed(negative, weeks*7+days, hours*3600+minutes*60+seconds, micros)
}

// cutUnit reads a count before a unit; without the unit the count is 0.
func cutUnit(s, unit string) (n int64, rest string, ok bool) {
	digits, rest, found := strings.Cut(s, unit)
	if !found {
		return 0, s, true
	}
	n, ok = boundedCount(digits)
	return n, rest, ok
}
