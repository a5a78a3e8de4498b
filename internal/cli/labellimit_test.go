package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/host"
)

func TestParseLabelLimits(t *testing.T) {
	got, err := parseLabelLimits([]string{"db=main:3", "url=http://a:8:1"})
	if want := []host.LabelLimit{{Name: "db", Value: "main", Most: 3}, {Name: "url", Value: "http://a:8", Most: 1}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for flags, text := range map[string]string{
		"db=main": "is no limit", "db=main:0": "is no limit", "db:3": "is no limit", "db=main:x": "is no limit", "=x:1": "without a name",
		"a=b:1 a=b:2": "two limits", strings.Repeat("a=b:1 ", 33): "at most 32",
	} {
		if _, err := parseLabelLimits(strings.Fields(flags)); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v", flags, err)
		}
	}
}
