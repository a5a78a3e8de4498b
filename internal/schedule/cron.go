package schedule

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // the zones, where the host has none

	cronlib "github.com/robfig/cron/v3"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// maxCron bounds a cron expression, and maxZone the name of a zone, in bytes.
const (
	maxCron = 256
	maxZone = 64
)

// cron is a set of times. Times of certain hours follow the clock on the wall of
// their zone: one that the clock skips comes at the end of the gap, and one that
// it shows twice comes once, the first time. Times of every hour follow the time
// that passes: the hour that is shown twice has them twice.
type cron struct {
	spec      *cronlib.SpecSchedule
	zone      *time.Location
	everyHour bool
	end       time.Time // zero means never
}

// parse reads the times of a schedule.
func parse(s *api.ScheduleSpec) (*cron, error) {
	zone, err := parseZone(s.Zone)
	if err != nil {
		return nil, err
	}
	spec, err := parseExpression(s.Cron)
	if err != nil {
		return nil, err
	}
	c := &cron{spec: spec, zone: zone, everyHour: everyHour(s.Cron), end: s.End}
	if spec.Location = time.UTC; c.everyHour {
		spec.Location = zone
	}
	return c, nil
}

const cronForm = "five fields (minute, hour, day of month, month, day of week), @hourly, @daily, @weekly, @monthly or @yearly"

func parseExpression(text string) (*cronlib.SpecSchedule, error) {
	if len(text) > maxCron {
		return nil, wrong("cron", fmt.Sprintf("%d bytes long", len(text)), fmt.Sprintf("at most %d", maxCron))
	}
	if strings.Contains(text, "=") {
		return nil, wrong("cron", value.Quote(text), cronForm).WithHint("name the time zone under zone")
	}
	parser := cronlib.NewParser(cronlib.Minute | cronlib.Hour | cronlib.Dom | cronlib.Month | cronlib.Dow | cronlib.Descriptor)
	parsed, err := parser.Parse(text)
	if err != nil {
		return nil, wrong("cron", value.Quote(text), cronForm).WithHint("%s", err)
	}
	spec, ok := parsed.(*cronlib.SpecSchedule)
	if !ok {
		return nil, wrong("cron", value.Quote(text), cronForm).WithHint("write an interval as times of the clock, such as */15 * * * *")
	}
	return spec, nil
}

// everyHour reports whether an expression, which can be read, leaves the hour
// open.
func everyHour(text string) bool {
	fields := strings.Fields(text)
	return text == "@hourly" || len(fields) == 5 && fields[1] == "*"
}

func parseZone(name string) (*time.Location, error) {
	if name == "Local" || len(name) > maxZone {
		return nil, badZone(name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, badZone(name)
	}
	return zone, nil
}

func badZone(name string) error {
	return wrong("zone", value.Quote(value.Shorten(name, maxZone)), "the IANA name of a time zone, such as Europe/Berlin, or nothing for UTC")
}

// next returns the first time after another one; zero if there is none within
// five years, or before the end.
func (c *cron) next(after time.Time) time.Time {
	t := c.following(after)
	if t.IsZero() || !c.end.IsZero() && t.After(c.end) {
		return time.Time{}
	}
	return t.UTC()
}

func (c *cron) following(after time.Time) time.Time {
	if c.everyHour {
		return c.spec.Next(after)
	}
	for wall := wallOf(after.In(c.zone)); ; {
		if wall = c.spec.Next(wall); wall.IsZero() {
			return wall
		}
		if t := c.first(wall); t.After(after) {
			return t
		}
	}
}

// wallOf returns what a clock shows, as if it were UTC.
func wallOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// first returns the first moment at which the clock of the zone shows wall, or has
// skipped it.
func (c *cron) first(wall time.Time) time.Time {
	t := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), 0, 0, c.zone)
	begin, end := t.ZoneBounds()
	switch shown := wallOf(t); {
	case shown.After(wall):
		return begin
	case shown.Before(wall):
		return end
	case begin.IsZero():
		return t
	}
	_, offset := t.Zone()
	_, before := begin.Add(-1).Zone()
	if earlier := t.Add(time.Duration(offset-before) * time.Second); offset < before && earlier.Before(begin) {
		return earlier
	}
	return t
}

// upcoming returns the next n times after another one.
func (c *cron) upcoming(after time.Time, n int) (times []time.Time) {
	for range n {
		if after = c.next(after); after.IsZero() {
			break
		}
		times = append(times, after)
	}
	return times
}

// newest returns the last n times from one moment to another, both included, in
// order. It looks at little more than it returns, however long that was.
func (c *cron) newest(from, to time.Time, n int) (times []time.Time) {
	for window := time.Hour; ; window *= 4 {
		begin := to.Add(-window)
		whole := !begin.After(from)
		if whole {
			begin = from
		}
		times = nil
		for t := c.next(begin.Add(-1)); !t.IsZero() && !t.After(to); t = c.next(t) {
			if times = append(times, t); len(times) > n {
				times = times[1:]
			}
		}
		if whole || len(times) == n {
			return times
		}
	}
}
