package e2b

import (
	"compress/gzip"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// fileOfQuery takes over the user of a request for a file, and returns its path.
func (c *call) fileOfQuery() (string, error) {
	q := c.r.URL.Query()
	if err := c.findUser(q.Get("username")); err != nil {
		return "", err
	}
	return q.Get("path"), nil
}

// download sends the bytes of a file, or a part of them.
func (c *call) download() error {
	name, err := c.fileOfQuery()
	if err != nil {
		return err
	}
	info, err := c.face.Sessions.StatFile(c.ctx(), c.session.ID, c.path(name), c.options())
	switch {
	case isNotFound(err) && !c.left():
		return refused{http.StatusNotFound, "path '" + name + "' does not exist"}
	case err != nil:
		return err
	case info.Type == api.TypeDir:
		return badRequest("path '" + name + "' is a directory")
	case info.Type == api.TypeOther:
		return badRequest("path '" + name + "' is not a regular file")
	}
	h := c.w.Header()
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": path.Base(info.Path)}))
	h.Set("Content-Type", "application/octet-stream")
	h.Add("Vary", "Accept-Encoding")
	if info.Size == 0 || c.wantsGzip() { // also of files of /proc, which have no size
		return c.sendWhole(info)
	}
	content := &remoteFile{call: c, info: info}
	defer content.Close()
	http.ServeContent(c.w, c.r, "", info.Modified, content)
	if content.err != nil {
		panic(http.ErrAbortHandler) // the client must not take the part for the whole
	}
	return nil
}

// wantsGzip reports whether the client would rather have the whole file compressed
// than parts of it.
func (c *call) wantsGzip() bool {
	if c.r.Header.Get("Range") != "" {
		return false
	}
	for _, coding := range strings.Split(c.r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if strings.EqualFold(name, "gzip") && strings.ReplaceAll(quality, " ", "") != "q=0" {
			return true
		}
	}
	return false
}

func (c *call) sendWhole(info *api.FileInfo) error {
	content, _, err := c.face.Sessions.ReadFile(c.ctx(), c.session.ID, info.Path, 0, 0, c.options())
	if err != nil {
		return err
	}
	defer content.Close()
	var w io.Writer = c.w
	if c.wantsGzip() && info.Size > 0 {
		c.w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(c.w)
		defer z.Close()
		w = z
	}
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return nil
	}
	if _, err := io.Copy(w, content); err != nil {
		panic(http.ErrAbortHandler) // the client must not take the part for the whole
	}
	return nil
}

// remoteFile is a file of a session that can be read from any place. It is opened
// where it is read.
type remoteFile struct {
	call   *call
	info   *api.FileInfo
	offset int64
	open   io.ReadCloser // nil until it is read
	err    error
}

// Seek implements io.Seeker.
func (f *remoteFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.info.Size
	}
	if offset != f.offset {
		f.Close()
	}
	f.offset = offset
	return offset, nil
}

// Read implements io.Reader.
func (f *remoteFile) Read(p []byte) (n int, err error) {
	if f.open == nil {
		c := f.call
		if f.open, _, f.err = c.face.Sessions.ReadFile(c.ctx(), c.session.ID, f.info.Path, f.offset, 0, c.options()); f.err != nil {
			return 0, f.err
		}
	}
	n, err = f.open.Read(p)
	f.offset += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// Close ends the reading.
func (f *remoteFile) Close() {
	if f.open != nil {
		_ = f.open.Close() // what it had to say, it said to Read
		f.open = nil
	}
}

// writtenFile is a file that a client uploaded.
type writtenFile struct {
	Path     string            `json:"path"`
	Name     string            `json:"name"`
	Type     string            `json:"type"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

func (c *call) written(info *api.FileInfo) writtenFile {
	return writtenFile{Path: info.Path, Name: path.Base(info.Path), Type: "file", Metadata: metadataOfFile(info)}
}

// upload writes the body of a request to a file, or the parts of a form to several.
func (c *call) upload() error {
	name, err := c.fileOfQuery()
	if err != nil {
		return err
	}
	attributes, err := attributesOf(c.r.Header)
	if err != nil {
		return err
	}
	if c.r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(c.r.Body)
		if err != nil {
			return badRequest("the body is not compressed by gzip")
		}
		c.r.Body = io.NopCloser(z)
	}
	options := api.WriteOptions{FileOptions: c.options(), Attributes: attributes}
	kind, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return c.uploadOne(name, options)
	}
	return c.uploadForm(name, options)
}

func (c *call) uploadOne(name string, o api.WriteOptions) error {
	if name == "" {
		return badRequest("path is missing")
	}
	info, err := c.writeFile(name, c.r.Body, o)
	if err != nil {
		return err
	}
	writeJSON(c.w, http.StatusOK, []writtenFile{c.written(info)})
	return nil
}

// maxParts bounds the files of one form.
const maxParts = 10_000

func (c *call) uploadForm(name string, o api.WriteOptions) error {
	form, err := c.r.MultipartReader()
	if err != nil {
		return badRequest("the form cannot be read")
	}
	out := []writtenFile{}
	seen := map[string]bool{}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return badRequest("the form cannot be read")
		}
		if part.FormName() != "file" {
			continue
		}
		to := name
		if to == "" {
			to = filename(part)
		}
		if to == "" || seen[to] || len(out) == maxParts {
			return badRequest("a part of the form has no path, or that of another one: '" + to + "'")
		}
		seen[to] = true
		info, err := c.writeFile(to, part, o)
		if err != nil {
			return err
		}
		out = append(out, c.written(info))
	}
	if len(out) == 0 {
		return badRequest("the form has no file")
	}
	writeJSON(c.w, http.StatusOK, out)
	return nil
}

// filename returns the name of a part with its directories, which package multipart
// leaves out.
func filename(part *multipart.Part) string {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	return params["filename"]
}

func (c *call) writeFile(name string, content io.Reader, o api.WriteOptions) (*api.FileInfo, error) {
	info, err := c.face.Sessions.WriteFile(c.ctx(), c.session.ID, c.path(name), content, o)
	if e, ok := api.FindError(err); ok && e.Code != api.StorageFull && !c.left() {
		there, wrong := c.face.Sessions.StatFile(c.ctx(), c.session.ID, c.path(name), c.options())
		if wrong == nil && there.Type == api.TypeDir {
			return nil, badRequest("path '" + name + "' is a directory")
		}
	}
	return info, err
}

// The bounds of a file's metadata, in bytes.
const (
	maxMetadataKey = 246
	maxMetadata    = 4096
)

const metadataHeader = "X-Metadata-"

// attributesOf returns the metadata that headers hold. It takes the place of what
// the file had.
func attributesOf(h http.Header) (map[string]string, error) {
	attributes, size := map[string]string{}, 0
	for name, values := range h {
		if !strings.HasPrefix(name, metadataHeader) {
			continue
		}
		key, v := strings.ToLower(name[len(metadataHeader):]), values[0]
		if size += len(key) + len(v); key == "" || len(key) > maxMetadataKey || size > maxMetadata || !printable(v) {
			return nil, badRequest("the metadata " + key + " is too long, or is not printable ASCII")
		}
		attributes[attributePrefix+key] = v
	}
	return attributes, nil
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
}

// compose joins files to one, and removes them.
func (c *call) compose() error {
	var in struct {
		Sources     []string `json:"source_paths"`
		Destination string   `json:"destination"`
		Username    string   `json:"username"`
	}
	if err := readJSON(c.w, c.r, &in); err != nil {
		return err
	}
	if err := c.findUser(in.Username); err != nil {
		return err
	}
	if len(in.Sources) == 0 || in.Destination == "" {
		return badRequest("source_paths or destination is missing")
	}
	parts := &joined{call: c, paths: in.Sources}
	defer parts.Close()
	info, err := c.writeFile(in.Destination, parts, api.WriteOptions{FileOptions: c.options()})
	if err != nil {
		return err
	}
	for _, source := range in.Sources {
		if err := c.face.Sessions.RemoveFile(c.ctx(), c.session.ID, c.path(source), c.options()); err != nil {
			return err
		}
	}
	writeJSON(c.w, http.StatusOK, c.written(info))
	return nil
}

// joined reads files of a session one after the other.
type joined struct {
	call  *call
	paths []string // that were not opened yet
	open  io.ReadCloser
}

// Read implements io.Reader.
func (j *joined) Read(p []byte) (int, error) {
	for {
		if j.open == nil {
			if len(j.paths) == 0 {
				return 0, io.EOF
			}
			c := j.call
			content, _, err := c.face.Sessions.ReadFile(c.ctx(), c.session.ID, c.path(j.paths[0]), 0, 0, c.options())
			if err != nil {
				return 0, err
			}
			j.open, j.paths = content, j.paths[1:]
		}
		n, err := j.open.Read(p)
		if errors.Is(err, io.EOF) {
			j.Close()
			err = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Close ends the reading.
func (j *joined) Close() {
	if j.open != nil {
		_ = j.open.Close() // what it had to say, it said to Read
		j.open = nil
	}
}
