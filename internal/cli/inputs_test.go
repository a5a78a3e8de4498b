package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// readingService remembers what the files of inputs held when they were given.
type readingService struct {
	*fakeService
	files map[string]string
}

func (s readingService) Submit(ctx context.Context, sub api.Submission) (*api.Run, error) {
	for name, v := range sub.Given() {
		if ref, ok := value.RefOf(v); ok {
			text, err := os.ReadFile(ref.Path)
			if err != nil {
				return nil, err
			}
			s.files[name] = string(text)
		}
	}
	return s.fakeService.Submit(ctx, sub)
}

func give(t *testing.T, stdin string, args ...string) (readingService, printed) {
	t.Helper()
	service := readingService{&fakeService{result: &api.Result{}, tasks: map[string]*api.TaskVersion{"t": statsTask()}, runs: earlier()}, map[string]string{}}
	var out, errs strings.Builder
	c := &cli{
		Streams:     Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs},
		connect:     func(context.Context, string) (api.Service, error) { return service, nil },
		interpreter: func() (api.Service, error) { return service, nil },
	}
	root := c.root()
	root.SetArgs(args)
	status := c.report(root.ExecuteContext(t.Context()))
	return service, printed{out.String(), errs.String(), status}
}

// TestInputsFromElsewhere: values come from files and from standard input, too.
func TestInputsFromElsewhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	large := writeFile(t, "large", strings.Repeat("x", 1<<20))
	list := writeFile(t, "list.json", "[1, 2]\n")
	all := writeFile(t, "all.json", `{"a": 1, "b": "s", "c": 1.5, "d": [true], "e": false, "f": "`+list+`", "n": 7}`)
	service, got := give(t, "from stdin\n", "run", "-c", "x", "-i", "l=@"+large, "-i", "n:list[int]=@"+list, "-i", "s=-", "-i", "at=@@x", "-i", "mail=a@b")
	expect(t, got, printed{})
	want := map[string]any{"l": strings.Repeat("x", 1<<20), "n": []any{int64(1), int64(2)}, "s": "from stdin\n", "at": "@x", "mail": "a@b"}
	if diff := cmp.Diff(want, service.submitted[0].Inputs); diff != "" {
		t.Error(diff)
	}
	for _, file := range []string{"-", "/dev/stdin"} {
		service, got = give(t, "bytes\x00", "run", "-i", "data:File="+file, "--", "cat")
		expect(t, got, printed{})
		if service.files["data"] != "bytes\x00" || filepath.Base(service.submitted[0].Inputs["data"].(value.File).Path) != "data" {
			t.Errorf("%s: %v, %v", file, service.files, service.submitted[0].Inputs)
		}
	}
	service, got = give(t, "", "run", "-c", "x", "--inputs", all, "-i", "f:File", "-i", "m=2")
	expect(t, got, printed{})
	types := map[string]string{}
	for _, p := range service.submitted[0].Task.Signature.Inputs {
		types[p.Name] = p.Type.String()
	}
	if diff := cmp.Diff(map[string]string{"a": "int", "b": "str", "c": "float", "d": "Any", "e": "bool", "f": "File", "n": "int", "m": "str"}, types); diff != "" {
		t.Error(diff)
	}
	if service.files["f"] != "[1, 2]\n" {
		t.Errorf("the file holds %q", service.files["f"])
	}
	service, got = give(t, `{"n": 3}`, "start", "t", "--inputs", "-")
	if got.status != 0 || service.submitted[0].Inputs["n"] != int64(3) {
		t.Errorf("started with %v", service.submitted[0].Inputs)
	}
	service, got = give(t, "4", "rerun", "run-1", "-i", "n=-")
	if expect(t, got, printed{}); service.rerun.Inputs["n"] != int64(4) {
		t.Errorf("repeated with %v", service.rerun.Inputs)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "glovebox-inputs-*")); left != nil {
		t.Errorf("left %v", left)
	}
}

func TestInputsThatCannotBeRead(t *testing.T) {
	twice := writeFile(t, "n.json", `{"n": 1}`)
	for line, want := range map[string]string{
		"run -c x -i a=- -i b=-":                                            "asked for twice: as -i a and as -i b",
		"run - -i b=-":                                                      "asked for twice: as -i b and as the code",
		"run -c x -i a=@/no/such":                                           "-i a: open /no/such: no such file or directory",
		"run -c x -i d:Dir=-":                                               "a Dir cannot be read from standard input",
		"run -c x -i a":                                                     "-i a has no value",
		"run -c x -i n:int=1 --inputs " + twice:                             "the input n is given by -i and by --inputs",
		"run -c x -i m:int --inputs " + twice:                               "-i m has no value, and --inputs has none",
		"run -c x --inputs /no/such":                                        "--inputs: open /no/such: no such file or directory",
		"run -c x --inputs -":                                               "--inputs - is no JSON object",
		"start t --inputs " + writeFile(t, "m.json", `{"mm": 1}`):           `the task has no input "mm"`,
		"run -c x -i n:bool --inputs " + twice:                              "input n: expected bool, got",
		"run -c x -i n:int=@" + writeFile(t, "text", "no number"):           "input n: expected int",
		"run -c x --inputs " + writeFile(t, "two.json", `{"n": 1, "n": 2}`): "comes twice",
	} {
		if _, got := give(t, "y", strings.Fields(line)...); got.status == 0 || !strings.Contains(got.err, want) {
			t.Errorf("%s: %d %s", line, got.status, got.err)
		}
	}
}

// TestReadingIsInterrupted: a command that waits for what never comes can be ended.
func TestReadingIsInterrupted(t *testing.T) {
	never, _ := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	reader := (&cli{Streams: Streams{In: interrupting{never, stop}}}).readInputs(ctx)
	if _, err := reader.parseInput("x=-", value.MustType("str")); api.AsError(err).Code != api.Canceled {
		t.Errorf("got %v", err)
	}
}

// interrupting ends a context when it is read, and then waits.
type interrupting struct {
	io.Reader
	stop func()
}

func (r interrupting) Read(p []byte) (int, error) {
	r.stop()
	return r.Reader.Read(p)
}
