package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestCachedIsSaidOnATerminal: people see there that a result is an old one,
// and nothing of it gets to those who read a pipe or JSON.
func TestCachedIsSaidOnATerminal(t *testing.T) {
	service := func(cached bool, runs map[string]*api.Run) *fakeService {
		result := resultOf("v", "str")
		result.Cached = cached
		return &fakeService{result: result, stdout: "out", runs: runs}
	}
	again := &api.Run{ID: "run-1", Cached: true, CachedRun: "run-0"}
	both := map[string]*api.Run{"run-1": again, "run-0": {ID: "run-0", Ended: time.Now().Add(-50 * time.Hour)}}
	removed := map[string]*api.Run{"run-1": again}
	for _, test := range []struct {
		service *fakeService
		args    string
		want    string
	}{
		{service(true, both), "", "cached: the result of run-0, 2d old (--cache override runs it anew)"},
		{service(true, removed), "", "cached: the result of run-0 (--cache override runs it anew)"},
		{service(false, both), "", ""},
		{service(true, both), "--json", ""},
	} {
		text, status := onTerminal(t, test.service, append([]string{"run", "-c", "x", "-o", "result:str"}, strings.Fields(test.args)...)...)
		got := ""
		for _, row := range display(t, text) {
			if strings.HasPrefix(row, "cached:") {
				got = row
			}
		}
		if status != 0 || got != test.want {
			t.Errorf("run %s: %q, %d, want %q in\n%s", test.args, got, status, test.want, text)
		}
		if test.want != "" && !strings.Contains(text, "\x1b[2m"+test.want+"\x1b[0m\r\n") {
			t.Errorf("it is not dim: %q", text)
		}
	}
	if out := run(t, service(true, both), "run", "-c", "x", "-o", "result:str"); strings.Contains(out.err, "cached") {
		t.Errorf("a pipe gets %q", out.err)
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 59 * time.Second: "59s", 119 * time.Second: "1m", 23 * time.Hour: "23h", 49 * time.Hour: "2d",
	} {
		if got := age(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
