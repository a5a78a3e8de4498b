package check

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFreshLanguageDocument compares the tables of docs/LANGUAGE.md with those
// that the checker reads.
func TestFreshLanguageDocument(t *testing.T) {
	const path = "../../docs/LANGUAGE.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := replaceTable(t, string(data), "constructs", constructsTable())
	want = replaceTable(t, want, "missing", missingTable())
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(data), "\n")); diff != "" {
		t.Errorf("%s is out of date; run make generate (-want +got):\n%s", path, diff)
	}
}

// replaceTable puts a table between the comment that names it and the next end.
func replaceTable(t *testing.T, document, name, table string) string {
	t.Helper()
	mark := "<!-- " + name + ": written by make generate -->\n"
	before, rest, ok := strings.Cut(document, mark)
	_, after, ended := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !ended {
		t.Fatalf("there is no place for the table %s", name)
	}
	return before + mark + table + "<!-- end -->\n" + after
}

func constructsTable() string {
	var b strings.Builder
	b.WriteString("| construct | for example | strict | extended | instead |\n|---|---|---|---|---|\n")
	for _, r := range constructs {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", r.name, r.example, yes(r.strict), yes(r.extended), r.workaround)
	}
	return b.String()
}

func yes(available bool) string {
	if available {
		return "yes"
	}
	return "no"
}

func missingTable() string {
	var b strings.Builder
	b.WriteString("| not there | instead |\n|---|---|\n")
	for _, m := range missing {
		if !m.rare {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.Join(slices.Sorted(slices.Values(m.names)), "` `"), m.hint)
		}
	}
	return b.String()
}
