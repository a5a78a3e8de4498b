package value

import (
	"fmt"
	"strings"
	"time"
)

// Date is a Python date: a day in the years 1 to 9999.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of the clock reading of t.
func DateOf(t time.Time) Date { return Date{t.Year(), t.Month(), t.Day()} }

// String returns the day in ISO 8601, such as 2024-01-31.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day) }

// Time returns the beginning of the day in UTC.
func (d Date) Time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

func naturalDate(d Date) (any, error) {
	if d.Year < 1 || d.Year > 9999 || DateOf(d.Time()) != d {
		return nil, &Error{Expected: "date in the years 1 to 9999", Got: d.String()}
	}
	return d, nil
}

// parseDate reads YYYY-MM-DD or YYYYMMDD.
func parseDate(s string) (any, bool) {
	date, rest, ok := cutDate(s)
	if !ok || rest != "" {
		return nil, false
	}
	return DateOf(date), true
}

// TimeOfDay is a Python time: a clock reading with microseconds, naive or with
// a fixed offset from UTC.
type TimeOfDay struct {
	Clock  time.Duration // since midnight, in whole microseconds
	Aware  bool          // whether Offset counts
	Offset time.Duration // east of UTC, less than a day, in whole microseconds
}

// String returns the reading in ISO 8601, such as 13:05:09.000001+02:00.
func (t TimeOfDay) String() string {
	seconds := int(t.Clock / time.Second)
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	text += fraction(int(t.Clock % time.Second / time.Microsecond))
	if !t.Aware {
		return text
	}
	return text + offsetString(t.Offset)
}

func naturalTime(t TimeOfDay) (any, error) {
	const day = 24 * time.Hour
	switch {
	case t.Clock < 0 || t.Clock >= day || t.Clock%time.Microsecond != 0:
		return nil, &Error{Expected: "time of a day in whole microseconds", Got: t.Clock.String()}
	case t.Offset <= -day || t.Offset >= day || t.Offset%time.Microsecond != 0 || !t.Aware && t.Offset != 0:
		return nil, &Error{Expected: "time with an offset of less than a day in whole microseconds", Got: t.Offset.String()}
	}
	return t, nil
}

// parseTime reads what Python's time.fromisoformat reads.
func parseTime(s string) (any, bool) {
	clock, zone := strings.TrimPrefix(s, "T"), ""
	if i := strings.IndexAny(clock, "Z+-"); i >= 0 {
		clock, zone = clock[:i], clock[i:]
	}
	sinceMidnight, ok := parseClock(clock)
	if !ok || sinceMidnight >= 24*time.Hour {
		return nil, false
	}
	t := TimeOfDay{Clock: sinceMidnight, Aware: zone != ""}
	if t.Aware {
		t.Offset, ok = parseOffset(zone)
	}
	return t, ok
}
