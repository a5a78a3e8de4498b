// Command files moves a file, a directory and a table between tools. The code
// in between cannot read them: it holds handles.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// toolbox writes its files below dir. What a tool returns is taken over, so
// the directory is only needed while it runs.
func toolbox(dir string) []glovebox.Task {
	return []glovebox.Task{
		glovebox.MustFunction("split", func(text glovebox.File) (glovebox.Dir, error) {
			return split(text.Path, filepath.Join(dir, "parts"))
		}, glovebox.WithParams("text")),
		glovebox.MustFunction("count", func(parts glovebox.Dir) (glovebox.DataFrame, error) {
			return count(parts.Path, filepath.Join(dir, "counts.json"))
		}, glovebox.WithParams("parts")),
	}
}

// route gives the output of one tool to the other, unread.
func route(dir string) glovebox.Orchestrator {
	return glovebox.Orchestrator{
		Name:   "route",
		Source: "count(split(text))",
		Inputs: []string{"text: File"},
		Output: "DataFrame",
		Tools:  toolbox(dir),
	}
}

func split(path, dir string) (glovebox.Dir, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return glovebox.Dir{}, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return glovebox.Dir{}, err
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part%d", i)), []byte(line), 0o600); err != nil {
			return glovebox.Dir{}, err
		}
	}
	return glovebox.Dir{Path: dir}, nil
}

func count(dir, path string) (glovebox.DataFrame, error) {
	parts, err := filepath.Glob(filepath.Join(dir, "part*"))
	if err != nil {
		return glovebox.DataFrame{}, err
	}
	rows := make([]map[string]any, len(parts))
	for i, part := range parts {
		text, err := os.ReadFile(part)
		if err != nil {
			return glovebox.DataFrame{}, err
		}
		rows[i] = map[string]any{"part": filepath.Base(part), "words": len(strings.Fields(string(text)))}
	}
	table, err := json.Marshal(rows)
	if err != nil {
		return glovebox.DataFrame{}, err
	}
	return glovebox.DataFrame{Path: path, Format: "json"}, os.WriteFile(path, table, 0o600)
}

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "files:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	gb, err := embed.Connect(ctx, embed.Options{})
	if err != nil {
		return err
	}
	defer gb.Close()
	dir, err := os.MkdirTemp("", "files-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	table, err := counted(ctx, gb, dir, "one two\nthree\n")
	fmt.Println(table)
	return err
}

func counted(ctx context.Context, gb *glovebox.Glovebox, dir, text string) (string, error) {
	path := filepath.Join(dir, "text")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	table, err := glovebox.Call[glovebox.DataFrame](ctx, gb, route(dir), glovebox.Values{"text": glovebox.File{Path: path}})
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(table.Path)
	return string(content), err
}
