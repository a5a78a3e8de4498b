package contexts

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// eachRich runs a test by Python and by IPython where both have libraries.
func eachRich(t *testing.T, test func(t *testing.T, c *Context)) {
	python := withIPython(t, "matplotlib", "pandas", "PIL")
	for _, plain := range []bool{true, false} {
		t.Run(fmt.Sprintf("plain=%t", plain), func(t *testing.T) {
			test(t, openWith(t, python, api.ContextSpec{Plain: plain}, Options{}))
		})
	}
}

func mimes(e api.CodeEvent) string {
	return strings.Join(slices.Sorted(maps.Keys(e.Data)), " ")
}

func TestForms(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		for _, step := range []struct{ code, mimes string }{
			{"1", "text/plain"},
			{"[1, {'a': None}]", "application/json text/plain"},
			{"[float('nan')]", "text/plain"},
			{"[object]", "text/plain"},
			{"list(range(1_000_000))", "text/plain"},
			{"display({'text/latex': r'\\text{x}'}, raw=True)", "text/latex"},
			{"display({'image/png': b'abc', 'image/jpeg': 'YWJj\\n', 'text/html': 'x', 'nonsense': 'x', 'text/x': 1}, raw=True)", "image/jpeg image/png text/html"},
			{"class A:\n    def _repr_html_(self): return '<b>'\n    def _repr_markdown_(self): return '*'\n    def _repr_svg_(self): return '<svg/>'\n    def _repr_pdf_(self): return b'%PDF'\nA()",
				"application/pdf image/svg+xml text/html text/markdown text/plain"},
			{"class B:\n    def _repr_json_(self): return {'a': 1}\n    def _repr_javascript_(self): return 'f()'\n    def _repr_latex_(self): return '$x$'\nB()",
				"application/javascript application/json text/latex text/plain"},
			{"class C:\n    def _repr_mimebundle_(self, include=None, exclude=None): return {'text/x-own': 'y', 'application/x+json': {'a': 1}}, {}\nC()",
				"application/x+json text/plain text/x-own"},
			{"A", "text/plain"},
			{"class D:\n    def _repr_html_(self): raise ValueError('broken')\n    def _repr_png_(self): raise NotImplementedError\nD()", "text/plain"},
			{"class E:\n    def __getattr__(self, name): return lambda: 'anything'\nE()", "text/plain"},
		} {
			got := run(t, c, step.code)
			if len(got.results) != 1 || mimes(got.results[0]) != step.mimes || got.failure != nil {
				t.Errorf("%q: %q, %v, stderr %q, want %q", step.code, got.said(), got.failure, got.stderr, step.mimes)
				continue
			}
			if main := !strings.HasPrefix(step.code, "display"); got.results[0].Main != main {
				t.Errorf("%q: main is %t", step.code, !main)
			}
			if broken := strings.Contains(step.code, "broken"); broken != (len(got.stderr) > 0) {
				t.Errorf("%q: stderr %q", step.code, got.stderr)
			}
		}
	})
}

func TestLongTexts(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		if got := run(t, c, "'x' * 10_000_000"); len(form(got.results[0], "text/plain")) > 2<<20 {
			t.Errorf("a result of %d bytes", len(got.results[0].Data["text/plain"]))
		}
		if got := run(t, c, "raise ValueError('x' * 10_000_000)").failure; len(got.Value) > 1<<17 || len(got.Traceback) > 1<<17 {
			t.Errorf("an error of %d and %d bytes", len(got.Value), len(got.Traceback))
		}
		if got := run(t, c, "display({'text/html': 'x', 'application/json': ['y' * 20_000_000]}, raw=True)"); len(got.results) != 0 || !strings.Contains(got.said(), "bytes dropped") {
			t.Errorf("got %.200q", got.said())
		}
		if got := run(t, c, "print('é' * 1_000_000)"); strings.Join(got.stdout, "") != strings.Repeat("é", 1_000_000)+"\n" {
			t.Errorf("%d of stdout", len(got.stdout))
		}
	})
}

func TestFigures(t *testing.T) {
	eachRich(t, func(t *testing.T, c *Context) {
		const figure = "application/vnd.glovebox.chart+json image/png text/plain"
		for _, step := range []struct {
			code string
			want []string // forms of the results
		}{
			{"import matplotlib.pyplot as plt\nplt.plot([1, 2], [3, 4]);", []string{figure}},
			{"plt.plot([1, 2])\nplt.show()\n5", []string{figure, "text/plain"}},
			{"fig, ax = plt.subplots(); ax.plot([1]); fig", []string{figure, figure}},
			{"plt.figure(); None", nil},
			{"1", []string{"text/plain"}},
			{"print('a'); plt.plot([1]); plt.show(); plt.bar(['a'], [1]); plt.show(); print('b')", []string{figure, figure}},
			{"import pandas as pd\nframe = pd.DataFrame({'a': [1, 2]})\nframe.plot()", []string{"text/plain", figure}},
			{"frame.plot(); 1 / 0", []string{figure}},
			{"from PIL import Image\nimage = Image.new('RGB', (4, 4))\nimage.show()", []string{"image/png text/plain"}},
			{"image;", nil},
		} {
			got := run(t, c, step.code)
			var all []string
			for _, r := range got.results {
				all = append(all, strings.Replace(mimes(r), "image/jpeg ", "", 1))
			}
			if !slices.Equal(all, step.want) || len(got.stderr) > 0 {
				t.Errorf("%q: %q, stderr %q, want %q", step.code, all, got.stderr, step.want)
			}
		}
		got := run(t, c, "plt.plot([1, 2])")
		data, err := base64.StdEncoding.DecodeString(form(got.results[1], "image/png"))
		if err != nil {
			t.Fatal(err)
		}
		if picture, err := png.Decode(bytes.NewReader(data)); err != nil || picture.Bounds().Dx() < 300 {
			t.Errorf("the picture: %v", err)
		}
		if got := run(t, c, "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import matplotlib.pyplot as p; p.plot([1]); print(p.get_backend().lower())']);"); joined(got) != "o:agg\n" {
			t.Errorf("a program that it starts: %q", got.said())
		}
	})
}

func TestTable(t *testing.T) {
	eachRich(t, func(t *testing.T, c *Context) {
		got := run(t, c, `import pandas as pd, datetime, decimal
pd.DataFrame({"n": [1, 2], "f": [1.5, None], "s": ["a", None], "d": pd.to_datetime(["2024-01-01", None]), "day": [datetime.date(2024, 1, 2)] * 2, 5: [True, False], "x": [decimal.Decimal("1.10"), [1]]})`)
		var table map[string]any
		if err := json.Unmarshal(got.results[0].Data[api.MIMETable], &table); err != nil {
			t.Fatal(err, got.said())
		}
		want := map[string]any{
			"n": []any{1.0, 2.0}, "f": []any{1.5, nil}, "s": []any{"a", nil}, "d": []any{"2024-01-01T00:00:00", nil},
			"day": []any{"2024-01-02", "2024-01-02"}, "5": []any{true, false}, "x": []any{"1.10", "[1]"},
		}
		if diff := cmp.Diff(want, table); diff != "" {
			t.Error(diff)
		}
		if got := run(t, c, "pd.DataFrame({'a': range(200_000)})"); mimes(got.results[0]) != "text/html text/plain" {
			t.Errorf("a large one has %s", mimes(got.results[0]))
		}
	})
}

// chart is a chart as clients know it.
type chart struct {
	Type     string    `json:"type"`
	Title    *string   `json:"title"`
	XLabel   *string   `json:"x_label"`
	YLabel   *string   `json:"y_label"`
	XUnit    *string   `json:"x_unit"`
	YUnit    *string   `json:"y_unit"`
	XScale   string    `json:"x_scale"`
	YScale   string    `json:"y_scale"`
	XTicks   []any     `json:"x_ticks"`
	XLabels  []string  `json:"x_tick_labels"`
	Elements []element `json:"elements"`
}

type element struct {
	chart
	Label    string   `json:"label"`
	Points   [][2]any `json:"points"`
	Group    string   `json:"group"`
	Value    float64  `json:"value"`
	Angle    float64  `json:"angle"`
	Radius   float64  `json:"radius"`
	Min      float64  `json:"min"`
	First    float64  `json:"first_quartile"`
	Median   float64  `json:"median"`
	Third    float64  `json:"third_quartile"`
	Max      float64  `json:"max"`
	Outliers []any    `json:"outliers"`
}

func text(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

// summary is one line for a chart.
func (c chart) summary() string {
	parts := []string{c.Type, text(c.Title)}
	if c.Type != "pie" && c.Type != "superchart" && c.Type != "unknown" {
		parts = append(parts, text(c.XLabel), text(c.XUnit), text(c.YLabel), text(c.YUnit))
	}
	if c.XScale != "" {
		parts = append(parts, c.XScale, c.YScale)
	}
	for _, e := range c.Elements {
		switch c.Type {
		case "superchart":
			parts = append(parts, "{"+e.summary()+"}")
		case "line", "scatter":
			parts = append(parts, fmt.Sprintf("%s%v", e.Label, e.Points))
		case "bar":
			parts = append(parts, fmt.Sprintf("%s/%s=%v", e.Label, e.Group, e.Value))
		case "pie":
			parts = append(parts, fmt.Sprintf("%s:%v/%v", e.Label, e.Angle, e.Radius))
		case "box_and_whisker":
			parts = append(parts, fmt.Sprintf("%s:%v-%v-%v-%v-%v%v", e.Label, e.Min, e.First, e.Median, e.Third, e.Max, e.Outliers))
		}
	}
	return strings.Join(parts, " | ")
}

func TestCharts(t *testing.T) {
	eachRich(t, func(t *testing.T, c *Context) {
		if got := run(t, c, "import matplotlib.pyplot as plt, numpy as np, pandas as pd, datetime"); got.failure != nil {
			t.Fatal(got.said())
		}
		for _, step := range []struct{ code, want string }{
			{"plt.plot([1, 2], [3, 4.5], label='a'); plt.plot([1, 2], [5, None]); plt.xlabel('Time (s)'); plt.ylabel('Amplitude [Hz]'); plt.title('T')",
				"line | T | Time (s) | s | Amplitude [Hz] | Hz | linear | linear | a[[1 3] [2 4.5]] | [[1 5] [2 <nil>]]"},
			{"plt.plot([1, 2], [1, 10]); plt.yscale('log'); plt.ylabel('Y (log scale)'); plt.axhline(3)",
				"line | - | - | - | Y (log scale) | log scale | linear | log | [[1 1] [2 10]]"},
			{"plt.plot([datetime.date(2023, 9, 1), datetime.date(2023, 9, 2)], [1, 2])",
				"line | - | - | - | - | - | datetime | linear | [[2023-09-01 1] [2023-09-02 2]]"},
			{"plt.plot([1, 2], ['A', 'B'])", "line | - | - | - | - | - | linear | categorical | [[1 A] [2 B]]"},
			{"plt.scatter([1, 2], [3, 4], label='d')", "scatter | - | - | - | - | - | linear | linear | d[[1 3] [2 4]]"},
			{"plt.scatter([datetime.datetime(2024, 1, 1, 12)], ['A'])", "scatter | - | - | - | - | - | datetime | categorical | [[2024-01-01T12:00:00+00:00 A]]"},
			{"plt.bar(['a', 'b'], [1, 2], label='g'); plt.tight_layout()", "bar | - | - | - | - | - | a/g=1 | b/g=2"},
			{"plt.barh(['a', 'b'], [1, 2])", "bar | - | - | - | - | - | a/=1 | b/=2"},
			{"x = np.arange(2); plt.bar(x - .2, [1, 2], .4, label='m'); plt.bar(x + .2, [3, 4], .4, label='w'); plt.xticks(x, ['a', 'b'])",
				"bar | - | - | - | - | - | a/m=1 | b/m=2 | a/w=3 | b/w=4"},
			{"plt.pie([90, 10], labels=['No', 'Yes, in blue'], autopct='%1.1f%%', startangle=90); plt.title('P')", "pie | P | No:324/1 | Yes, in blue:36/1"},
			{"fig, ax = plt.subplots(); ax.boxplot([[85, 90, 78, 92, 88], [95, 89, 76, 91, 84, 87]], patch_artist=True); ax.set_xticklabels(['A', 'B'])",
				"box_and_whisker | - | - | - | - | - | A:78-85-88-90-92[] | B:84-84.75-88-90.5-95[76]"},
			{"fig, (a, b) = plt.subplots(1, 2); fig.suptitle('S'); a.plot([1], [2]); a.set_title('L'); b.scatter([3], [4])",
				"superchart | S | {line | L | - | - | - | - | linear | linear | [[1 2]]} | {scatter | - | - | - | - | - | linear | linear | [[3 4]]}"},
			{"plt.imshow([[1, 2]]); plt.colorbar(); plt.title('I')", "unknown | I"},
			{"fig, ax = plt.subplots(); ax.add_artist(plt.Circle((0, 0), 1)); plt.title('C')", "unknown | C"},
			{"pd.DataFrame({'v': [1, 2]}, index=pd.date_range('2024-01-01', periods=2)).plot()", "line | - | - | - | - | - | datetime | linear | v[[2024-01-01T00:00:00 1] [2024-01-02T00:00:00 2]]"},
			{"pd.DataFrame({'k': ['a', 'b'], 'v': [1, 2]}).plot.bar(x='k')", "bar | - | k | - | - | - | a/v=1 | b/v=2"},
			{"plt.hist([1, 1, 2], bins=2)", "bar | - | - | - | - | - | 1.25/=2 | 1.75/=1"},
		} {
			got := run(t, c, step.code+"\nNone")
			if len(got.results) != 1 || got.results[0].Data[api.MIMEChart] == nil {
				t.Errorf("%q: %q %v %s", step.code, got.said(), got.failure, got.stderr)
				continue
			}
			var found chart
			if err := json.Unmarshal(got.results[0].Data[api.MIMEChart], &found); err != nil {
				t.Errorf("%q: %v", step.code, err)
			}
			if found.summary() != step.want || len(got.stderr) > 0 {
				t.Errorf("%q:\n got %q\nwant %q\nstderr %q", step.code, found.summary(), step.want, got.stderr)
			}
		}
	})
}

func TestTicksOfCharts(t *testing.T) {
	eachRich(t, func(t *testing.T, c *Context) {
		got := run(t, c, "import matplotlib.pyplot as plt, datetime\nplt.plot([datetime.date(2023, 9, 1), datetime.date(2023, 9, 5)], [1, 2]); plt.show()")
		var found chart
		if err := json.Unmarshal(got.results[0].Data[api.MIMEChart], &found); err != nil {
			t.Fatal(err)
		}
		if len(found.XTicks) == 0 || len(found.XTicks) != len(found.XLabels) || found.XTicks[0] != "2023-09-01T00:00:00+00:00" || !strings.Contains(found.XLabels[0], "09-01") {
			t.Errorf("ticks %v, labels %q", found.XTicks, found.XLabels)
		}
	})
}

func TestMagics(t *testing.T) {
	c := openWith(t, withIPython(t), api.ContextSpec{}, Options{})
	for _, step := range []struct{ code, want string }{
		{"!echo hi >&2\n!echo there", "e:hi\n|o:there\n"},
		{"lines = !printf 'a\\nb'\nlines", "r:['a', 'b']"},
		{"%%bash\necho from bash", "o:from bash\n"},
		{"%cd -q /\n!pwd", "o:/\n"},
		{"%env FOO=bar\nimport os; os.environ['FOO']", "o:env: FOO=bar\n|r:'bar'"},
		{"%matplotlib inline", ""},
		{"%nothing", "!:UsageError: Line magic function `%nothing` not found."},
		{"%%capture got\nprint('a'); 5", ""},
		{"got.stdout", "r:'a\\n'"},
		{"_ + 'b'", "r:'a\\nb'"},
		{"Out[9]", "r:'a\\n'"},
		{"exit()", ""},
		{"from IPython.display import HTML, display, clear_output\nclear_output()\nh = display(HTML('<b>'), display_id=True); h.update(HTML('<i>'))", "r:<IPython.core.display.HTML object>|r:<IPython.core.display.HTML object>"},
		{"1;", ""},
		{"get_ipython().ast_node_interactivity = 'all'", ""},
		{"1\n2", "r:1|r:2"},
		{"len?", ""},
	} {
		got := run(t, c, step.code)
		if step.code == "len?" {
			if len(got.results) != 1 || !strings.Contains(got.said(), "Return the number of items") {
				t.Errorf("%q: %q", step.code, got.said())
			}
			continue
		}
		if joined(got) != step.want {
			t.Errorf("%q: got %q, want %q", step.code, joined(got), step.want)
		}
	}
}
