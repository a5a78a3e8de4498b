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
)

// registerBlobs adds the routes of bytes by their content.
func (s *Server) registerBlobs() {
	put := operation(http.MethodPost, "/v1/blobs", "blobs", "putBlob", "Store bytes")
	put.DefaultStatus = http.StatusCreated
	put.RequestBody = binaryBody("The bytes")
	route(s, traits{stream: true, raw: true}, put, s.putBlob)

	get := operation(http.MethodGet, "/v1/blobs/{digest}", "blobs", "getBlob", "Bytes by their content; HEAD tells whether they are there")
	route(s, traits{stream: true}, get, s.getBlob)
	s.content(get, "200", "The bytes", "application/octet-stream")
	s.content(get, "206", "The bytes of the range", "application/octet-stream")
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
	Range       string `header:"Range" doc:"Bytes, where the store can seek"`
	IfNoneMatch string `header:"If-None-Match"`
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
		if seekable, ok := blob.(io.ReadSeeker); ok && r.Header.Get("Range") != "" {
			http.ServeContent(w, r, "", time.Time{}, seekable)
			return
		}
		s.sendWhole(w, r, blob, digest, size)
	}), nil
}

// sendWhole sends bytes from their beginning, so that damage is found.
func (s *Server) sendWhole(w http.ResponseWriter, r *http.Request, blob io.Reader, digest string, size int64) {
	if strings.Contains(r.Header.Get("If-None-Match"), digest) {
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
		panic(http.ErrAbortHandler) // so that nobody takes it for whole
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
