package gvisor

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

func TestCheckProgram(t *testing.T) {
	tests := map[string]string{ // path: a part of the refusal
		"/bin/sh":     "linked dynamically",
		"/etc/passwd": "bad magic number",
		"/nowhere":    "no such file",
	}
	for path, want := range tests {
		err := checkProgram(path)
		if !errors.Is(err, &api.Error{Code: api.IsolationUnavailable}) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want isolation_unavailable with %q", path, err, want)
		}
	}
	if err := checkProgram("/proc/self/exe"); err != nil {
		t.Errorf("a program built with CGO_ENABLED=0 is refused: %v", err)
	}
}

func TestShare(t *testing.T) {
	all := cpus(0, 2, 3)
	tests := []struct {
		first, count int
		want         []int
	}{
		{0, 1, []int{0}}, {1, 1, []int{2}}, {2, 1, []int{3}}, {3, 1, []int{0}},
		{1, 2, []int{0, 3}}, {0, 3, []int{0, 2, 3}}, {5, 64, []int{0, 2, 3}},
	}
	for _, test := range tests {
		if got := share(all, test.first, test.count); got != cpus(test.want...) {
			t.Errorf("share %d of %d: got %v, want %v", test.first, test.count, got, test.want)
		}
	}
}

func cpus(numbers ...int) (set unix.CPUSet) {
	for _, n := range numbers {
		set.Set(n)
	}
	return set
}
