package page

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// These bound a form with files. Without script the files come with it; with script each
// field sends its own before, with Config.MaxUpload as the bound.
const (
	maxFormFiles = 32 << 20 // bytes of the files of a form
	maxParts     = 20_000   // fields and files of one form
	maxPathBytes = 1000     // of the name of a file in a directory
	maxTreeBytes = 1 << 30  // of the files of a directory, which are on disk twice for a while
)

// parts reads a form with files part by part, and keeps none of them in memory.
type parts struct {
	in    *multipart.Reader
	p     *Page
	r     *http.Request
	form  url.Values
	text  int64 // bytes of fields that may still come
	count int
	// take takes a file for a field, as it comes.
	take func(field, name string, from io.Reader) error
}

// stored is what became of the files of one field.
type stored struct {
	ref json.RawMessage
	dir *tree
}

// readParts reads a form with files, whose first part is its token. The files of fields
// become bytes that the server has, and the fields their references.
func (p *Page) readParts(w http.ResponseWriter, r *http.Request, maxFiles int64) (url.Values, error) {
	kept := &keeper{p: p, r: r, stored: map[string]*stored{}}
	defer kept.close()
	ps := &parts{p: p, r: r, form: url.Values{}, text: maxForm, take: kept.take}
	if err := ps.readForm(w, maxFiles); err != nil {
		return nil, err
	}
	return ps.form, kept.finish(ps.form)
}

// keeper makes of the files of a form bytes that the server has.
type keeper struct {
	p      *Page
	r      *http.Request
	stored map[string]*stored // by field
}

// readForm reads all parts.
func (ps *parts) readForm(w http.ResponseWriter, maxFiles int64) error {
	ps.r.Body = http.MaxBytesReader(w, ps.r.Body, maxForm+maxFiles)
	var err error
	if ps.in, err = ps.r.MultipartReader(); err != nil {
		return badForm(err)
	}
	return ps.readAll()
}

func badForm(err error) error {
	var e *api.Error
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &large):
		return api.Errorf(api.RequestInvalid, "the form is larger than %s", size(large.Limit)).
			WithHint("without script a form takes %s of files; give larger ones with script, or with glovebox start", size(maxFormFiles))
	}
	return api.Errorf(api.RequestInvalid, "the form cannot be read: %v", err)
}

func (ps *parts) readAll() error {
	for {
		part, err := ps.in.NextRawPart()
		if errors.Is(err, io.EOF) {
			return ps.allowed()
		}
		if err != nil {
			return badForm(err)
		}
		if ps.count++; ps.count > maxParts {
			return api.Errorf(api.RequestInvalid, "the form has more than %d parts", maxParts)
		}
		if err := ps.read(part); err != nil {
			return badForm(err)
		}
	}
}

// read takes a field, or a file once the token was right.
func (ps *parts) read(part *multipart.Part) error {
	name := part.FormName()
	_, options, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil || name == "" {
		return errors.New("a part has no name")
	}
	if file, ok := options["filename"]; ok {
		if err := ps.allowed(); err != nil {
			return err
		}
		if file == "" { // a browser sends that for a field without a choice
			return nil
		}
		return ps.take(name, file, part)
	}
	text, err := io.ReadAll(io.LimitReader(part, ps.text+1))
	if err != nil {
		return err
	}
	if ps.text -= int64(len(text)); ps.text < 0 {
		return api.Errorf(api.RequestInvalid, "the fields of the form are larger than %s", size(maxForm))
	}
	ps.form.Add(name, string(text))
	return nil
}

// allowed holds the token of the form to the cookie, before any file is taken.
func (ps *parts) allowed() error { return ps.p.checkToken(ps.r, ps.form.Get("form-token")) }

// take takes a file: "file:NAME" is one for the field NAME, "frame:NAME" one with a
// table, and "dir:NAME" one of a directory.
func (k *keeper) take(name, file string, part io.Reader) error {
	kind, field, _ := strings.Cut(name, ":")
	one := k.stored[field]
	if one == nil {
		one = &stored{}
		k.stored[field] = one
	}
	switch kind {
	case "file", "frame":
		return one.put(k.r.Context(), k.p.Service, file, kind == "frame", part)
	case "dir":
		if one.dir == nil {
			var err error
			if one.dir, err = newTree(); err != nil {
				return err
			}
		}
		return one.dir.add(file, part)
	}
	return api.Errorf(api.RequestInvalid, "the form has a file for %s, which takes none", value.Shorten(name, 100))
}

func (s *stored) put(ctx context.Context, service api.Service, file string, frame bool, from io.Reader) error {
	digest, n, err := service.PutBlob(ctx, from)
	if err != nil {
		return err
	}
	ref := map[string]any{"path": cleanName(file), "size": n, "sha256": digest}
	if ext := strings.ToLower(strings.TrimPrefix(path.Ext(file), ".")); frame {
		ref["format"] = ext
	}
	s.ref, err = json.Marshal(ref)
	return err
}

// cleanName is the last part of a name that a browser sent, or another.
func cleanName(file string) string {
	name := strings.Map(func(c rune) rune {
		if c < 0x20 || c == 0x7f || c == utf8.RuneError {
			return '_'
		}
		return c
	}, baseOf(strings.TrimRight(file, `/\`), "file"))
	if name == "." || name == ".." {
		return "file"
	}
	return value.Shorten(name, 200)
}

// finish makes references of what was stored, in the place of what the fields said.
func (k *keeper) finish(form url.Values) error {
	for field, one := range k.stored {
		if one.dir != nil {
			dir, err := k.p.Service.PutTree(k.r.Context(), one.dir.path())
			if err != nil {
				return err
			}
			dir.Path = one.dir.name
			if one.ref, err = value.EncodeJSON(value.Type{Kind: value.KindDir}, dir); err != nil {
				return err
			}
		}
		form.Set(field, string(one.ref))
	}
	return nil
}

func (k *keeper) close() {
	for _, one := range k.stored {
		if one.dir != nil {
			one.dir.close()
		}
	}
}

// tree is a directory that comes file by file, kept beside the server until it is whole.
type tree struct {
	dir  string
	root *os.Root
	name string // of the directory, as the browser has it
	left int64  // bytes that may still come
}

func newTree() (*tree, error) {
	dir, err := os.MkdirTemp("", "glovebox-upload-")
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		_ = os.Remove(dir)
		return nil, err
	}
	return &tree{dir: dir, root: root, name: "directory", left: maxTreeBytes}, nil
}

func (t *tree) path() string { return filepath.Join(t.dir, "files") }

func (t *tree) close() {
	_ = t.root.Close()
	_ = os.RemoveAll(t.dir)
}

// goodPath reports whether a browser may name a file so below a directory.
func goodPath(name string) bool {
	return len(name) <= maxPathBytes && utf8.ValidString(name) && !strings.ContainsAny(name, "\x00\\") && filepath.IsLocal(name) && name != "." && path.Clean(name) == name
}

func badName(name string) error {
	return api.Errorf(api.RequestInvalid, "a file is called %s, which cannot be kept", visible(value.Shorten(name, 100))).
		WithHint("names are relative paths of at most %d bytes, without .. and backslashes", maxPathBytes)
}

// add writes a file, whose name begins with that of the directory.
func (t *tree) add(name string, from io.Reader) error {
	top, below, ok := strings.Cut(name, "/")
	if !ok {
		top, below = t.name, name
	}
	if !goodPath(name) || !goodPath(below) {
		return badName(name)
	}
	t.name = cleanName(top)
	to := path.Join("files", below)
	if err := t.root.MkdirAll(path.Dir(to), 0o700); err != nil {
		return badTree(name, err)
	}
	f, err := t.root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return badTree(name, err)
	}
	n, err := io.Copy(f, io.LimitReader(from, t.left+1))
	if t.left -= n; err == nil && t.left < 0 {
		err = api.Errorf(api.RequestInvalid, "the directory has more than %s", size(maxTreeBytes)).WithHint("give it with glovebox start")
	}
	return errors.Join(err, f.Close())
}

func badTree(name string, err error) error {
	why := err
	var e *os.PathError
	if errors.As(err, &e) {
		why = e.Err
	}
	return api.Errorf(api.RequestInvalid, "the file %s of the directory cannot be kept: %v", visible(value.Shorten(name, 100)), why)
}

// upload takes the file or the directory of one field while somebody still fills in a
// form, and answers with its reference, for the field.
func (p *Page) upload(w http.ResponseWriter, r *http.Request) error {
	form, err := p.readParts(w, r, p.MaxUpload)
	if err != nil {
		return err
	}
	ref := form.Get("ref")
	if ref == "" {
		return api.Errorf(api.RequestInvalid, "nothing was sent").WithHint("a directory without files cannot be sent")
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, ref) // the browser may be gone
	return nil
}
