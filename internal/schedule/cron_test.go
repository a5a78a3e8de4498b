package schedule

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func parsed(t *testing.T, expression, zone string) *cron {
	t.Helper()
	c, err := parse(&api.ScheduleSpec{Cron: expression, Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestTimes: also where the clock of a zone skips an hour, or shows one twice.
func TestTimes(t *testing.T) {
	for _, test := range []struct{ cron, zone, after, want string }{
		{"30 6 * * 1-5", "", "2026-01-02T06:30:00Z", "2026-01-05T06:30:00Z 2026-01-06T06:30:00Z"},
		{"@daily", "Europe/Berlin", "2026-01-01T12:00:00Z", "2026-01-01T23:00:00Z 2026-01-02T23:00:00Z"},
		{"@weekly", "", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00Z"},
		{"0 0 29 2 *", "", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
		// Berlin goes from 02:00 to 03:00 on 29 March 2026: what is in between comes at
		// 03:00, once.
		{"30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", "2026-03-28T01:30:00Z 2026-03-29T01:00:00Z 2026-03-30T00:30:00Z"},
		{"*/15 2 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z 2026-03-30T00:00:00Z"},
		{"0 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z 2026-03-30T00:00:00Z 2026-03-30T01:00:00Z"},
		{"30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T00:30:00Z 2026-03-29T01:30:00Z 2026-03-29T02:30:00Z"},
		// And from 03:00 back to 02:00 on 25 October: certain hours come once, every
		// hour twice.
		{"30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z 2026-10-26T01:30:00Z"},
		{"30 2 * * *", "Europe/Berlin", "2026-10-25T00:45:00Z", "2026-10-26T01:30:00Z"},
		{"30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z 2026-10-25T01:30:00Z 2026-10-25T02:30:00Z"},
		{"@hourly", "Europe/Berlin", "2026-10-24T23:30:00Z", "2026-10-25T00:00:00Z 2026-10-25T01:00:00Z 2026-10-25T02:00:00Z"},
		// Sao Paulo had no midnight on 4 November 2018, Lord Howe half an hour less.
		{"0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-04T03:00:00Z 2018-11-05T02:00:00Z"},
		{"15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "2026-10-03T15:30:00Z 2026-10-04T15:15:00Z"},
	} {
		var got []string
		want := strings.Fields(test.want)
		for _, at := range parsed(t, test.cron, test.zone).upcoming(moment(t, test.after), len(want)) {
			got = append(got, at.Format(time.RFC3339))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q in %q after %s: %v, want %v", test.cron, test.zone, test.after, got, want)
		}
	}
}

func TestEnd(t *testing.T) {
	c, err := parse(&api.ScheduleSpec{Cron: "@daily", End: moment(t, "2026-01-03T00:00:00Z")})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.upcoming(moment(t, "2026-01-01T12:00:00Z"), 5); len(got) != 2 || !got[1].Equal(c.end) {
		t.Errorf("got %v, want the 2nd and the 3rd", got)
	}
}

// TestNewest looks back over years without walking through them.
func TestNewest(t *testing.T) {
	from, to := moment(t, "2000-01-01T00:00:00Z"), moment(t, "2026-01-01T00:00:00Z")
	every := parsed(t, "* * * * *", "")
	began := time.Now()
	got := every.newest(from, to, 3)
	if len(got) != 3 || !got[2].Equal(to) || !got[0].Equal(to.Add(-2*time.Minute)) {
		t.Errorf("the last three minutes: %v", got)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
	yearly := parsed(t, "0 12 1 6 *", "")
	if got := yearly.newest(from, to, 2); len(got) != 2 || got[0].Year() != 2024 || got[1].Year() != 2025 {
		t.Errorf("the last two years: %v", got)
	}
	if got := yearly.newest(moment(t, "2025-06-01T12:00:00Z"), to, 5); len(got) != 1 {
		t.Errorf("both ends count: %v", got)
	}
	if got := yearly.newest(moment(t, "2025-07-01T00:00:00Z"), to, 5); len(got) != 0 {
		t.Errorf("nothing came: %v", got)
	}
}

func TestRefusedTimes(t *testing.T) {
	for _, test := range []struct{ cron, zone, field string }{
		{"", "", "cron"}, {"* * * *", "", "cron"}, {"* * * * * *", "", "cron"}, {"60 * * * *", "", "cron"}, {"@every 5m", "", "cron"},
		{"TZ=UTC 0 0 * * *", "", "cron"}, {"CRON_TZ=UTC 0 0 * * *", "", "cron"}, {"TZ=0", "", "cron"}, {strings.Repeat("1,", 200) + "1 * * * *", "", "cron"}, {"*/0 * * * *", "", "cron"},
		{"@daily", "Mars/Olympus", "zone"}, {"@daily", "Local", "zone"}, {"@daily", "../../etc/passwd", "zone"}, {"@daily", "/etc/localtime", "zone"},
	} {
		_, err := parse(&api.ScheduleSpec{Cron: test.cron, Zone: test.zone})
		if err == nil || api.AsError(err).Details.Field != test.field {
			t.Errorf("%q in %q: %v, want an error of %s", test.cron, test.zone, err, test.field)
		}
	}
}
