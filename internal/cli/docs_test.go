package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// TestDocumentation compares docs/API.md with what it documents.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, row := range api.Codes {
		line := fmt.Sprintf("| `%s` | %s | %s | %s | %s |", row.Code, exitWords(row.Exit), yes(row.Retryable), row.Outcome, row.Meaning)
		if !strings.Contains(page, line+"\n") {
			t.Errorf("docs/API.md lacks the line\n%s", line)
		}
	}
	c := &cli{Streams: Streams{Out: io.Discard, Err: io.Discard}}
	checkCommands(t, page, c.root())
}

func exitWords(status int) string {
	if status < 0 {
		return "the program's"
	}
	return fmt.Sprint(status)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
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
