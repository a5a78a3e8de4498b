package codegen

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

//go:embed describe.py
var describeProgram string

// maxContext bounds what a model hears of all samples, in bytes.
const maxContext = 64 << 10

// description is what describe.py says of a sample.
type description struct {
	Name       string     `json:"name"`
	Form       string     `json:"form"`
	Kind       string     `json:"kind"`
	Rows       int        `json:"rows"`
	More       bool       `json:"more"`
	Columns    []column   `json:"columns"`
	Duplicates int        `json:"duplicates"`
	ID         string     `json:"id"`
	Sample     [][]string `json:"sample"`
	Lines      []string   `json:"lines"`
}

type column struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Nullable bool     `json:"nullable"`
	Nulls    int      `json:"nulls"`
	Unique   int      `json:"unique"`
	Min      any      `json:"min"`
	Max      any      `json:"max"`
	Mean     *float64 `json:"mean"`
	Median   *float64 `json:"median"`
	Top      [][2]any `json:"top"`
}

// describe has a cell describe the samples. What the mode keeps from the model does
// not leave that cell.
func (g *generation) describe(ctx context.Context) error {
	if len(g.samples) == 0 {
		return nil
	}
	g.progress("samples", "describing the samples")
	task, inputs, err := g.describing()
	if err != nil {
		return err
	}
	c := &call{task: task, inputs: inputs}
	if err := g.calls.all(ctx, c); err != nil {
		return err
	}
	if c.answer.Err != nil {
		return c.answer.Err
	}
	text, _ := c.answer.Value.(string)
	var all []description
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return api.Errorf(api.BadOutput, "the samples have no description: %w", err)
	}
	var parts []string
	for i := range all {
		parts = append(parts, all[i].text())
		if all[i].Kind == "table" {
			g.schemas[all[i].Name] = all[i].schema()
		}
	}
	g.context = value.Shorten(strings.Join(parts, "\n\n"), maxContext)
	return nil
}

// describing is the call that describes the samples. Its inputs have names of their
// own: those of samples may be no names of variables.
func (g *generation) describing() (*api.Task, map[string]any, error) {
	type sample struct {
		Name  string `json:"name"`
		Input string `json:"input"`
		Form  string `json:"form"`
	}
	request := struct {
		Samples []sample        `json:"samples"`
		Mode    api.SamplesMode `json:"mode"`
		Rows    int             `json:"rows"`
	}{Mode: cmp.Or(g.spec.Samples, api.SampleRows), Rows: cmp.Or(g.spec.SampleRows, api.DefaultSampleRows)}
	task := g.inCell("samples", describeProgram, "description", text("request"))
	inputs := map[string]any{}
	for i, name := range g.samples {
		file, _ := g.req.Inputs.Value(name)
		ref, _ := value.RefOf(file)
		form := strings.ToLower(path.Ext(ref.Path))
		input := fmt.Sprintf("sample_%d", i+1)
		request.Samples = append(request.Samples, sample{name, input, form})
		task.Signature.Inputs = append(task.Signature.Inputs, value.Param{Name: input, Type: value.Type{Kind: value.KindFile}})
		task.Image.Packages = append(task.Image.Packages, readers[form]...)
		inputs[input] = file
	}
	slices.Sort(task.Image.Packages)
	task.Image.Packages = slices.Compact(task.Image.Packages)
	encoded, err := json.Marshal(request)
	if err != nil {
		return nil, nil, api.Errorf(api.Internal, "describe the samples: %w", err)
	}
	inputs["request"] = string(encoded)
	return task, inputs, nil
}

// readers are the packages that read files which the standard library does not.
var readers = map[string][]string{
	".parquet": {"pandas", "pyarrow"}, ".pq": {"pandas", "pyarrow"}, ".xlsx": {"openpyxl", "pandas"}, ".xls": {"pandas", "xlrd"},
}

// text is what the model hears of a sample.
func (d *description) text() string {
	var b strings.Builder
	count := fmt.Sprint(d.Rows)
	if d.More {
		count += " or more"
	}
	switch d.Kind {
	case "table":
		fmt.Fprintf(&b, "## %s: a table (%s) of %s rows\n", d.Name, d.Form, count)
		for _, c := range d.Columns {
			b.WriteString(c.text())
		}
		if d.Duplicates > 0 {
			fmt.Fprintf(&b, "%d rows are there more than once.\n", d.Duplicates)
		}
		if d.ID != "" {
			fmt.Fprintf(&b, "%s is different in each row.\n", d.ID)
		}
	case "text":
		fmt.Fprintf(&b, "## %s: text (%s) of %s lines\n", d.Name, cmp.Or(d.Form, "no suffix"), count)
	default:
		fmt.Fprintf(&b, "## %s: binary (%s)\n", d.Name, cmp.Or(d.Form, "no suffix"))
	}
	if len(d.Sample) > 0 {
		b.WriteString("Some of its rows:\n")
		for _, row := range d.Sample {
			b.WriteString(strings.Join(row, " | ") + "\n")
		}
	}
	if len(d.Lines) > 0 {
		b.WriteString("Its first lines:\n" + strings.Join(d.Lines, "\n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (c column) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s: %s", c.Name, c.Type)
	if c.Nullable {
		b.WriteString(", may be empty")
	}
	if c.Nulls > 0 {
		fmt.Fprintf(&b, " (%d are)", c.Nulls)
	}
	if c.Unique > 0 {
		fmt.Fprintf(&b, ", %d different values", c.Unique)
	}
	if c.Min != nil {
		fmt.Fprintf(&b, ", from %v to %v", c.Min, c.Max)
	}
	if c.Mean != nil && c.Median != nil {
		fmt.Fprintf(&b, ", mean %.6g, median %.6g", *c.Mean, *c.Median)
	}
	for i, top := range c.Top {
		b.WriteString(map[bool]string{true: ": ", false: ", "}[i == 0])
		fmt.Fprintf(&b, "%v (%v times)", top[0], top[1])
	}
	return b.String() + "\n"
}

// schema is a sample as a schema of Pandera, which says its columns and no values.
func (d *description) schema() string {
	var b strings.Builder
	b.WriteString("DataFrameSchema({\n")
	for _, c := range d.Columns {
		name, err := json.Marshal(c.Name)
		if err != nil {
			continue // a string has JSON
		}
		fmt.Fprintf(&b, "    %s: Column(%s, nullable=%s),\n", name, panderaType(c.Type), map[bool]string{true: "True", false: "False"}[c.Nullable])
	}
	return b.String() + "})"
}

func panderaType(t string) string {
	if t == "datetime" {
		return `"datetime64[ns]"`
	}
	return t
}
