package page

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// These bound what a page shows of the files of a session.
const (
	maxShownFiles = 1000
	maxShownFile  = 64 << 10 // bytes of a text
)

type filesData struct {
	Session *api.Session
	Tab     string
	Live    bool
	Path    string // absolute, of a directory
	Up      string
	Files   []api.FileInfo
	More    bool
	Max     int64 // bytes of an upload
	Shown   *shownFile
}

// shownFile is a file of which a page shows the beginning, or the picture or PDF that it is.
type shownFile struct {
	Info    *api.FileInfo
	Text    string
	Cut     bool
	Picture string
	PDF     string
	Binary  bool
}

// files shows a directory of a session, or a file in it.
func (p *Page) files(r *http.Request) (content, error) {
	ctx, id := r.Context(), r.PathValue("id")
	s, err := p.Service.Session(ctx, id)
	if err != nil {
		return content{}, err
	}
	data := &filesData{Session: s, Tab: "files", Live: s.State == api.SessionRunning, Max: p.MaxUpload}
	c := content{Template: "sessionfiles", Title: "Files of " + id, Nav: "sessions", Styles: []string{"session.css", "start.css"}, Data: data}
	if !data.Live {
		return c, nil
	}
	c.Scripts = []string{"sessionfiles.js"}
	info, err := p.Service.StatFile(ctx, id, cmp.Or(r.URL.Query().Get("path"), "."), api.FileOptions{})
	if err != nil {
		return content{}, err
	}
	data.Path, data.Up = info.Path, path.Dir(info.Path)
	if info.Type != api.TypeDir {
		data.Path, data.Up = path.Dir(info.Path), ""
		data.Shown, err = p.showFile(r, id, info)
		return c, err
	}
	files, err := p.Service.ListFiles(ctx, id, info.Path, 1, api.FileOptions{})
	if err != nil {
		return content{}, err
	}
	slices.SortStableFunc(files, func(a, b api.FileInfo) int {
		return cmp.Or(-cmp.Compare(order(a), order(b)), cmp.Compare(a.Path, b.Path))
	})
	data.Files, data.More = files[:min(len(files), maxShownFiles)], len(files) > maxShownFiles
	return c, nil
}

// order puts directories first.
func order(f api.FileInfo) int {
	if f.Type == api.TypeDir {
		return 1
	}
	return 0
}

func (p *Page) showFile(r *http.Request, session string, info *api.FileInfo) (*shownFile, error) {
	shown := &shownFile{Info: info}
	if info.Type == api.TypeOther {
		shown.Binary = true
		return shown, nil
	}
	in, _, err := p.Service.ReadFile(r.Context(), session, info.Path, 0, maxPictureBytes, api.FileOptions{})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxPictureBytes))
	if err != nil {
		return nil, err
	}
	head := data[:min(len(data), maxShownFile)]
	switch kind := kindOf(info.Path, head); {
	case pictureTypes[kind] && info.Size <= maxPictureBytes:
		shown.Picture = p.results.keep(kind, data)
	case kind == pdfType && info.Size <= maxPictureBytes:
		shown.PDF = p.results.keep(kind, data)
	case strings.HasPrefix(kind, "text/"):
		shown.Text, shown.Cut = visible(strings.ToValidUTF8(string(head), "")), len(data) > len(head)
	default:
		shown.Binary = true
	}
	return shown, nil
}

// sessionFile sends a file to be stored, and a directory as a tar archive.
func (p *Page) sessionFile(w http.ResponseWriter, r *http.Request) error {
	ctx, id := r.Context(), r.PathValue("id")
	info, err := p.Service.StatFile(ctx, id, r.URL.Query().Get("path"), api.FileOptions{})
	if err != nil {
		return err
	}
	if info.Type == api.TypeDir {
		in, err := p.Service.DownloadTree(ctx, id, info.Path, api.FileOptions{})
		if err != nil {
			return err
		}
		defer in.Close()
		return sendStream(w, baseOf(info.Path, "files")+".tar", in)
	}
	in, _, err := p.Service.ReadFile(ctx, id, info.Path, 0, 0, api.FileOptions{})
	if err != nil {
		return err
	}
	defer in.Close()
	return sendStream(w, baseOf(info.Path, "file"), in) // it may grow meanwhile
}

// sendStream makes a browser store bytes whose number is not known.
func sendStream(w http.ResponseWriter, name string, from io.Reader) error {
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(name)}))
	h.Set("Content-Security-Policy", framePolicy)
	if _, err := io.Copy(w, from); err != nil {
		panic(http.ErrAbortHandler) // the browser then knows that it is not the whole
	}
	return nil
}

// uploadFiles writes files that somebody chose or dropped into a directory of a session,
// each as it comes.
func (p *Page) uploadFiles(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	var dir string
	ps := &parts{p: p, r: r, text: maxForm, form: url.Values{}}
	ps.take = func(_, name string, from io.Reader) error {
		dir = ps.form.Get("path")
		if !path.IsAbs(dir) {
			return api.Errorf(api.RequestInvalid, "the form does not say where the files go").WithDetails(api.Details{Field: "path", Got: dir, Expected: "an absolute path"})
		}
		if !goodPath(name) {
			return badName(name)
		}
		_, err := p.Service.WriteFile(r.Context(), id, path.Join(dir, name), from, api.WriteOptions{})
		return err
	}
	if err := ps.readForm(w, p.MaxUpload); err != nil {
		return err
	}
	if dir == "" {
		return api.Errorf(api.RequestInvalid, "no file was chosen")
	}
	redirect(up(r)+"page/sessions/"+id+"/files?path="+url.QueryEscape(dir))(w, r)
	return nil
}

// changeFiles makes a directory, or removes a file.
func (p *Page) changeFiles(r *http.Request) (string, content, error) {
	ctx, id, dir := r.Context(), r.PathValue("id"), r.PostForm.Get("path")
	name := path.Join(dir, r.PostForm.Get("name"))
	if !path.IsAbs(dir) || r.PostForm.Get("name") == "" {
		return "", content{}, api.Errorf(api.RequestInvalid, "the form does not say which file").WithDetails(api.Details{Field: "name"})
	}
	var err error
	switch action := r.PathValue("action"); action {
	case "make":
		_, err = p.Service.MakeDir(ctx, id, name, api.FileOptions{})
	case "remove":
		err = p.Service.RemoveFile(ctx, id, name, api.FileOptions{})
	default:
		err = api.Errorf(api.NotFound, "a file cannot be asked to %s", action)
	}
	if errors.Is(err, api.Conflict) {
		err = api.Errorf(api.Conflict, "%s: %s", visible(name), message(err))
	}
	return "../files?path=" + url.QueryEscape(dir), content{}, err
}
