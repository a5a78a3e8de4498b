package cli

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// hostService answers what is asked about a host.
type hostService struct {
	*fakeService
	findings []api.Finding
}

func (s hostService) Doctor(context.Context, bool) ([]api.Finding, error) { return s.findings, nil }

func (s hostService) BuildImage(context.Context, api.ImageSpec, func(api.Progress)) (*api.ImageInfo, error) {
	return &api.ImageInfo{ID: "sha256:ab", Name: "stats", Size: 7}, nil
}

func (s hostService) Close() error { return nil }

// TestJSONOfTheHost: what is about a host is there for programs, too; the exit
// status is the same.
func TestJSONOfTheHost(t *testing.T) {
	well := api.Finding{Subject: "home", OK: true, Detail: "d\x1b"}
	gone := api.Finding{Subject: "disk", Fatal: true, Detail: "full", Remedy: "free some"}
	version, err := json.Marshal(map[string]string{
		"version": "", "gvisor": fakeEngine{}.Isolation(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		findings []api.Finding
		args     []string
		want     string
		status   int
	}{
		{[]api.Finding{well}, []string{"doctor"}, `{"ready":true,"findings":[{"subject":"home","ok":true,"detail":"d\u001b"}]}`, 0},
		{[]api.Finding{well, gone}, []string{"doctor"}, `{"ready":false,"findings":[{"subject":"home","ok":true,"detail":"d\u001b"},` +
			`{"subject":"disk","ok":false,"fatal":true,"detail":"full","remedy":"free some"}]}`, 1},
		{nil, []string{"version"}, string(version), 0},
		{nil, []string{"image", "build"}, `{"id":"sha256:ab","name":"stats","size":7,"created":"0001-01-01T00:00:00Z"}`, 0},
	} {
		got := serviceCommand(t, hostService{&fakeService{}, test.findings}, append(test.args, "--json")...)
		var printed, want any
		if err := json.Unmarshal([]byte(got.out), &printed); err != nil {
			t.Errorf("%q printed %q: %v", test.args, got.out, err)
			continue
		}
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, printed); diff != "" || got.status != test.status || got.err != "" {
			t.Errorf("%q: %+v (-want +got):\n%s", test.args, got, diff)
		}
	}
	if got := serviceCommand(t, hostService{&fakeService{}, []api.Finding{gone}}, "doctor"); got.status != 1 ||
		got.out != "FAIL  disk  full\n            → free some\n\nA run would be refused.\n" {
		t.Errorf("without --json: %+v", got)
	}
}
