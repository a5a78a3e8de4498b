package check

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The prompt is what a model reads: each change of it is a decision.
func TestPrompt(t *testing.T) {
	for _, o := range []Options{strict(), extended()} {
		o.Output = typ("dict[str, int]")
		o.Limits = Limits{Memory: 50 << 20, Time: 30 * time.Second, Depth: 256, Calls: 1000, Output: 1 << 20}
		path := "testdata/prompt-" + o.Dialect.String() + ".txt"
		got := Prompt(o)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s, -update rewrites it:\n%s", path, diff)
		}
	}
}

func TestPromptSaysOnlyWhatApplies(t *testing.T) {
	got := Prompt(Options{Dialect: Extended})
	for _, word := range []string{"Limits", "Inputs", "gather", "handles", "of type", "```"} {
		if strings.Contains(got, word) {
			t.Errorf("the prompt without inputs and tools speaks of %s:\n%s", word, got)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{bytesInWords(50 << 20), "50 MiB"}, {bytesInWords(1000), "1000 bytes"}, {bytesInWords(3 << 40), "3072 GiB"},
		{timeInWords(30 * time.Second), "30 s"}, {timeInWords(250 * time.Millisecond), "250ms"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
