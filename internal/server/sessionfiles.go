package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerSessionFiles adds the routes of the files of sessions.
func (s *Server) registerSessionFiles() {
	get := func(below, id, summary string) huma.Operation {
		return operation(http.MethodGet, "/v1/sessions/{id}/"+below, "session files", id, summary)
	}
	route(s, traits{}, get("files/stat", "statFile", "Describe a file"),
		func(ctx context.Context, in *FilePath) (*answer[*api.FileInfo], error) {
			return answerWith(s.Service.StatFile(ctx, in.ID, in.Path, in.options()))
		})
	route(s, traits{}, get("files/list", "listFiles", "List a directory, in the order of the paths"), s.listFiles)
	route(s, traits{}, operation(http.MethodPost, "/v1/sessions/{id}/files/directory", "session files", "makeDirectory", "Make a directory, and those above it"),
		func(ctx context.Context, in *FilePath) (*answer[*api.FileInfo], error) {
			return answerWith(s.Service.MakeDir(ctx, in.ID, in.Path, in.options()))
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/sessions/{id}/files/move", "session files", "moveFile", "Move a file or a tree"), s.moveFile)
	route(s, traits{stream: true}, operation(http.MethodDelete, "/v1/sessions/{id}/files", "session files", "removeFile", "Remove a file or a tree; what is not there is removed already"),
		func(ctx context.Context, in *FilePath) (*nothing, error) {
			return &nothing{}, s.Service.RemoveFile(ctx, in.ID, in.Path, in.options())
		})
	s.registerFileContents()
	s.registerTrees()

	watch := get("files/watch", "watchFiles", "Changes in a directory, as they happen")
	watch.Description = "The first entry is watched; from it on no change is missed but after an entry overflow. " + streamWords
	route(s, traits{stream: true}, watch, s.watchFiles)
	s.entries(watch, "Changes", schema[api.FileEvent](s), watchExample)
	route(s, traits{}, get("user", "getSessionUser", "A user of the cell"),
		func(ctx context.Context, in *userInput) (*answer[*api.User], error) {
			return answerWith(s.Service.SessionUser(ctx, in.ID, in.Name))
		})
}

// registerFileContents adds the routes of the bytes of files.
func (s *Server) registerFileContents() {
	const path = "/v1/sessions/{id}/files/content"
	get := operation(http.MethodGet, path, "session files", "readFile", "The bytes of a file; HEAD tells of the file alone")
	get.Description = "The header " + fileHeader + " describes the file, as JSON in ASCII; attributes that are too long for it are left out. A file that cannot be read to its end breaks the connection."
	route(s, traits{stream: true}, get, s.readFile)
	s.content(get, "200", "The bytes", "application/octet-stream")
	s.content(get, "206", "The bytes of the range", "application/octet-stream")
	answers := s.operationOf(get).Responses
	answers["416"] = &huma.Response{Ref: "#/components/responses/Error416"}
	for _, status := range []string{"200", "206"} {
		addHeader(answers[status], fileHeader, "What is known of the file, as FileInfo in JSON")
	}
	addHeader(answers["206"], "Content-Range", byteHeaders["Content-Range"])

	put := operation(http.MethodPut, path, "session files", "writeFile", "Write a file, and make the directories above it")
	put.RequestBody = binaryBody("The bytes; without a body there are none")
	route(s, traits{stream: true, raw: true, limit: s.Limits.Blob}, put, s.writeFile)
	put.RequestBody.Required = false
}

// registerTrees adds the routes of files as archives.
func (s *Server) registerTrees() {
	const path = "/v1/sessions/{id}/files/tree"
	get := operation(http.MethodGet, path, "session files", "downloadTree", "A file or a directory as a tar archive")
	route(s, traits{stream: true}, get, s.downloadTree)
	s.content(get, "200", "The archive, with paths relative to the directory", "application/x-tar")

	put := operation(http.MethodPut, path, "session files", "uploadTree", "Unpack a tar archive in a directory, which is made if it must be")
	put.RequestBody = binaryBody("The archive")
	route(s, traits{stream: true, raw: true, limit: s.Limits.Blob}, put, s.uploadTree)
}

// FilePath are the parameters of the routes of one file.
type FilePath struct {
	SessionPath
	Path  string `query:"path" required:"true" minLength:"1" maxLength:"4096" doc:"The path of a file; one that is not absolute starts at the directory of the session" example:"/work/a.txt"`
	User  string `query:"user" maxLength:"64" doc:"Whose rights count; that of the session if it is left out"`
	Owner string `query:"owner" maxLength:"64" doc:"Who owns what is new or written, and whose home ~ is; the user if it is left out"`
}

func (p *FilePath) options() api.FileOptions { return api.FileOptions{User: p.User, Owner: p.Owner} }

type userInput struct {
	SessionPath
	Name string `query:"name" maxLength:"64" doc:"A name or a number; that of the session if it is left out"`
}

type listFilesInput struct {
	FilePath
	Depth int `query:"depth" minimum:"0" maximum:"1000" doc:"How many levels deep; 0 means 1"`
}

type filesAnswer struct {
	Files []api.FileInfo `json:"files"`
}

func (s *Server) listFiles(ctx context.Context, in *listFilesInput) (*answer[filesAnswer], error) {
	files, err := s.Service.ListFiles(ctx, in.ID, in.Path, in.Depth, in.options())
	return answerWith(filesAnswer{orEmpty(files)}, err)
}

type moveBody struct {
	From  string `json:"from" required:"true" minLength:"1" doc:"The path that it has"`
	To    string `json:"to" required:"true" minLength:"1" doc:"The path that it gets"`
	User  string `json:"user,omitempty" doc:"Whose rights count; that of the session if it is left out"`
	Owner string `json:"owner,omitempty" doc:"Who owns directories that are made; the user if it is left out"`
}

func (s *Server) moveFile(ctx context.Context, in *sessionBody[moveBody]) (*answer[*api.FileInfo], error) {
	given, err := in.Body.get()
	switch {
	case err != nil:
		return nil, err
	case given.From == "":
		return nil, missing("from", "the path of a file")
	case given.To == "":
		return nil, missing("to", "the path that it gets")
	}
	return answerWith(s.Service.MoveFile(ctx, in.ID, given.From, given.To, api.FileOptions{User: given.User, Owner: given.Owner}))
}

type readFileInput struct {
	FilePath
	Range string `header:"Range" doc:"Only these bytes, such as bytes=0-99; one range" example:"bytes=0-99"`
}

// fileHeader describes a file beside its bytes.
const fileHeader = "Glovebox-File"

func (s *Server) readFile(ctx context.Context, in *readFileInput) (*huma.StreamResponse, error) {
	part, ranged := parseRange(in.Range)
	if part.last > 0 {
		info, err := s.Service.StatFile(ctx, in.ID, in.Path, in.options())
		if err != nil {
			return nil, err
		}
		part = byteRange{offset: max(0, info.Size-part.last), limit: part.last}
	}
	content, info, err := s.Service.ReadFile(ctx, in.ID, in.Path, part.offset, part.limit, in.options())
	if err != nil {
		return nil, err
	}
	if ranged && part.offset >= info.Size {
		_ = content.Close()
		return nil, refusal(http.StatusRequestedRangeNotSatisfiable, api.Errorf(api.RequestInvalid, "there are no bytes in that range").
			WithDetails(api.Details{Field: "Range", Expected: "a range of " + strconv.FormatInt(info.Size, 10) + " bytes", Got: in.Range}))
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		defer content.Close()
		h := w.Header()
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Accept-Ranges", "bytes")
		h.Set(fileHeader, fileInfo(info))
		attach(w, info.Path)
		var whole io.Reader = content
		if ranged {
			end := info.Size
			if part.limit > 0 {
				end = min(end, part.offset+part.limit)
			}
			h.Set("Content-Range", "bytes "+strconv.FormatInt(part.offset, 10)+"-"+strconv.FormatInt(end-1, 10)+"/"+strconv.FormatInt(info.Size, 10))
			h.Set("Content-Length", strconv.FormatInt(end-part.offset, 10))
			w.WriteHeader(http.StatusPartialContent)
			whole = exactly(content, end-part.offset)
		}
		s.copyOut(w, r, whole)
	}), nil
}

// maxFileHeader bounds what a header says of a file, in bytes.
const maxFileHeader = 16 << 10

// fileInfo is what a header says of a file: all, or all but the attributes.
func fileInfo(info *api.FileInfo) string {
	text := asciiJSON(info)
	if len(text) <= maxFileHeader {
		return text
	}
	shown := *info
	shown.Attributes = nil
	return asciiJSON(shown)
}

// exactly reads n bytes of r, fewer of which are an error.
func exactly(r io.Reader, n int64) io.Reader { return &exactReader{r, n} }

type exactReader struct {
	r    io.Reader
	left int64
}

func (e *exactReader) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if err == io.EOF && e.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// copyOut sends bytes of a session. What cannot be sent whole breaks the
// connection, so that the client sees a broken body.
func (s *Server) copyOut(w http.ResponseWriter, r *http.Request, from io.Reader) {
	if r.Method == http.MethodHead {
		return
	}
	if _, err := io.Copy(w, from); err != nil {
		s.Logger.Info("the bytes of a session were not sent whole", "request", infoOf(r).id, "error", err)
		panic(http.ErrAbortHandler)
	}
}

type writeFileInput struct {
	FilePath
	Mode       string `query:"mode" pattern:"^0?[0-7]{1,4}$" doc:"The permission bits of a new file in octal; 644 if it is left out" example:"755"`
	Append     bool   `query:"append" doc:"Write behind what is there"`
	Attributes string `header:"Glovebox-Attributes" maxLength:"16384" doc:"Replaces the extended attributes below user.: an object of strings in JSON"`
	rawBody
}

func (s *Server) writeFile(ctx context.Context, in *writeFileInput) (*answer[*api.FileInfo], error) {
	mode, _ := strconv.ParseUint(in.Mode, 8, 32) // it has the form; without one it is 0
	o := api.WriteOptions{FileOptions: in.options(), Mode: uint32(mode), Append: in.Append}
	if in.Attributes != "" {
		if err := decodeStrictly([]byte(in.Attributes), &o.Attributes); err != nil {
			return nil, api.Errorf(api.RequestInvalid, "the header Glovebox-Attributes is no object of strings: %w", err).
				WithDetails(api.Details{Field: "Glovebox-Attributes", Expected: "an object of strings in JSON"})
		}
	}
	info, err := s.Service.WriteFile(ctx, in.ID, in.Path, s.bounded(in.r), o)
	return answerWith(info, bodyError(err))
}

func (s *Server) bounded(r io.Reader) io.Reader {
	return http.MaxBytesReader(nil, io.NopCloser(r), s.Limits.Blob)
}

// bodyError says that a body ended early, where err does.
func bodyError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return api.Errorf(api.RequestInvalid, "the body ended before its length")
	}
	return err
}

func (s *Server) downloadTree(ctx context.Context, in *FilePath) (*huma.StreamResponse, error) {
	archive, err := s.Service.DownloadTree(ctx, in.ID, in.Path, in.options())
	if err != nil {
		return nil, err
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		defer archive.Close()
		w.Header().Set("Content-Type", "application/x-tar")
		attach(w, in.Path+".tar")
		s.copyOut(w, r, archive)
	}), nil
}

type uploadInput struct {
	FilePath
	rawBody
}

func (s *Server) uploadTree(ctx context.Context, in *uploadInput) (*nothing, error) {
	return &nothing{}, bodyError(s.Service.UploadTree(ctx, in.ID, in.Path, s.bounded(in.r), in.options()))
}

type watchInput struct {
	FilePath
	Recursive bool `query:"recursive" doc:"Also in the directories below it"`
}

func (s *Server) watchFiles(_ context.Context, in *watchInput) (*huma.StreamResponse, error) {
	return sendEntries(s, s.draining, func(ctx context.Context) iter.Seq2[api.FileEvent, error] {
		return s.Service.WatchFiles(ctx, in.ID, in.Path, in.Recursive, in.options())
	}, func(e api.FileEvent) (int64, string) { return 0, e.Type }), nil
}

// asciiJSON writes v as JSON that can stand in a header.
func asciiJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	ascii := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r < 0x7f {
			ascii = append(ascii, byte(r))
			continue
		}
		ascii = append(ascii, escaped(r)...)
	}
	return string(ascii)
}
