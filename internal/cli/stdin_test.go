package cli

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestStdinIsNotDroppedInSilence, and not read either.
func TestStdinIsNotDroppedInSilence(t *testing.T) {
	full, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	defer w.Close()
	if _, err := io.WriteString(w, "hi\n"); err != nil {
		t.Fatal(err)
	}
	silent, open, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	defer open.Close()
	file, err := os.Open(writeFile(t, "text", "hi\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, test := range []struct {
		name   string
		in     io.Reader
		line   string
		warned bool
	}{
		{"a pipe", full, "run -- cat", true},
		{"a file", file, "run -- cat", true},
		{"a pipe in which nothing is", silent, "run -- cat", false},
		{"code", full, "run -c x", false},
		{"no file", strings.NewReader("hi"), "run -- cat", false},
		{"an input", file, "run -i x=- -- cat", false},
		{"passed on", file, "run --stdin -- cat", false},
	} {
		var errs strings.Builder
		c := &cli{
			Streams: Streams{In: test.in, Out: io.Discard, Err: &errs},
			connect: func(context.Context, string) (api.Service, error) { return &fakeService{result: &api.Result{}}, nil },
		}
		root := c.root()
		root.SetArgs(strings.Fields(test.line))
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		if warned := strings.Contains(errs.String(), "standard input is not passed on; give it with --stdin"); warned != test.warned {
			t.Errorf("%s: printed %q", test.name, errs.String())
		}
	}
	if left, err := io.ReadAll(io.LimitReader(full, 3)); string(left) != "hi\n" || err != nil {
		t.Errorf("left %q, %v", left, err)
	}
}

// TestStdinIsPassedOn, as an input, to what reads it.
func TestStdinIsPassedOn(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	script := writeFile(t, "s.py", "x")
	for _, args := range [][]string{{"--", "cat"}, {"--verbatim", script}, {"--verbatim", "-c", "x"}, {"--image", "r"}} {
		service, got := give(t, "hi\n", append([]string{"run", "--stdin", "-i", "n:int=1"}, args...)...)
		expect(t, got, printed{})
		task := service.submitted[0].Task
		if service.files["stdin"] != "hi\n" || task.Stdin != "stdin" || task.CheckStdin() != nil || service.submitted[0].Inputs["n"] != int64(1) {
			t.Errorf("%q: %v, %+v", args, service.files, task)
		}
	}
	for line, want := range map[string]string{
		"run --stdin -c x":                 "--stdin is for commands, and for scripts with --verbatim",
		"run --stdin --verbatim -":         "asked for twice",
		"run --stdin -i x=- -- cat":        "asked for twice",
		"run --stdin -i stdin=x -- cat":    "declares the input stdin",
		"run --stdin -i stdin:Dir=/ -- ls": "declares the input stdin",
	} {
		service, got := give(t, "hi\n", strings.Fields(line)...)
		if got.status != 2 || !strings.Contains(got.err, want) || !strings.Contains(got.err, "hint: ") || len(service.submitted) > 0 {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestArgumentsOfScripts: what stands behind the file of a script is for it.
func TestArgumentsOfScripts(t *testing.T) {
	script := writeFile(t, "s.py", "x")
	for _, test := range []struct{ args, want []string }{
		{[]string{"--verbatim", script}, nil},
		{[]string{script, "a", "--verbatim", "b c"}, []string{"a", "b c"}},
		{[]string{"--verbatim", script, "a", "--", "-n", "--", "1"}, []string{"a", "-n", "--", "1"}},
	} {
		service, got := give(t, "", append([]string{"run"}, test.args...)...)
		expect(t, got, printed{})
		if task := service.submitted[0].Task; !slices.Equal(task.Arguments, test.want) || len(task.Command) > 0 {
			t.Errorf("%q: %+v", test.args, task)
		}
	}
	_, got := give(t, "", "run", script, "a")
	if got.status != 2 || !strings.Contains(got.err, `unexpected argument "a"`) || !strings.Contains(got.err, "--verbatim") {
		t.Errorf("%+v", got)
	}
}
