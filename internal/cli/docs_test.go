package cli

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestDocumentation compares docs/API.md with what it documents.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	c := &cli{Streams: Streams{Out: io.Discard, Err: io.Discard}}
	checkCommands(t, page, c.root())
}

func checkCommands(t *testing.T, page string, cmd *cobra.Command) {
	t.Helper()
	for _, sub := range cmd.Commands() {
		if !strings.Contains(page, "`"+sub.CommandPath()) {
			t.Errorf("docs/API.md lacks the command %s", sub.CommandPath())
		}
		for _, word := range strings.Fields(sub.LocalFlags().FlagUsages()) {
			flag := strings.TrimRight(word, ",.")
			if strings.HasPrefix(flag, "--") && !strings.Contains(page, "`"+flag) && flag != "--help" {
				t.Errorf("docs/API.md lacks the flag %s of %s", flag, sub.CommandPath())
			}
		}
		checkCommands(t, page, sub)
	}
}
