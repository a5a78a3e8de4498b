package withheld

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/secret"
)

// settled is how much of a stream may be let go although it could begin a value: what
// waits for the end of a message gets it.
const settled = 4 // bytes

// take takes the values out of an answer, whose body is read after that.
func (x *Exchange) take(resp *http.Response) error {
	if !x.onlySigns() { // else what was stored compressed stays so
		if err := decode(resp); err != nil {
			return err
		}
	}
	if x.maxResponse > 0 && resp.ContentLength > x.maxResponse && resp.Request.Method != http.MethodHead {
		return x.end(tooLarge("answer", x.maxResponse))
	}
	mask := x.place.set.redactor.Mask
	maskHeaders(resp.Header, mask)
	resp.Status = mask(resp.Status)
	body := &masked{source: resp.Body, live: resp.ContentLength < 0, ended: func() { maskHeaders(resp.Trailer, mask) }}
	body.mask = x.place.set.redactor.Masker(&body.ready)
	out := &counted{ReadCloser: body, n: &x.in, max: x.maxResponse, over: func() error { return x.end(tooLarge("answer", x.maxResponse)) }}
	if both, ok := resp.Body.(io.ReadWriteCloser); ok && resp.StatusCode == http.StatusSwitchingProtocols {
		body.live = true
		resp.Body = &upgraded{out, &sent{both, x}}
		return nil
	}
	resp.Body = out
	return nil
}

// upgraded is the body of an answer that switches protocols. Its frames to the program
// are masked byte by byte, which leaves their lengths.
type upgraded struct {
	*counted
	io.Writer
}

var errEnded = errors.New("the host has ended the connection")

// Read implements io.Reader. The end is an error, by which both directions end.
func (u *upgraded) Read(p []byte) (int, error) {
	n, err := u.counted.Read(p)
	if err == io.EOF {
		err = errEnded
	}
	return n, err
}

// sent counts what a program sends after a switch of protocols.
type sent struct {
	io.Writer
	x *Exchange
}

// Write implements io.Writer.
func (s *sent) Write(p []byte) (int, error) {
	if total := s.x.out.Add(int64(len(p))); s.x.maxRequest > 0 && total > s.x.maxRequest {
		return 0, s.x.end(tooLarge("request", s.x.maxRequest))
	}
	return s.Writer.Write(p)
}

// decode undoes a compression that was not asked for, and refuses one that it does not
// know: nothing would be found in it.
func decode(resp *http.Response) error {
	if e := resp.Header.Get("Grpc-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return fmt.Errorf("the answer is compressed by %q, which was not asked for", clip(e))
	}
	encodings := strings.Join(resp.Header["Content-Encoding"], ",")
	switch strings.ToLower(strings.TrimSpace(encodings)) {
	case "", "identity":
		return nil
	case "gzip", "x-gzip":
	default:
		return fmt.Errorf("the answer is compressed by %q, which was not asked for", clip(encodings))
	}
	resp.Header.Del("Content-Encoding")
	if resp.Request.Method == http.MethodHead || resp.ContentLength == 0 {
		return nil
	}
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	resp.Body = &unzipped{source: resp.Body}
	return nil
}

// unzipped begins to decode with the first byte that is read.
type unzipped struct {
	source io.ReadCloser
	zip    *gzip.Reader
}

// Read implements io.Reader.
func (u *unzipped) Read(p []byte) (n int, err error) {
	if u.zip == nil {
		if u.zip, err = gzip.NewReader(u.source); err != nil {
			return 0, err
		}
	}
	return u.zip.Read(p)
}

// Close implements io.Closer.
func (u *unzipped) Close() error { return u.source.Close() }

// maskHeaders takes values out of the names and the texts of headers.
func maskHeaders(h http.Header, mask func(string) string) {
	for name, values := range h {
		for i := range values {
			values[i] = mask(values[i])
		}
		if clean := mask(name); clean != name {
			delete(h, name)
			h[clean] = values
		}
	}
}

// masked is a body with stars in place of values. What may begin one is held back until
// more comes.
type masked struct {
	source io.ReadCloser
	mask   *secret.Writer
	live   bool // somebody may wait for what has come
	ended  func()
	ready  bytes.Buffer
	chunk  []byte
	err    error
}

// Read implements io.Reader.
func (m *masked) Read(p []byte) (int, error) {
	for m.ready.Len() == 0 && m.err == nil {
		m.fill()
	}
	if m.ready.Len() > 0 {
		return m.ready.Read(p)
	}
	return 0, m.err
}

func (m *masked) fill() {
	if m.chunk == nil {
		m.chunk = make([]byte, 16<<10)
	}
	n, err := m.source.Read(m.chunk)
	_, _ = m.mask.Write(m.chunk[:n]) // a buffer takes everything
	if m.live {
		_ = m.mask.Settle(settled)
	}
	if err == nil {
		return
	}
	_ = m.mask.Close()
	m.err = err
	if err == io.EOF {
		m.ended()
	}
}

// Close implements io.Closer.
func (m *masked) Close() error { return m.source.Close() }
