// Package calendar is the arithmetic under Python's datetime module: the
// proleptic Gregorian calendar, durations, the formats of ISO 8601, strftime and
// strptime. It knows no clock and no time zones. Errors are CPython's.
package calendar

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The years that dates may have, and the ordinal of the last day.
const (
	MinYear    = 1
	MaxYear    = 9999
	MaxOrdinal = 3_652_059
)

// Date is a day of the calendar.
type Date struct{ Year, Month, Day int }

// Clock is a time of day.
type Clock struct{ Hour, Minute, Second, Microsecond int }

// IsLeap reports whether a year has 366 days.
func IsLeap(year int) bool {
	return year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

// before is the number of days before each month of a common year.
var before = [14]int{0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// DaysInMonth returns the length of a month from 1 to 12.
func DaysInMonth(year, month int) int {
	if month == 2 && IsLeap(year) {
		return 29
	}
	return before[month+1] - before[month]
}

// daysBeforeYear returns the number of days from 1 January of year 1.
func daysBeforeYear(year int) int {
	y := year - 1
	return y*365 + y/4 - y/100 + y/400
}

// YearDay returns the day of the year, from 1.
func (d Date) YearDay() int {
	n := before[d.Month] + d.Day
	if d.Month > 2 && IsLeap(d.Year) {
		n++
	}
	return n
}

// Ordinal returns the number of the day; 1 January of year 1 is 1.
func (d Date) Ordinal() int { return daysBeforeYear(d.Year) + d.YearDay() }

// FromOrdinal returns the day with a number.
func FromOrdinal(n int) (Date, error) {
	if n < 1 {
		return Date{}, raise.Value("ordinal must be >= 1")
	}
	if n > math.MaxInt32 {
		return Date{}, raise.Overflow("Python int too large to convert to C int")
	}
	d := fromOrdinal(n)
	if d.Year > MaxYear {
		return Date{}, raise.Value("year %d is out of range", d.Year)
	}
	return d, nil
}

func fromOrdinal(n int) Date {
	year := n/366 + 1 // never too late, and at most a few years too early
	for daysBeforeYear(year+1) < n {
		year += max(1, (n-daysBeforeYear(year+1))/366)
	}
	n -= daysBeforeYear(year)
	month := (n-1)/31 + 1
	for n > (Date{year, month, DaysInMonth(year, month)}).YearDay() {
		month++
	}
	return Date{year, month, n - (Date{year, month, 0}).YearDay()}
}

// Weekday returns the day of the week, 0 is Monday.
func (d Date) Weekday() int { return (d.Ordinal() + 6) % 7 }

// Check refuses a date that does not exist.
func (d Date) Check() error {
	switch {
	case d.Year < MinYear || d.Year > MaxYear:
		return raise.Value("year %d is out of range", d.Year)
	case d.Month < 1 || d.Month > 12:
		return raise.Value("month must be in 1..12")
	case d.Day < 1 || d.Day > DaysInMonth(d.Year, d.Month):
		return raise.Value("day is out of range for month")
	}
	return nil
}

// Check refuses a time that does not exist.
func (c Clock) Check() error {
	switch {
	case c.Hour < 0 || c.Hour > 23:
		return raise.Value("hour must be in 0..23")
	case c.Minute < 0 || c.Minute > 59:
		return raise.Value("minute must be in 0..59")
	case c.Second < 0 || c.Second > 59:
		return raise.Value("second must be in 0..59")
	case c.Microsecond < 0 || c.Microsecond > 999_999:
		return raise.Value("microsecond must be in 0..999999")
	}
	return nil
}

// weekOne returns the ordinal of the Monday of the first ISO week of a year.
func weekOne(year int) int {
	first := daysBeforeYear(year) + 1
	weekday := (first + 6) % 7
	if weekday > 3 {
		return first - weekday + 7
	}
	return first - weekday
}

// ISO returns the ISO year, week and weekday; 1 is Monday.
func (d Date) ISO() (year, week, weekday int) {
	n := d.Ordinal()
	year = d.Year
	switch {
	case n < weekOne(year):
		year--
	case n >= weekOne(year+1):
		year++
	}
	return year, (n-weekOne(year))/7 + 1, (n-1)%7 + 1
}

// FromISO returns the day of an ISO year, week and weekday.
func FromISO(year, week, weekday int) (Date, error) {
	if year < MinYear || year > MaxYear {
		return Date{}, raise.Value("Year is out of range: %d", year)
	}
	weeks := (weekOne(year+1) - weekOne(year)) / 7
	if week < 1 || week > weeks {
		return Date{}, raise.Value("Invalid week: %d", week)
	}
	if weekday < 1 || weekday > 7 {
		return Date{}, raise.Value("Invalid day: %d (range is [1, 7])", weekday)
	}
	n := weekOne(year) + 7*(week-1) + weekday - 1
	if n < 1 {
		return Date{}, raise.Value("ordinal must be >= 1")
	}
	if n > MaxOrdinal {
		return Date{}, raise.Value("year 10000 is out of range")
	}
	return fromOrdinal(n), nil
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod(a, b int) int { return a - b*floorDiv(a, b) }
