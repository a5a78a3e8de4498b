package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// These bound how much of a value a page shows; the whole is downloaded.
const (
	maxShownText    = 2000 // bytes
	maxShownRows    = 20
	maxShownColumns = 12
	maxPictureBytes = 8 << 20 // of a PDF, too
)

// field is an input or output as a page shows it.
type field struct {
	Name    string
	Type    string
	Text    string    // what is shown of the value
	Cut     bool      // there is more of it
	Table   *table    // of a list of records, or of a file with rows
	Picture bool      // it is one, which can be shown
	Page    bool      // it is HTML, to be shown in a frame
	PDF     bool      // it is one, to be shown in a frame that is asked for
	File    *fileFact // of a File, Dir or DataFrame
	Link    string    // of the whole value, relative to the root
	Store   bool      // there is more to it than the page shows
	Missing bool
}

type fileFact struct {
	Name  string
	Size  int64
	Files int
}

type table struct {
	Head []string
	Rows [][]string
	More bool
}

// fieldsOf are the values of a run by their declared types.
func fieldsOf(p *Page, r *http.Request, run *api.Run, side string, params []value.Param, text json.RawMessage) []field {
	var values map[string]json.RawMessage
	if json.Unmarshal(text, &values) != nil {
		values = nil
	}
	var fields []field
	for _, param := range params {
		f := field{Name: param.Name, Type: param.Type.String(), Link: "page/runs/" + run.ID + "/" + side + "/" + param.Name}
		raw, ok := values[param.Name]
		if !ok {
			f.Missing = true
			fields = append(fields, f)
			continue
		}
		p.describe(r, &f, param.Type, raw)
		f.Store = f.Cut || f.Table != nil || f.File != nil
		fields = append(fields, f)
	}
	return fields
}

// describe fills in what is shown of a value.
func (p *Page) describe(r *http.Request, f *field, t value.Type, raw json.RawMessage) {
	if inner, ok := t.Optional(); ok {
		if string(raw) == "null" {
			f.Text = "None"
			return
		}
		t = inner
	}
	switch t.Kind {
	case value.KindFile, value.KindDir, value.KindDataFrame:
		p.describeFile(r, f, t, raw)
	case value.KindStr, value.KindDate, value.KindDateTime, value.KindTime, value.KindDecimal, value.KindUUID:
		var s string
		if json.Unmarshal(raw, &s) == nil {
			f.Text, f.Cut = cut(s)
		}
	case value.KindTimedelta:
		f.Text, f.Cut = cut(string(raw))
		if v, err := value.DecodeJSON(t, raw); err == nil {
			f.Text = fmt.Sprint(v)
		}
	case value.KindNone:
		f.Text = "None"
	case value.KindBool:
		f.Text = map[bool]string{true: "True", false: "False"}[string(raw) == "true"]
	default:
		if f.Table = recordsOf(raw); f.Table == nil {
			f.Text, f.Cut = cut(indented(raw))
		}
	}
}

// cut shortens a text for a page.
func cut(text string) (short string, was bool) {
	if len(text) <= maxShownText {
		return visible(text), false
	}
	return visible(strings.ToValidUTF8(text[:maxShownText], "")), true
}

// indented writes a value over lines if it is long.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if len(raw) < 80 || len(raw) > 64<<10 || json.Indent(&b, raw, "", "  ") != nil {
		return string(raw[:min(len(raw), maxShownText+1)])
	}
	return b.String()
}

// recordsOf makes a table of a list of objects with equal names, or nil.
func recordsOf(raw json.RawMessage) *table {
	if len(raw) > 1<<20 || len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var rows []map[string]json.RawMessage
	if json.Unmarshal(raw, &rows) != nil || len(rows) == 0 || len(rows[0]) == 0 || len(rows[0]) > maxShownColumns {
		return nil
	}
	t := &table{More: len(rows) > maxShownRows}
	t.Head = namesOf(raw)
	for _, row := range rows[:min(len(rows), maxShownRows)] {
		cells := make([]string, len(t.Head))
		for i, name := range t.Head {
			cells[i] = cellText(row[name])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// namesOf are the names of the first object of a list, in the order in which it has them.
func namesOf(raw json.RawMessage) (names []string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	for range 2 { // the beginnings of the list and the object
		if _, err := d.Token(); err != nil {
			return nil
		}
	}
	for d.More() {
		name, err := d.Token()
		if text, ok := name.(string); err == nil && ok && !slices.Contains(names, text) {
			names = append(names, text)
		}
		var skipped json.RawMessage
		if err != nil || d.Decode(&skipped) != nil {
			return names
		}
	}
	return names
}

// Numbers reports of each column whether it has numbers alone.
func (t *table) Numbers() []bool {
	columns := make([]bool, maxShownColumns)
	for i := range columns {
		columns[i] = len(t.Rows) > 0
		for _, row := range t.Rows {
			if i >= len(row) {
				continue
			}
			_, err := strconv.ParseFloat(row[i], 64)
			columns[i] = columns[i] && (row[i] == "" || err == nil)
		}
	}
	return columns
}

func cellText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return visible(value.Shorten(s, 100))
	}
	return visible(value.Shorten(string(raw), 100))
}

// fileOf reads a File, Dir or DataFrame.
func fileOf(t value.Type, raw json.RawMessage) (ref value.FileRef, files int, format string, err error) {
	v, err := value.DecodeJSON(t, raw)
	if err != nil {
		return ref, 0, "", err
	}
	ref, ok := value.RefOf(v)
	if !ok {
		return ref, 0, "", fmt.Errorf("%s is no file", t)
	}
	switch v := v.(type) {
	case value.Dir:
		files = v.Files
	case value.DataFrame:
		format = v.Format
	}
	return ref, files, format, nil
}

// describeFile shows what a file is, and a picture or its first rows where it has
// them.
func (p *Page) describeFile(r *http.Request, f *field, t value.Type, raw json.RawMessage) {
	ref, files, format, err := fileOf(t, raw)
	if err != nil {
		f.Text, f.Cut = cut(string(raw))
		return
	}
	f.File = &fileFact{Name: visible(baseOf(ref.Path, f.Name)), Size: ref.Size, Files: files}
	if format != "" {
		f.Type += " (" + format + ")"
	}
	if t.Kind != value.KindFile || ref.SHA256 == "" {
		return
	}
	head, err := p.head(r.Context(), ref.SHA256)
	if err != nil {
		return // a download says why
	}
	switch kind := kindOf(f.File.Name, head); {
	case pictureTypes[kind] && ref.Size <= maxPictureBytes:
		f.Picture = true
	case kind == pdfType && ref.Size <= maxPictureBytes:
		f.PDF = true
	case kind == htmlType:
		f.Page = true
	case kind == "text/csv":
		f.Table = csvHead(head, int64(len(head)) < ref.Size)
	case kind == "text/plain":
		f.Text, f.Cut = cut(string(head))
		f.Cut = f.Cut || int64(len(head)) < ref.Size
	}
}

// baseOf is the last part of a path, which may be of another system, or another name.
func baseOf(path, other string) string {
	if name := path[strings.LastIndexAny(path, `/\`)+1:]; name != "" {
		return name
	}
	return other
}
