package value

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String returns the ISO 8601 form of Python's isoformat().
func (d DateTime) String() string {
	w := d.Wall
	text := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second())
	text += fraction(w.Nanosecond() / 1000)
	if !d.Aware {
		return text
	}
	return text + offsetString(d.Offset)
}

func fraction(micros int) string {
	if micros == 0 {
		return ""
	}
	return fmt.Sprintf(".%06d", micros)
}

func offsetString(offset time.Duration) string {
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	seconds := int(offset / time.Second)
	micros := int(offset % time.Second / time.Microsecond)
	text := fmt.Sprintf("%s%02d:%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 || micros != 0 {
		text += fmt.Sprintf(":%02d", seconds%60)
	}
	return text + fraction(micros)
}

// parseDateTime reads what Python's datetime.fromisoformat reads since 3.11,
// but for week dates: a calendar date, alone or with a time after "T" or a
// space, with or without separators, and "Z" or an offset.
func parseDateTime(s string) (DateTime, bool) {
	date, rest, ok := cutDate(s)
	if !ok || rest == "" {
		return DateTime{Wall: date}, ok
	}
	if rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' {
		return DateTime{}, false
	}
	clock, zone := rest[1:], ""
	if i := strings.IndexAny(clock, "Z+-"); i >= 0 {
		clock, zone = clock[:i], clock[i:]
	}
	sinceMidnight, ok := parseClock(clock)
	if !ok || sinceMidnight >= 24*time.Hour {
		return DateTime{}, false
	}
	d := DateTime{Wall: date.Add(sinceMidnight)}
	if zone == "" {
		return d, true
	}
	d.Aware = true
	d.Offset, ok = parseOffset(zone)
	return d, ok
}

// cutDate reads YYYY-MM-DD or YYYYMMDD at the start of s.
func cutDate(s string) (date time.Time, rest string, ok bool) {
	layout := "20060102"
	if len(s) > 4 && s[4] == '-' {
		layout = "2006-01-02"
	}
	if len(s) < len(layout) {
		return time.Time{}, "", false
	}
	date, err := time.Parse(layout, s[:len(layout)])
	return date, s[len(layout):], err == nil && date.Year() >= 1
}

func parseOffset(s string) (time.Duration, bool) {
	if s == "Z" {
		return 0, true
	}
	offset, ok := parseClock(s[1:])
	if s[0] == '-' {
		offset = -offset
	}
	return offset, ok && s[0] != 'Z' && offset > -24*time.Hour && offset < 24*time.Hour
}

// parseClock reads HH[:MM[:SS[.ffffff]]], or the same without colons. Digits
// beyond microseconds are dropped, as Python does.
func parseClock(s string) (time.Duration, bool) {
	whole, digits, hasFraction := cutFraction(s)
	if len(whole) > 2 && whole[2] == ':' {
		whole = strings.ReplaceAll(whole, ":", "")
		if s[:2] != whole[:2] || strings.Count(s, ":") != len(whole)/2-1 || len(s) > 5 && s[5] != ':' {
			return 0, false
		}
	}
	if !isDigits(whole) || len(whole)%2 != 0 || len(whole) > 6 || hasFraction && len(whole) != 6 {
		return 0, false
	}
	total := time.Duration(0)
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
		if i*2 == len(whole) {
			break
		}
		n, _ := strconv.Atoi(whole[i*2 : i*2+2])
		if i > 0 && n >= 60 {
			return 0, false
		}
		total += time.Duration(n) * unit
	}
	micros, ok := parseMicros(digits, hasFraction)
	return total + time.Duration(micros)*time.Microsecond, ok
}

func cutFraction(s string) (whole, digits string, found bool) {
	i := strings.IndexAny(s, ".,")
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// parseMicros reads the digits after a decimal point of seconds.
func parseMicros(digits string, present bool) (int64, bool) {
	if !present {
		return 0, true
	}
	if !isDigits(digits) {
		return 0, false
	}
	micros, err := strconv.ParseInt((digits + "000000")[:6], 10, 64)
	return micros, err == nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
