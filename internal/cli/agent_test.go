package cli

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestModelFlags(t *testing.T) {
	for _, test := range []struct {
		flags modelFlags
		want  api.Model
		err   string
	}{
		{flags: modelFlags{model: "openai/a/b", url: "http://x", key: "k", price: "1, 2.5"}, want: api.Model{Protocol: "openai", Name: "a/b", BaseURL: "http://x", Key: "k", Price: api.ModelPrice{Input: 1, Output: 2.5}}},
		{flags: modelFlags{model: "anthropic/c", price: "3,0.3,15"}, want: api.Model{Protocol: "anthropic", Name: "c", Price: api.ModelPrice{Input: 3, CachedInput: 0.3, Output: 15}}},
		{flags: modelFlags{}, err: "--model"},
		{flags: modelFlags{model: "gpt-5"}, err: "openai/MODEL"},
		{flags: modelFlags{model: "google/x"}, err: "openai/MODEL"},
		{flags: modelFlags{model: "openai/x", price: "1"}, err: "--price"},
		{flags: modelFlags{model: "openai/x", price: "a,b"}, err: "--price"},
	} {
		task, err := test.flags.task()
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%+v: %v", test.flags, err)
			}
			continue
		}
		if err != nil || *task.Model != test.want || task.Kind != api.KindModel {
			t.Errorf("%+v: %+v, %v", test.flags, task, err)
		}
	}
}

func TestAgentWantsAMessage(t *testing.T) {
	if got := run(t, &fakeService{}, "agent", "--model", "openai/x"); got.status != 2 || !strings.Contains(got.err, "message") {
		t.Errorf("%+v", got)
	}
}
