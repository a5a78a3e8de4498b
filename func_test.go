package glovebox

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

type statsIn struct {
	Values string
	When   DateTime `glovebox:"dt"`
	Limit  *int
	Notes  string `glovebox:"-"`
	hidden int
}

type statsOut struct {
	Mean      float64
	WindowEnd DateTime
	HTTPCode  int8
}

func TestSignatureOf(t *testing.T) {
	got, err := signatureOf(reflect.TypeFor[statsIn](), reflect.TypeFor[statsOut]())
	if err != nil {
		t.Fatal(err)
	}
	want := api.Signature{
		Inputs:  params(t, "values", "str", "dt", "datetime", "limit", "Optional[int]"),
		Outputs: params(t, "mean", "float", "window_end", "datetime", "http_code", "int"),
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("signature (-got +want):\n%s", diff)
	}
	_, err = signatureOf(reflect.TypeFor[int](), reflect.TypeFor[statsOut]())
	if !errors.Is(err, ErrInvalidType) {
		t.Errorf("int as inputs: %v", err)
	}
	_, err = signatureOf(reflect.TypeFor[statsIn](), reflect.TypeFor[struct{ C chan int }]())
	if e := api.AsError(err); e.Code != api.InvalidType || e.Details.Field != "c" {
		t.Errorf("a channel as output: %+v", err)
	}
}

func params(t *testing.T, words ...string) []value.Param {
	t.Helper()
	var all []value.Param
	for i := 0; i < len(words); i += 2 {
		typ, err := value.ParseType(words[i+1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, value.Param{Name: words[i], Type: typ})
	}
	return all
}

func TestStructValues(t *testing.T) {
	when := Naive(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	got := structValues(reflect.ValueOf(statsIn{Values: "1,2", When: when, Notes: "x", hidden: 1}))
	if diff := cmp.Diff(got, Values{"values": "1,2", "dt": when, "limit": nil}); diff != "" {
		t.Errorf("values (-got +want):\n%s", diff)
	}
}

func TestAssignStruct(t *testing.T) {
	when := Naive(time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC))
	var out statsOut
	outputs := []api.Output{{Name: "mean", Value: 3.0}, {Name: "window_end", Value: when}, {Name: "http_code", Value: int64(7)}}
	if err := assignStruct(reflect.ValueOf(&out).Elem(), outputs); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(out, statsOut{3, when, 7}); diff != "" {
		t.Errorf("outputs (-got +want):\n%s", diff)
	}
	outputs[2].Value = int64(1000)
	err := assignStruct(reflect.ValueOf(&out).Elem(), outputs)
	if e := api.AsError(err); e.Code != api.BadOutput || e.Details.Field != "output http_code" {
		t.Errorf("1000 as int8: %+v", err)
	}
}

func TestSnakeCase(t *testing.T) {
	for name, want := range map[string]string{
		"X": "x", "WindowEnd": "window_end", "HTTPStatus": "http_status", "ID": "id", "UserID": "user_id", "N2": "n2", "A_B": "a_b",
	} {
		if got := snakeCase(name); got != want {
			t.Errorf("snakeCase(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSandboxDeclarations(t *testing.T) {
	task, err := Sandbox{Inputs: []string{"n: int", "tags:list[str]"}, Outputs: []string{"total : float"}}.task()
	if err != nil {
		t.Fatal(err)
	}
	want := api.Signature{Inputs: params(t, "n", "int", "tags", "list[str]"), Outputs: params(t, "total", "float")}
	if diff := cmp.Diff(task.Signature, want); diff != "" {
		t.Errorf("signature (-got +want):\n%s", diff)
	}
	_, err = Sandbox{Inputs: []string{"n"}}.task()
	if e := api.AsError(err); e.Code != api.InvalidTask || e.Hint != `declare it as "n: str"` {
		t.Errorf("no type: %+v", err)
	}
	_, err = Sandbox{Outputs: []string{"n: integer"}}.task()
	if e := api.AsError(err); e.Code != api.InvalidType || e.Details.Field != "n" {
		t.Errorf("unknown type: %+v", err)
	}
}

// TestNewWithoutFunctions shows what a Glovebox answers that has no way to call
// functions of this process.
func TestNewWithoutFunctions(t *testing.T) {
	_, service := newFake()
	gb := New(service, nil)
	add := MustFunction("add", func(x, y int) int { return x + y }, WithParams("x", "y"))
	if _, err := Call[int](t.Context(), gb, add, Values{"x": 1, "y": 2}); !errors.Is(err, ErrWorkerUnavailable) {
		t.Errorf("a function: %v, want worker_unavailable", err)
	}
	if _, err := gb.Check(t.Context(), Orchestrator{Name: "o", Source: "1"}); err != nil {
		t.Errorf("what needs no function: %v", err)
	}
}

// TestEveryCodeHasAnError compares the sources, since the names of constants
// and variables are there alone.
func TestEveryCodeHasAnError(t *testing.T) {
	table, err := os.ReadFile("api/codes.go")
	if err != nil {
		t.Fatal(err)
	}
	values, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`(?m)^\t(\w+) +Code = "`).FindAllSubmatch(table, -1)
	if len(codes) != len(api.Codes()) {
		t.Errorf("found %d constants for %d codes", len(codes), len(api.Codes()))
	}
	for _, c := range codes {
		name := string(c[1])
		if want := regexp.MustCompile(`(?m)^\tErr` + name + ` += api\.` + name + `$`); !want.Match(values) {
			t.Errorf("there is no Err%s", name)
		}
	}
}
