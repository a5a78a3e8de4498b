package cli

import (
	"errors"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestParseInput(t *testing.T) {
	absolute, err := filepath.Abs("data.json")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		flag, name, typ string
		value           any
	}{
		{"x=21", "x", "str", "21"},
		{"x=", "x", "str", ""},
		{"x=a=b:c", "x", "str", "a=b:c"},
		{"x=line\n", "x", "str", "line\n"},
		{"x:int=21", "x", "int", int64(21)},
		{"x:int=-7", "x", "int", int64(-7)},
		{"x : int=1", "x", "int", int64(1)},
		{"x:int=100000000000000000000", "x", "int", new(big.Int).Mul(big.NewInt(1e10), big.NewInt(1e10))},
		{"x:float=2.5", "x", "float", 2.5},
		{"x:bool=true", "x", "bool", true},
		{"x:bytes=ab\n", "x", "bytes", []byte("ab\n")},
		{"x:list[int]=[1,2]", "x", "list[int]", []any{int64(1), int64(2)}},
		{"x:Optional[int]=null", "x", "Optional[int]", nil},
		{"payload:File=data.json", "payload", "File", value.File{Path: absolute}},
		{"tree:Dir=data.json", "tree", "Dir", value.Dir{Path: absolute}},
		{`many:list[File]=["data.json"]`, "many", "list[File]", []any{value.File{Path: absolute}}},
		{`maybe:Optional[File]="data.json"`, "maybe", "Optional[File]", value.File{Path: absolute}},
	}
	for _, tt := range tests {
		in, err := (&cli{}).readInputs(t.Context()).parseInput(tt.flag, value.Type{Kind: value.KindStr})
		if err != nil {
			t.Errorf("parseInput(%q): %v", tt.flag, err)
			continue
		}
		if in.Name != tt.name || in.Type.String() != tt.typ {
			t.Errorf("parseInput(%q) = %s: %s", tt.flag, in.Name, in.Type)
		}
		bigs := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
		got, _ := in.value.Value(in.Name)
		if diff := cmp.Diff(got, tt.value, bigs, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("parseInput(%q) (-got +want):\n%s", tt.flag, diff)
		}
	}
}

func TestParseInputErrors(t *testing.T) {
	tests := []struct {
		flag string
		code api.Code // empty: wrong usage
		says string
	}{
		{"x", "", "has no value"},
		{"x:int=abc", api.InvalidInput, "input x: expected int"},
		{"x:int=", api.InvalidInput, "input x: expected int"},
		{"x:integer=1", api.InvalidType, "input x: "},
		{"f:File=", api.InvalidInput, "input f: expected the path of a File"},
		{"x:list[int]=[1,\"a\"]", api.InvalidInput, "input x[1]: expected int"},
	}
	for _, tt := range tests {
		_, err := (&cli{}).readInputs(t.Context()).parseInput(tt.flag, value.Type{Kind: value.KindStr})
		checkError(t, "parseInput("+tt.flag+")", err, tt.code, tt.says)
	}
}

func checkError(t *testing.T, what string, err error, code api.Code, says string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: %v; want an error with %q", what, err, says)
		return
	}
	var wrong *usageError
	if code == "" && !errors.As(err, &wrong) {
		t.Errorf("%s: %v; want wrong usage", what, err)
	}
	if code != "" && !errors.Is(err, &api.Error{Code: code}) {
		t.Errorf("%s: %v; want %s", what, err, code)
	}
}

func TestParseOutput(t *testing.T) {
	out, err := parseOutput("mean:float")
	if err != nil || out.Name != "mean" || out.Type.Kind != value.KindFloat {
		t.Errorf("parseOutput = %v, %v", out, err)
	}
	_, err = parseOutput("mean")
	checkError(t, "no type", err, "", "has no type")
	_, err = parseOutput("mean:flaot")
	checkError(t, "unknown type", err, api.InvalidType, "output mean: ")
}

func TestSurroundings(t *testing.T) {
	network, err := parseNetwork("network", "pypi.org, *.example.com")
	if diff := cmp.Diff(network, api.Network{Allow: []string{"pypi.org", "*.example.com"}}); diff != "" || err != nil {
		t.Errorf("parseNetwork: %v %s", err, diff)
	}
	if network, err := parseNetwork("network", "none"); err != nil || !network.None() {
		t.Errorf("none = %+v, %v", network, err)
	}
	if network, err := parseNetwork("network", "public"); err != nil || !network.Public {
		t.Errorf("public = %+v, %v", network, err)
	}
	for _, bad := range []string{"", "public,pypi.org", "pypi.org,", "none,public"} {
		_, err := parseNetwork("network", bad)
		checkError(t, "network "+bad, err, "", "--network")
	}

	lookup := func(name string) (string, bool) { return "here", name == "HERE" }
	env, err := parseEnv("-e", []string{"A=1", "B=", "C=x=y", "HERE", "A=2"}, lookup)
	if diff := cmp.Diff(env, map[string]string{"A": "2", "B": "", "C": "x=y", "HERE": "here"}); diff != "" || err != nil {
		t.Errorf("parseEnv: %v %s", err, diff)
	}
	for _, bad := range []string{"=x", "ABSENT"} {
		_, err := parseEnv("-e", []string{bad}, lookup)
		checkError(t, "env "+bad, err, "", "-e "+bad)
	}

	secrets, err := parseSecrets([]string{"api-key=API_KEY", "cert"})
	want := []api.SecretRef{{Name: "api-key", Env: "API_KEY"}, {Name: "cert"}}
	if diff := cmp.Diff(secrets, want); diff != "" || err != nil {
		t.Errorf("parseSecrets: %v %s", err, diff)
	}
	secrets, err = parseSecrets([]string{"k=K@a.org, *.b.org:8443,header:X-Key: Bearer {},GET /v1/*", "f@a.org"})
	want = []api.SecretRef{{Name: "k", Env: "K", Hosts: []string{"a.org", "*.b.org:8443"}, Inject: "header:X-Key: Bearer {}", Allow: []string{"GET /v1/*"}}, {Name: "f", Hosts: []string{"a.org"}}}
	if diff := cmp.Diff(secrets, want); diff != "" || err != nil {
		t.Errorf("parseSecrets: %v %s", err, diff)
	}
	secrets, err = parseSecrets([]string{"aws=AWS@*.amazonaws.com,aws-sigv4"})
	want = []api.SecretRef{{Name: "aws", Env: "AWS", Hosts: []string{"*.amazonaws.com"}, Inject: "aws-sigv4"}}
	if diff := cmp.Diff(secrets, want); diff != "" || err != nil {
		t.Errorf("parseSecrets: %v %s", err, diff)
	}
	_, err = parseSecrets([]string{"k=K@header:X: {}"})
	checkError(t, "secret without a host", err, "", "names no host")
	for _, bad := range []string{"=X", "name="} {
		_, err := parseSecrets([]string{bad})
		checkError(t, "secret "+bad, err, "", "incomplete")
	}
}

func TestAnyInputFitsItsType(t *testing.T) {
	types := rapid.SampledFrom([]string{"", ":int", ":float", ":bool", ":bytes", ":datetime", ":timedelta", ":None", ":list[int]", ":dict[str, Any]", ":Optional[int]", ":nonsense"})
	values := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"1", "-1.5", "true", "null", "[1, 2]", `{"$str":1}`, "2024-01-01", "-1 day, 0:00:01", "nan"}))
	reader := (&cli{Streams: Streams{In: strings.NewReader("")}}).readInputs(t.Context())
	rapid.Check(t, func(t *rapid.T) {
		flag := "x" + types.Draw(t, "type") + "=" + values.Draw(t, "value")
		in, err := reader.parseInput(flag, value.Type{Kind: value.KindStr})
		if err != nil {
			return
		}
		got, _ := in.value.Value(in.Name)
		if _, err := value.Normalize(in.Type, got); err != nil && in.Type.Kind != value.KindStr {
			t.Errorf("parseInput(%q) = %v, which is no %s: %v", flag, got, in.Type, err)
		}
	})
}
