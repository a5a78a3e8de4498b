package server

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// registerBlobs adds the routes of bytes by their content.
func (s *Server) registerBlobs() {
	put := operation(http.MethodPost, "/v1/blobs", "blobs", "putBlob", "Store bytes")
	put.DefaultStatus = http.StatusCreated
	put.RequestBody = binaryBody("The bytes; without a body there are none, which is a blob too")
	route(s, traits{stream: true, raw: true}, put, s.putBlob)
	put.RequestBody.Required = false

	get := operation(http.MethodGet, "/v1/blobs/{digest}", "blobs", "getBlob", "Bytes by their content; HEAD tells whether they are there")
	route(s, traits{stream: true}, get, s.getBlob)
	s.content(get, "200", "The bytes", "application/octet-stream")
	s.describeBytes(get)
}

// describeBytes adds the other answers of a route that sends bytes.
func (s *Server) describeBytes(op huma.Operation) {
	s.content(op, "206", "The bytes of the range, which are not held to their digest; of several ranges each in a part", "application/octet-stream", "multipart/byteranges")
	s.answers(op, "304", "The bytes are those that the client knows", nil)
	answers := s.operationOf(op).Responses
	answers["416"] = &huma.Response{Ref: "#/components/responses/Error416"}
	for status, names := range map[string][]string{"200": {"ETag", "Accept-Ranges"}, "206": {"ETag", "Content-Range"}, "304": {"ETag"}} {
		for _, name := range names {
			addHeader(answers[status], name, byteHeaders[name])
		}
	}
}

// byteHeaders are the headers of answers that are bytes.
var byteHeaders = map[string]string{
	"ETag": "The SHA-256 of the bytes, in quotes", "Accept-Ranges": "bytes, if parts can be asked for", "Content-Range": "Which bytes of how many these are",
}

type putBlobInput struct {
	rawBody
}

type blobAnswer struct {
	Digest string `json:"digest" doc:"SHA-256 in hexadecimal"`
	Size   int64  `json:"size" doc:"Bytes"`
}

func (s *Server) putBlob(ctx context.Context, in *putBlobInput) (*answer[blobAnswer], error) {
	bounded := http.MaxBytesReader(nil, io.NopCloser(in.r), s.Limits.Blob)
	digest, size, err := s.Service.PutBlob(ctx, bounded)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = api.Errorf(api.RequestInvalid, "the body ended before its length")
	}
	return answerWith(blobAnswer{digest, size}, err)
}

type blobInput struct {
	Digest      string `path:"digest" pattern:"^[0-9a-f]{64}$" doc:"SHA-256 in hexadecimal"`
	Range       string `header:"Range" doc:"Only these bytes, such as bytes=0-99" example:"bytes=0-99"`
	IfRange     string `header:"If-Range" doc:"Range counts only if this is the ETag"`
	IfNoneMatch string `header:"If-None-Match" doc:"Not these bytes again: an ETag that is known"`
}

func (s *Server) getBlob(ctx context.Context, in *blobInput) (*huma.StreamResponse, error) {
	return s.sendBlob(ctx, in.Digest, "")
}

// sendBlob sends bytes under a name, which may be empty.
func (s *Server) sendBlob(ctx context.Context, digest, name string) (*huma.StreamResponse, error) {
	blob, size, err := s.Service.OpenBlob(ctx, digest)
	if err != nil {
		return nil, err
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		defer blob.Close()
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("ETag", `"`+digest+`"`)
		attach(w, name)
		seekable, ok := blob.(io.ReadSeeker)
		if ok {
			w.Header().Set("Accept-Ranges", "bytes")
		}
		if ok && r.Method == http.MethodGet && rangeForm().MatchString(r.Header.Get("Range")) {
			s.sendRange(w, r, seekable, digest)
			return
		}
		s.sendWhole(w, r, blob, digest, size)
	}), nil
}

// rangeForm are ranges of bytes. What has another form, or counts in other units,
// is ignored, as RFC 9110 has it.
var rangeForm = lazyregexp.New(`^bytes=[ \t]*([0-9]+-[0-9]*|-[0-9]+)([ \t]*,[ \t]*([0-9]+-[0-9]*|-[0-9]+))*[ \t]*$`)

// sendRange sends the bytes that the request asks for, or all of them if they
// are others than those that it knows.
func (s *Server) sendRange(w http.ResponseWriter, r *http.Request, blob io.ReadSeeker, digest string) {
	watched := &watchedReader{ReadSeeker: blob}
	http.ServeContent(&rangeAnswer{ResponseWriter: w, r: r}, r, "", time.Time{}, watched)
	if watched.err != nil {
		s.Logger.Error("a blob was not sent whole", "request", infoOf(r).id, "digest", digest, "error", watched.err)
		panic(http.ErrAbortHandler) // cuts the connection, so that the client sees a broken body
	}
}

// watchedReader remembers an error of reading, which ServeContent ignores.
type watchedReader struct {
	io.ReadSeeker
	err error
}

func (r *watchedReader) Read(p []byte) (int, error) {
	n, err := r.ReadSeeker.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// rangeAnswer replaces what ServeContent says of a range that there is not.
type rangeAnswer struct {
	http.ResponseWriter
	r       *http.Request
	refused bool
}

// Unwrap lets http.ResponseController find what is below.
func (w *rangeAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader begins the answer.
func (w *rangeAnswer) WriteHeader(status int) {
	if w.refused = status == http.StatusRequestedRangeNotSatisfiable; !w.refused {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.Header().Set("Cache-Control", "no-store") // ServeContent has taken it away
	refusal(status, api.Errorf(api.RequestInvalid, "there are no bytes in that range").
		WithDetails(api.Details{Field: "Range", Expected: "a range of " + strings.TrimPrefix(w.Header().Get("Content-Range"), "bytes */") + " bytes", Got: w.r.Header.Get("Range")})).
		write(w.ResponseWriter, w.r)
}

func (w *rangeAnswer) Write(p []byte) (int, error) {
	if w.refused {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// sendWhole sends bytes from their beginning, so that damage is found.
func (s *Server) sendWhole(w http.ResponseWriter, r *http.Request, blob io.Reader, digest string, size int64) {
	if known := r.Header.Get("If-None-Match"); strings.Contains(known, digest) || known == "*" {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	if r.Method == http.MethodHead {
		return
	}
	n, err := io.Copy(w, blob)
	if err != nil || n != size {
		s.Logger.Error("a blob was not sent whole", "request", infoOf(r).id, "digest", digest, "sent", n, "size", size, "error", err)
		panic(http.ErrAbortHandler) // cuts the connection, so that the client sees a broken body
	}
}

// attach makes a browser keep the answer as a file instead of showing it.
func attach(w http.ResponseWriter, name string) {
	disposition := mime.FormatMediaType("attachment", map[string]string{"filename": lastElement(name)})
	if name == "" || disposition == "" {
		disposition = "attachment"
	}
	w.Header().Set("Content-Disposition", disposition)
}
