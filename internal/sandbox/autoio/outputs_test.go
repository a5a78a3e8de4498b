package autoio_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// runnerJob is what the runner reads; outputs_dir is for tests alone, which
// have no /var/outputs.
type runnerJob struct {
	Verbatim     bool          `json:"verbatim"`
	File         string        `json:"file"`
	SourcePath   string        `json:"source_path"`
	Environ      []string      `json:"env"`
	Stdin        string        `json:"stdin"`
	Dir          string        `json:"dir"`
	Argv         []string      `json:"argv"`
	OriginalArgv []string      `json:"orig_argv"`
	Inputs       []runnerInput `json:"inputs"`
	Outputs      []value.Param `json:"outputs"`
	ResultPath   string        `json:"result_path"`
	OutputsDir   string        `json:"outputs_dir"`
	Linger       bool          `json:"linger"`
	SourceBytes  int           `json:"source_bytes"`
}

type runnerInput struct {
	Name  string          `json:"name"`
	Type  value.Type      `json:"type"`
	Value json.RawMessage `json:"value"`
}

type runnerResult struct {
	OK          bool                       `json:"ok"`
	Outputs     map[string]json.RawMessage `json:"outputs"`
	FileOutputs []string                   `json:"file_outputs"`
	Error       runnerError                `json:"error"`

	found, piped   bool
	exit           int
	stdout, stderr string
	dir            string
}

type runnerError struct {
	Kind, Type, Message, Traceback, Name, Expected, Got string
	Frames                                              []api.Frame
}

// runRunner starts the runner on code with the Python of the host.
func runRunner(t *testing.T, code string, inputs []runnerInput, outputs ...value.Param) runnerResult {
	t.Helper()
	return runRunnerIn(t, t.TempDir(), code, inputs, outputs...)
}

// runRunnerIn does so in a directory that may hold something.
func runRunnerIn(t *testing.T, dir, code string, inputs []runnerInput, outputs ...value.Param) runnerResult {
	t.Helper()
	job := runnerJob{
		File: "etl.py", SourcePath: filepath.Join(dir, ".etl.py"), Inputs: append([]runnerInput{}, inputs...), Outputs: append([]value.Param{}, outputs...),
		ResultPath: filepath.Join(dir, "result.json"), OutputsDir: dir,
		Environ: os.Environ(), Dir: dir, Argv: []string{"etl.py"}, OriginalArgv: []string{filepath.Join(dir, ".etl.py")},
	}
	writeFile(t, job.SourcePath, []byte(code))
	i := startInterpreter(t, dir, "run")
	i.send(t, job, code)
	return readResult(t, i, job.ResultPath)
}

// readResult takes the result from the pipe, else from the file.
func readResult(t *testing.T, i *interpreter, path string) runnerResult {
	t.Helper()
	r := runnerResult{dir: filepath.Dir(path)}
	r.stdout, r.stderr, r.exit = i.wait(t)
	r.piped = i.control.Len() > 1
	text := i.control.Bytes()
	text = text[bytes.LastIndexByte(text, '\n')+1:]
	if !r.piped {
		var err error
		if text, err = os.ReadFile(path); errors.Is(err, os.ErrNotExist) {
			return r
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("the result is not JSON: %v: %.500s", err, text)
	}
	r.found = true
	return r
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func param(name, spelling string) value.Param {
	return value.Param{Name: name, Type: value.MustType(spelling)}
}

// TestRunnerRoundTrip sends values of every type through the runner and
// compares what comes back. One start of Python carries them all.
func TestRunnerRoundTrip(t *testing.T) {
	type typed struct {
		typ  value.Type
		json []byte
	}
	values := rapid.Custom(func(t *rapid.T) typed {
		typ := drawType(t, 3)
		text, err := value.EncodeJSON(typ, drawValue(t, typ))
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		return typed{typ, text}
	})
	var code strings.Builder
	var sent []runnerInput
	var outputs []value.Param
	for seed := range 600 {
		v := values.Example(seed)
		in, out := fmt.Sprintf("in%d", seed), fmt.Sprintf("out%d", seed)
		fmt.Fprintf(&code, "%s = %s\n", out, in)
		sent = append(sent, runnerInput{in, v.typ, v.json})
		outputs = append(outputs, value.Param{Name: out, Type: v.typ})
	}
	r := runRunner(t, code.String(), sent, outputs...)
	if !r.OK {
		t.Fatalf("%+v\n%s", r.Error, r.stderr)
	}
	for i, p := range outputs {
		v, err := value.DecodeJSON(p.Type, r.Outputs[p.Name])
		if err != nil {
			t.Errorf("%s: %v in %s", p.Type, err, r.Outputs[p.Name])
			continue
		}
		if back, err := value.EncodeJSON(p.Type, v); err != nil || !bytes.Equal(back, sent[i].Value) {
			t.Errorf("%s: %s came back as %s, %v", p.Type, sent[i].Value, back, err)
		}
	}
}

func drawType(t *rapid.T, depth int) value.Type {
	kinds := []value.Kind{
		value.KindInt, value.KindFloat, value.KindStr, value.KindBool, value.KindBytes, value.KindDateTime, value.KindTimedelta, value.KindNone,
		value.KindDate, value.KindTime, value.KindDecimal, value.KindUUID, value.KindAny, value.KindList, value.KindSet, value.KindDict, value.KindTuple, value.KindUnion, "Optional", "tuple of any length",
	}
	if depth == 0 {
		kinds = kinds[:13]
	}
	switch k := rapid.SampledFrom(kinds).Draw(t, "kind"); k {
	case value.KindList:
		return value.ListOf(drawType(t, depth-1))
	case value.KindSet:
		return value.SetOf(value.Type{Kind: rapid.SampledFrom(kinds[:12]).Draw(t, "item")})
	case value.KindDict:
		keys := []value.Kind{value.KindStr, value.KindStr, value.KindInt, value.KindBool, value.KindDate}
		return value.DictBy(rapid.SampledFrom(keys).Draw(t, "keys"), drawType(t, depth-1))
	case value.KindTuple:
		return value.TupleOf(drawType(t, depth-1), drawType(t, depth-1))
	case value.KindUnion:
		return value.UnionOf(drawType(t, depth-1), drawType(t, depth-1))
	case "Optional":
		return value.OptionalOf(drawType(t, depth-1))
	case "tuple of any length":
		return value.TupleOfAny(drawType(t, depth-1))
	default:
		return value.Type{Kind: k}
	}
}

func drawValue(t *rapid.T, typ value.Type) any {
	switch typ.Kind {
	case value.KindUnion:
		return drawValue(t, rapid.SampledFrom(typ.Args).Draw(t, "member"))
	case value.KindAny:
		return drawValue(t, drawType(t, 2))
	case value.KindList:
		return drawItems(t, typ.Args[0])
	case value.KindSet:
		return value.Set(drawItems(t, typ.Args[0]))
	case value.KindDict:
		keys := typ.Args[0].Kind
		d := value.NewDictBy(keys)
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			if keys != value.KindStr {
				key, _ := value.Normalize(typ.Args[0], drawScalar(t, keys))
				d.Set(value.KeyText(key), drawValue(t, typ.Args[1]))
				continue
			}
			d.Set(rapid.SampledFrom([]string{"", "a", "$tuple", "$x", "\xed\xa0\x80", "ключ"}).Draw(t, "key"), drawValue(t, typ.Args[1]))
		}
		return d
	case value.KindTuple:
		if typ.Args[1].Kind == value.KindEllipsis {
			return value.Tuple(drawItems(t, typ.Args[0]))
		}
		return value.Tuple{drawValue(t, typ.Args[0]), drawValue(t, typ.Args[1])}
	}
	return drawScalar(t, typ.Kind)
}

func drawItems(t *rapid.T, elem value.Type) []any {
	items := []any{}
	for range rapid.IntRange(0, 3).Draw(t, "length") {
		items = append(items, drawValue(t, elem))
	}
	return items
}

func drawScalar(t *rapid.T, k value.Kind) any {
	switch k {
	case value.KindInt:
		n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "int"))
		if rapid.Bool().Draw(t, "negative") {
			n.Neg(n)
		}
		return n
	case value.KindFloat:
		special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1e16, 1e100, 5e-324}
		return rapid.OneOf(rapid.Float64(), rapid.SampledFrom(special)).Draw(t, "float")
	case value.KindStr:
		parts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\xed\xa0\xbd", "\xed\xb8\x80", "😀", "\x00\n\"\\"}))
		return strings.Join(rapid.SliceOfN(parts, 0, 4).Draw(t, "str"), "")
	case value.KindBool:
		return rapid.Bool().Draw(t, "bool")
	case value.KindBytes:
		return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	case value.KindDateTime:
		wall := time.Date(rapid.IntRange(1, 9999).Draw(t, "year"), 12, 31, 23, 59, 59, rapid.IntRange(0, 999_999).Draw(t, "micros")*1000, time.UTC)
		offset := time.Duration(rapid.Int64Range(-86400*1e6+1, 86400*1e6-1).Draw(t, "offset")) * time.Microsecond
		return rapid.SampledFrom([]value.DateTime{{Wall: wall}, {Wall: wall, Aware: true}, {Wall: wall, Aware: true, Offset: offset}}).Draw(t, "datetime")
	case value.KindTimedelta:
		return value.Timedelta{
			Days:    rapid.IntRange(-999_999_999, 999_999_999).Draw(t, "days"),
			Seconds: rapid.IntRange(0, 86399).Draw(t, "seconds"), Microseconds: rapid.IntRange(0, 999_999).Draw(t, "micros"),
		}
	}
	return nil
}

func TestRunnerLargeInputs(t *testing.T) {
	times := 300_000
	if testing.Short() {
		times = 10_000
	}
	long := strings.Repeat("it's \"quoted\" $(x) `y` --z 😀\x00\n", times)
	text, err := value.EncodeJSON(value.MustType("str"), long)
	if err != nil {
		t.Fatal(err)
	}
	huge := "1" + strings.Repeat("0", 90_000)
	r := runRunner(t, "s2, n2 = s, n", []runnerInput{
		{"s", value.MustType("str"), text}, {"n", value.MustType("int"), []byte(huge)},
	}, param("s2", "str"), param("n2", "int"))
	if !r.OK {
		t.Fatalf("%.500s %.500s", fmt.Sprint(r.Error), r.stderr)
	}
	if back, err := value.DecodeJSON(value.MustType("str"), r.Outputs["s2"]); err != nil || back != long {
		t.Errorf("a str of %d bytes did not come back the same, %v", len(long), err)
	}
	if string(r.Outputs["n2"]) != huge {
		t.Errorf("an int of %d digits came back as %.50s", len(huge), r.Outputs["n2"])
	}
}

func TestRunnerOutputs(t *testing.T) {
	for _, c := range []struct{ name, code, typ, want string }{
		{"int as float", "out = 1", "float", "1.0"},
		{"list as tuple", "out = [1, [2, 3]]", "tuple[float, tuple[int, ...]]", "[1.0,[2,3]]"},
		{"enum", "import enum\nclass E(enum.IntEnum):\n    a = 3\nout = E.a", "int", "3"},
		{"str of another class", "class S(str):\n    def encode(self, *a): return 1\n    def __str__(self): return 'no'\nout = S('yes')", "str", `"yes"`},
		{"scalar of numpy", "class N:\n    ndim = 0\n    def item(self): return 5\nout = N()", "int", "5"},
		{"scalar of numpy in Any", "class N:\n    ndim = 0\n    def item(self): return float('inf')\nout = [N()]", "Any", `[{"$float":"Infinity"}]`},
		{"bytearray", "out = bytearray(b'a')", "bytes", `"YQ=="`},
		{"whole code indented", "    x = '''a\n    b'''\n\n    if True:\n        out = x", "str", `"a\nb"`},
		{"byte order mark", "\ufeffout = 1", "int", "1"},
		{"future import", "from __future__ import annotations\ndef f(x: nope): pass\nout = 1", "int", "1"},
		{"main module", "import __main__, sys, pickle, dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n" +
			"out = [__name__, sys.argv[0], __file__[-6:], pickle.loads(pickle.dumps(P(1))).x, __main__.P is P]", "Any", `["__main__","etl.py","etl.py",1,true]`},
		{"own modules", "open('mine.py', 'w').write('x = 7')\nimport mine\nout = mine.x", "int", "7"},
		{"source for inspect", "import inspect\ndef f():\n    return 1\nout = inspect.getsource(f)", "str", `"def f():\n    return 1\n"`},
		{"source for traceback", "import traceback\ntry:\n    1 / 0\nexcept Exception:\n    out = traceback.format_exc().splitlines()[1:3]", "Any", `["  File \"etl.py\", line 3, in <module>","    1 / 0"]`},
		{"processes", "import multiprocessing as m\ndef f(n): return n * n\nif __name__ == '__main__':\n    out = []\n    for way in ('fork', 'spawn'):\n        with m.get_context(way).Pool(1) as p: out += p.map(f, [3])", "list[int]", "[9,9]"},
		{"path in a union", "out = '/a'", "Union[File, int]", `{"$file":{"path":"/a"}}`},
		{"end by exit", "import sys\nout = 1\nsys.exit(0)", "int", "1"},
		{"end by exit of nothing", "out = 1\nraise SystemExit", "int", "1"},
		{"aware", "import datetime as d\nout = d.datetime(2024, 1, 1, tzinfo=d.timezone(d.timedelta(hours=-5)))", "datetime", `"2024-01-01T00:00:00-05:00"`},
		{"fold of a zone", "import datetime as d\nclass Z(d.tzinfo):\n    def utcoffset(self, dt): return d.timedelta(hours=2 - dt.fold)\n" +
			"out = [d.datetime(2024, 10, 27, 2, 30, tzinfo=Z(), fold=n) for n in (0, 1)]", "list[datetime]", `["2024-10-27T02:30:00+02:00","2024-10-27T02:30:00+01:00"]`},
		{"order of a dict", "out = {'z': 1, 'a': 2}", "dict[str, int]", `{"z":1,"a":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			skipWhenShort(t, c.name, "int as float", "main module", "order of a dict")
			r := runRunner(t, c.code, nil, param("out", c.typ))
			if !r.OK || r.exit != 0 || string(r.Outputs["out"]) != c.want {
				t.Errorf("got %s, exit %d, %+v\n%s\nwant %s", r.Outputs["out"], r.exit, r.Error, r.stderr, c.want)
			}
		})
	}
}

func TestRunnerBadOutputs(t *testing.T) {
	for _, c := range []struct{ name, code, typ, expected, got string }{
		{"str for int", "out = 'abc'", "int", "int", `str "abc"`},
		{"bool for int", "out = True", "int", "int", "bool True"},
		{"int for bool", "out = 1", "bool", "bool", "int 1"},
		{"None", "out = None", "str", "str", "None"},
		{"set for list", "out = {1}", "list[int]", "list[int]", "set of length 1"},
		{"tuple for list", "out = (1,)", "list[int]", "list[int]", "tuple of length 1"},
		{"short tuple", "out = (1,)", "tuple[int, int]", "tuple[int, int]", "tuple of length 1"},
		{"short list for tuple", "out = [1]", "tuple[int, int]", "tuple[int, int]", "list of length 1"},
		{"deep inside", "out = [{'x': 1}, {'x': [1]}]", "list[dict[str, int]]", "int", "list of length 1 at out[1].x"},
		{"key", "out = {1: 2}", "dict[str, int]", "dict with str keys", "key int 1"},
		{"cycle", "out = []\nout.append(out)", "Any", "at most 200 nested containers", "a deeper one"},
		{"huge int", "out = 10 ** 200000", "int", "int of at most 332192 bits", "int of 664386 bits"},
		{"int between floats", "out = [2**53, 2**53 + 1]", "list[float]", "float", "int 9007199254740993, which is beyond 2^53, and no float is exactly that; use int, or round it with float(x) first at out[1]"},
		{"int beyond float", "out = 10 ** 400", "float", "float", "int of 1329 bits, which is out of its range"},
		{"long str", "out = 'x' * 10**6", "int", "int", `str "` + strings.Repeat("x", 60) + `"...`},
		{"class of the user", "class C:\n    def __repr__(self): raise Exception\nout = C()", "Any", "Any", "C"},
		{"class of a package", "import fractions\nout = fractions.Fraction(1)", "float", "float", "fractions.Fraction"},
		{"class that lies", "class C:\n    __class__ = int\nout = C()", "int", "int", "C"},
		{"hostile item", "class C:\n    ndim = 0\n    def item(self): raise SystemExit(0)\nout = C()", "int", "int", "C, which cannot be read: SystemExit: 0"},
		{"hostile dict", "class D(dict):\n    def items(self): raise KeyError('no')\nout = D()", "dict", "dict[str, Any]", "D of length 0, which cannot be read: KeyError: 'no'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			skipWhenShort(t, c.name, "str for int", "deep inside")
			r := runRunner(t, c.code, nil, param("out", c.typ))
			e := r.Error
			if r.OK || e.Kind != "bad_output" || e.Name != "out" || e.Expected != c.expected || !strings.HasPrefix(e.Got, c.got) || r.exit != 1 {
				t.Errorf("exit %d, %+v\n%s\nwant expected %q, got %q", r.exit, e, r.stderr, c.expected, c.got)
			}
		})
	}
}

func TestRunnerMissingOutput(t *testing.T) {
	r := runRunner(t, "other = 1", nil, param("f", "File"), param("out", "int"))
	if r.Error.Kind != "missing_output" || r.Error.Name != "out" || r.exit != 1 {
		t.Errorf("exit %d, %+v", r.exit, r.Error)
	}
}

func TestRunnerFileOutputs(t *testing.T) {
	code := "class Frame:\n    def to_parquet(self, where): open(where, 'w').write('PAR1')\ntable = Frame()\npath = f"
	in := []runnerInput{{"f", value.MustType("File"), []byte(`"/var/inputs/f"`)}, {"g", value.MustType("list[File]"), []byte(`[{"path":"/g"}]`)}}
	r := runRunner(t, code+" + g[0]", in, param("table", "DataFrame"), param("path", "str"), param("d", "Dir"))
	if !r.OK || string(r.Outputs["path"]) != `"/var/inputs/f/g"` || strings.Join(r.FileOutputs, " ") != "table d" {
		t.Fatalf("%+v", r)
	}
	if text, err := os.ReadFile(filepath.Join(r.dir, "table")); err != nil || string(text) != "PAR1" {
		t.Errorf("the table was written as %q, %v", text, err)
	}
}

// TestRunnerListedFiles checks where the files go that a variable lists: %s is
// the directory of outputs.
func TestRunnerListedFiles(t *testing.T) {
	setUp := "import os, pathlib\nbase = os.path.dirname(__file__)\nos.makedirs(base + '/d/e')\n" +
		"for n in ('a', 'd/b', 'd/e/c'): open(base + '/' + n, 'w').write(n)\nos.symlink('/etc/passwd', base + '/link')\n"
	for _, c := range []struct {
		name, code, typ string
		result          string // the value in the result
		staged          string // the files, as name=content
		bad             string // what the error says instead
	}{
		{"list", "out = [base + '/a', pathlib.Path(base, 'd/b'), base + '/d//../a']", "list[File]",
			`[{"path":"%s/a"},{"path":"%s/d/b"},{"path":"%s/d//../a"}]`, "0=a 1=d/b 2=a", ""},
		{"dict", "out = {'x y': base + '/a'}", "dict[str, File]", `{"x y":{"path":"%s/a"}}`, "0=a", ""},
		{"trees", "out = (base + '/d', base + '/d')", "tuple[Dir, ...]", `[{"path":"%s/d"},{"path":"%s/d"}]`, "0/b=d/b 0/e/c=d/e/c 1/b=d/b 1/e/c=d/e/c", ""},
		{"none", "out = []", "list[File]", "[]", "", ""},
		{"None", "out = None", "Optional[list[File]]", "null", "", ""},
		{"elsewhere", "out = [base + '/a', '/etc/passwd']", "list[File]", "", "", `output out[1]: expected a path below %s/, got "/etc/passwd"`},
		{"upwards", "out = {'k': base + '/../x'}", "dict[str, File]", "", "", "output out.k: expected a path below %s/"},
		{"relative", "out = ['a']", "list[File]", "", "", "output out[0]: expected a path below %s/, got \"a\""},
		{"the directory", "out = [base]", "list[Dir]", "", "", "output out[0]: expected a path below %s/"},
		{"missing", "out = [base + '/nope']", "list[File]", "", "", "which is not there"},
		{"NUL", "out = [base + '/\\0']", "list[File]", "", "", "cannot be taken: ValueError"},
		{"not a path", "out = [5]", "list[File]", "", "", "output out[0]: expected File, got int 5"},
		{"in the way", "out = [base + '/a']; os.symlink('/tmp', base + '/.glovebox.out')", "list[File]", "", "", "cannot be taken: FileExistsError"},
		{"hostile list", "class L(list):\n    def __iter__(self): raise SystemExit\nout = L([base + '/a'])", "list[File]", `[{"path":"%s/a"}]`, "0=a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			skipWhenShort(t, c.name, "list", "trees", "elsewhere")
			r := runRunner(t, setUp+c.code, nil, param("out", c.typ))
			here := func(s string) string { return strings.ReplaceAll(s, "%s", r.dir) }
			if c.bad != "" {
				if r.Error.Kind != "bad_output" || !strings.Contains(r.Error.Message, here(c.bad)) {
					t.Errorf("%+v\n%s\nwant %s", r.Error, r.stderr, here(c.bad))
				}
				return
			}
			if !r.OK || string(r.Outputs["out"]) != here(c.result) {
				t.Fatalf("got %s, %+v\n%s", r.Outputs["out"], r.Error, r.stderr)
			}
			if got := filesBelow(t, filepath.Join(r.dir, ".glovebox.out")); got != c.staged {
				t.Errorf("staged %s, want %s", got, c.staged)
			}
		})
	}
}

func filesBelow(t *testing.T, dir string) string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		found = append(found, strings.TrimPrefix(path, dir+"/")+"="+string(text))
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Join(found, " ")
}

// A link stays a link, for the host to refuse it.
// Code may await outside of functions, as in a notebook.
func TestRunnerAwaits(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "asyncio.py"), []byte("1 / 0")) // not what runs the code
	code := `
    import sys
    sleep = sys.modules['asyncio'].sleep
    async def double(n):
        await sleep(0)
        return 2 * n
    async def numbers():
        yield 1
        yield 2
    class Held:
        async def __aenter__(self): return 'held'
        async def __aexit__(self, *how): await sleep(0)
    async with Held() as held:
        pass
    out = [await double(x), [n async for n in numbers()], held, __name__]
    print('done')
    if x > 100: await nothing
    `
	x := runnerInput{Name: "x", Type: value.MustType("int"), Value: json.RawMessage("21")}
	r := runRunnerIn(t, dir, code, []runnerInput{x}, param("out", "list[Any]"))
	if want := `[42,[1,2],"held","__main__"]`; !r.OK || string(r.Outputs["out"]) != want || r.stdout != "done\n" || r.stderr != "" {
		t.Errorf("%s, %+v, want %s\n%s%s", r.Outputs["out"], r.Error, want, r.stdout, r.stderr)
	}
}

func TestRunnerListedLink(t *testing.T) {
	r := runRunner(t, "import os\nlink = os.path.dirname(__file__) + '/link'\nos.symlink('/etc/passwd', link)\nout = [link]", nil, param("out", "list[File]"))
	if info, err := os.Lstat(filepath.Join(r.dir, ".glovebox.out", "0")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("%v, %v, %+v", info, err, r.Error)
	}
}

func TestRunnerUnlistedFiles(t *testing.T) {
	r := runRunner(t, "class Frame:\n    def to_parquet(self, where): open(where, 'w').write('PAR1')\ntable = Frame()", nil,
		param("files", "list[File]"), param("maybe", "Optional[Dir]"), param("table", "Optional[DataFrame]"), param("more", "Optional[dict[str, File]]"))
	if got := strings.Join(r.FileOutputs, " "); !r.OK || got != "files maybe table more" {
		t.Errorf("%s, %+v", got, r.Error)
	}
	if text, err := os.ReadFile(filepath.Join(r.dir, "table")); err != nil || string(text) != "PAR1" {
		t.Errorf("the table was written as %q, %v", text, err)
	}
}
