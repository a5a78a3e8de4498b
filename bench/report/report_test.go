package report_test

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/bench/report"
)

func TestQuantile(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[len(hundred)-1-i] = float64(i + 1)
	}
	for name, c := range map[string]struct {
		samples []float64
		q, want float64
	}{
		"none":              {nil, 0.5, 0},
		"one":               {[]float64{7}, 0.95, 7},
		"least of two":      {[]float64{9, 3}, 0.5, 3},
		"middle":            {[]float64{5, 1, 9}, 0.5, 5},
		"0":                 {[]float64{5, 1, 9}, 0, 1},
		"1":                 {[]float64{5, 1, 9}, 1, 9},
		"p95 of 100":        {hundred, 0.95, 95},
		"p99 of 100":        {hundred, 0.99, 99},
		"p95 of 3 is worst": {[]float64{5, 1, 9}, 0.95, 9},
	} {
		t.Run(name, func(t *testing.T) {
			before := append([]float64{}, c.samples...)
			if got := report.Quantile(c.samples, c.q); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if diff := cmp.Diff(before, append([]float64{}, c.samples...)); diff != "" {
				t.Errorf("the samples were changed: %s", diff)
			}
		})
	}
}

// found is a report with a row of each sort.
func found() *report.Report {
	g := report.Group{Name: "oneshot", Title: "One run", Rows: []report.Row{
		{Work: "double", Name: "docker run", Unit: report.Milliseconds, Samples: []float64{200, 180, 220}, Against: "docker run"},
		{Work: "double", Name: "warm", Unit: report.Milliseconds, Samples: []float64{2, 1, 9}, Against: "docker run"},
		{Work: "double", Name: "slow", Unit: report.Milliseconds, Samples: []float64{400, 400, 400}, Against: "docker run"},
		{Work: "double", Name: "bwrap", Absent: "not | installed\nhere", Against: "docker run"},
		{Work: "4 at once", Name: "docker run", Unit: report.Milliseconds, Samples: []float64{100, 100}, PerSecond: 10},
		{Work: "4 at once", Name: "warm", Unit: report.Milliseconds, Samples: []float64{90, 110}, PerSecond: 25, Against: "docker run"},
	}}
	g.Finish()
	held := report.Group{Name: "memory", Title: "Memory", Failed: "no <cells> & no \"peers\"", Rows: []report.Row{
		{Work: "idle", Name: "container", Unit: report.Mebibytes, Median: 20},
		{Work: "idle", Name: "cell", Unit: report.Mebibytes, Median: 10, Against: "container"},
	}}
	held.Finish()
	return &report.Report{Rounds: 3, Groups: []report.Group{g, held}}
}

func TestFinish(t *testing.T) {
	r := found()
	for _, c := range []struct {
		group, work, name   string
		median, p95, ratio  float64
		compared, shownText string
	}{
		{"oneshot", "double", "docker run", 200, 220, 0, "", "200 ms"},
		{"oneshot", "double", "warm", 2, 9, 0.01, "0.0100 of docker run (100x faster)", "2.00 ms"},
		{"oneshot", "double", "slow", 400, 400, 2, "2.00x docker run", "400 ms"},
		{"oneshot", "4 at once", "warm", 90, 110, 2.5, "2.50x as many as docker run", "90.0 ms"},
		{"memory", "idle", "cell", 10, 0, 0.5, "0.500 of container (2.00x less)", "10.0 MiB"},
	} {
		row := r.Find(c.group, c.work, c.name)
		if row == nil {
			t.Fatalf("there is no row %s, %s", c.work, c.name)
		}
		if row.Median != c.median || row.P95 != c.p95 || row.Ratio != c.ratio {
			t.Errorf("%s, %s: got %v, %v, %v, want %v, %v, %v", c.work, c.name, row.Median, row.P95, row.Ratio, c.median, c.p95, c.ratio)
		}
		if got := row.Compared(); got != c.compared {
			t.Errorf("%s, %s: compared is %q, want %q", c.work, c.name, got, c.compared)
		}
		if got := row.Unit.Text(row.Median); got != c.shownText {
			t.Errorf("%s, %s: shown as %q, want %q", c.work, c.name, got, c.shownText)
		}
	}
	if row := r.Find("oneshot", "double", "bwrap"); row != nil {
		t.Errorf("an absent row was found: %v", row)
	}
}

func TestP99NeedsManySamples(t *testing.T) {
	for n, want := range map[int]float64{99: 0, 100: 1} {
		g := report.Group{Rows: []report.Row{{Samples: make([]float64, n)}}}
		for i := range g.Rows[0].Samples {
			g.Rows[0].Samples[i] = 1
		}
		g.Finish()
		if got := g.Rows[0].P99; got != want {
			t.Errorf("of %d samples: got %v, want %v", n, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	table := found().Table()
	want := strings.Count(strings.SplitN(table, "\n", 2)[0], "|")
	for line := range strings.Lines(table) {
		if got := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); got != want {
			t.Errorf("%d bars, want %d: %s", got, want, line)
		}
	}
	for _, want := range []string{
		"| double | warm | 3 | 2.00 ms | 9.00 ms |  |  | 0.0100 of docker run (100x faster) |",
		`| double | bwrap | | | | | | absent: not \| installed here |`,
		`| failed | no <cells> & no "peers" |`,
		"| idle | cell |  | 10.0 MiB |  |  |  | 0.500 of container (2.00x less) |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %s\n%s", want, table)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		unit  report.Unit
		value float64
		want  string
	}{
		{report.Milliseconds, 0.00032, "0.320 µs"},
		{report.Milliseconds, 0.0999, "99.9 µs"},
		{report.Milliseconds, 0.1, "0.100 ms"},
		{report.Milliseconds, 1234.5, "1234 ms"},
		{report.Milliseconds, 12_345, "12.3 s"},
		{report.Bytes, 51, "51.0 B"},
		{report.Number, 0.988, "0.988"},
		{report.Number, 1e-9, "0.000000"},
	} {
		if got := c.unit.Text(c.value); got != c.want {
			t.Errorf("%v %s is %q, want %q", c.value, c.unit, got, c.want)
		}
	}
}

func TestGoals(t *testing.T) {
	r := report.Report{Goals: []report.Goal{
		{What: "a", Want: "1", Seen: "0.5", Met: true}, {What: "b", Want: "1", Seen: "2"}, {What: "c", Want: "1"},
	}}
	for _, want := range []string{"| a | 1 | 0.5 | reached |", "| b | 1 | 2 | **missed** |", "| c | 1 |  | not measured |"} {
		if table := r.GoalTable(); !strings.Contains(table, want) {
			t.Errorf("the table lacks %s\n%s", want, table)
		}
	}
}

func TestGroupSurvivesItsFile(t *testing.T) {
	want := found().Groups[0]
	path := filepath.Join(t.TempDir(), "group.json")
	if err := report.WriteGroup(path, &want); err != nil {
		t.Fatal(err)
	}
	got, err := report.ReadGroup(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Error(diff)
	}
}

// bar is what the test wants to know of an element of a picture.
type bar struct {
	XMLName xml.Name
	Class   string  `xml:"class,attr"`
	X       float64 `xml:"x,attr"`
	Y       float64 `xml:"y,attr"`
	Width   float64 `xml:"width,attr"`
	Height  float64 `xml:"height,attr"`
}

// elements reads a picture, which must be well-formed.
func elements(t *testing.T, picture string) (all []bar) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, picture)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "rect" {
			continue
		}
		var b bar
		if err := d.DecodeElement(&b, &start); err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
}

func TestPicture(t *testing.T) {
	r := found()
	ours := func(row report.Row) bool { return row.Name == "warm" }
	picture := report.SVG(`a <title> & "more"`, []report.Panel{{Title: "One <run>", Note: "shorter & better", Rows: r.Groups[0].Rows[:3], Ours: ours}})
	all := elements(t, picture)
	if len(all) != 4 {
		t.Fatalf("%d rectangles, want the ground and three bars", len(all))
	}
	ground, docker, warm, slow := all[0], all[1], all[2], all[3]
	if !(warm.Width < docker.Width && docker.Width < slow.Width) {
		t.Errorf("bars are %v, %v and %v long, want them in the order of 2, 200 and 400", warm.Width, docker.Width, slow.Width)
	}
	if warm.Class != "ours" || docker.Class != "peer" {
		t.Errorf("the bars are of class %s and %s", warm.Class, docker.Class)
	}
	for _, b := range all[1:] {
		if b.Width <= 0 || b.X+b.Width > ground.Width || b.Y+b.Height > ground.Height {
			t.Errorf("%v is not on the ground of %v x %v", b, ground.Width, ground.Height)
		}
	}
	if !strings.Contains(picture, "prefers-color-scheme: dark") {
		t.Error("the picture has no colours for dark pages")
	}
}

// Rows that are all equal, or nothing, have no scale.
func TestPictureOfLittle(t *testing.T) {
	for name, rows := range map[string][]report.Row{
		"none": nil, "one": {{Name: "a", Median: 3}}, "zero": {{Name: "a"}, {Name: "b"}}, "equal": {{Name: "a", Median: 3}, {Name: "b", Median: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			picture := report.SVG("t", []report.Panel{{Rows: rows, Ours: func(report.Row) bool { return false }}})
			if strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf") {
				t.Error(picture)
			}
			if got := len(elements(t, picture)); got != len(rows)+1 {
				t.Errorf("%d rectangles, want %d", got, len(rows)+1)
			}
		})
	}
}
