package page

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// headBytes is how much of a file a page reads to show what it is.
const headBytes = 16 << 10

func (p *Page) head(ctx context.Context, digest string) ([]byte, error) {
	f, _, err := p.Service.OpenBlob(ctx, digest)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return head[:n], nil
}

// pictureTypes are those that a page shows. SVG is none of them: it has script.
var pictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// kindOf says how a file is shown. Its bytes decide, its name only between forms of
// text.
func kindOf(name string, head []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	if pictureTypes[kind] || kind == pdfType {
		return kind
	}
	if bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(trimRune(head)) {
		return "application/octet-stream"
	}
	switch ext := strings.ToLower(path.Ext(name)); {
	case ext == ".html" || ext == ".htm":
		return htmlType
	case ext == ".csv":
		return "text/csv"
	}
	return "text/plain"
}

// trimRune drops a character that was cut at the end.
func trimRune(text []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if b := text[len(text)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-i:]) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}

// csvHead makes a table of the first rows of a file, or nil.
func csvHead(text []byte, more bool) *table {
	if more {
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	in := csv.NewReader(bytes.NewReader(text))
	in.FieldsPerRecord = -1
	t := &table{More: more}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil
		}
		for i := range row {
			row[i] = visible(value.Shorten(row[i], 100))
		}
		if len(row) > maxShownColumns {
			row, t.More = row[:maxShownColumns], true
		}
		if t.Head == nil {
			t.Head = row
			continue
		}
		if len(t.Rows) == maxShownRows {
			t.More = true
			break
		}
		t.Rows = append(t.Rows, row)
	}
	if t.Head == nil {
		return nil
	}
	return t
}

// rawValue returns the declared type and the JSON of an input or output.
func (p *Page) rawValue(r *http.Request) (t value.Type, raw json.RawMessage, err error) {
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return t, nil, err
	}
	side, name := r.PathValue("side"), r.PathValue("name")
	params, text := []value.Param(nil), run.Inputs
	switch {
	case run.Signature == nil:
	case side == "inputs":
		params = run.Signature.Inputs
	case side == "outputs":
		params, text = run.Signature.Outputs, run.Outputs
	}
	var values map[string]json.RawMessage
	if len(text) > 0 {
		if err := json.Unmarshal(text, &values); err != nil {
			return t, nil, err
		}
	}
	for _, param := range params {
		if raw, ok := values[name]; ok && param.Name == name {
			return param.Type, raw, nil
		}
	}
	return t, nil, api.Errorf(api.NotFound, "the run has no %s called %s", strings.TrimSuffix(side, "s"), value.Shorten(name, 100))
}

// value sends a whole value, to be stored: the bytes of a file, the text of a str, and
// of all else the JSON. With view, a picture may be shown.
func (p *Page) value(w http.ResponseWriter, r *http.Request) error {
	t, raw, err := p.rawValue(r)
	if err != nil {
		return err
	}
	if inner, ok := t.Optional(); ok && string(raw) != "null" {
		t = inner
	}
	name := r.PathValue("name")
	switch t.Kind {
	case value.KindDir:
		return api.Errorf(api.RequestInvalid, "a directory cannot be downloaded here").WithHint("glovebox outputs %s", r.PathValue("id"))
	case value.KindFile, value.KindDataFrame:
		ref, _, format, err := fileOf(t, raw)
		if err != nil {
			return err
		}
		name = baseOf(ref.Path, name)
		if format != "" && path.Ext(name) == "" {
			name += "." + format
		}
		return p.sendBlob(w, r, ref, name)
	case value.KindStr:
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		return send(w, name+".txt", strings.NewReader(s), int64(len(s)))
	}
	return send(w, name+".json", bytes.NewReader(raw), int64(len(raw)))
}

// send makes a browser store bytes, whatever they are.
func send(w http.ResponseWriter, name string, from io.Reader, size int64) error {
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(name)}))
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	h.Set("Content-Security-Policy", framePolicy)
	w.WriteHeader(http.StatusOK)
	if _, err := io.Copy(w, from); err != nil {
		panic(http.ErrAbortHandler) // the browser then knows that it is not the whole
	}
	return nil
}

// fileName leaves nothing of a name that a system could read as something else.
func fileName(name string) string {
	clean := strings.Map(func(c rune) rune {
		if c < 0x20 || c == 0x7f || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '_'
		}
		return c
	}, visible(name))
	return value.Shorten(strings.TrimLeft(clean, ". "), 150)
}

func (p *Page) sendBlob(w http.ResponseWriter, r *http.Request, ref value.FileRef, name string) error {
	f, size, err := p.Service.OpenBlob(r.Context(), ref.SHA256)
	if err != nil {
		return err
	}
	defer f.Close()
	return send(w, name, f, size)
}

// valueFrame sends a picture, a PDF, or a page of HTML for a frame that can do nothing.
func (p *Page) valueFrame(w http.ResponseWriter, r *http.Request) error {
	t, raw, err := p.rawValue(r)
	if err != nil {
		return err
	}
	if inner, ok := t.Optional(); ok {
		t = inner
	}
	ref, _, _, err := fileOf(t, raw)
	if err != nil {
		return api.Errorf(api.RequestInvalid, "this value cannot be shown, only downloaded")
	}
	head, err := p.head(r.Context(), ref.SHA256)
	if err != nil {
		return err
	}
	kind := kindOf(baseOf(ref.Path, r.PathValue("name")), head)
	if !pictureTypes[kind] && kind != pdfType && kind != htmlType || ref.Size > maxPictureBytes {
		return api.Errorf(api.RequestInvalid, "this value cannot be shown, only downloaded")
	}
	f, _, err := p.Service.OpenBlob(r.Context(), ref.SHA256)
	if err != nil {
		return err
	}
	defer f.Close()
	setShown(w.Header(), kind)
	if _, err := io.Copy(w, f); err != nil {
		panic(http.ErrAbortHandler) // a picture without its end
	}
	return nil
}
