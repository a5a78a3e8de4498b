package withheld

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"sync"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// The bounds of bodies whose digest the program does not give.
const (
	maxSigned = 16 << 20 // bytes of one
	maxBodies = 4        // of a cell at once
)

var digest = lazyregexp.New(`^[0-9a-f]{64}$`)

// payload returns the digest of the body, or what stands for it. A body whose digest
// does not come with it is read first, as much as is allowed.
func (x *Exchange) payload(req *http.Request) (string, *Refusal) {
	switch sum := req.Header.Get("X-Amz-Content-Sha256"); {
	case sum == "UNSIGNED-PAYLOAD" || sum == "STREAMING-UNSIGNED-PAYLOAD-TRAILER" || digest().MatchString(sum):
		return sum, nil
	case sum != "":
		return "", &Refusal{"a body that is signed in pieces cannot be signed again (" + clip(sum) + ")", "send UNSIGNED-PAYLOAD or the digest of the body, as SDKs do over TLS"}
	case req.Body == nil || req.Body == http.NoBody:
		return hex.EncodeToString(sha256.New().Sum(nil)), nil
	}
	if req.ContentLength > maxSigned {
		return "", tooLarge("request to sign", maxSigned)
	}
	bodies := x.place.set.bodies
	select {
	case bodies <- struct{}{}:
	case <-req.Context().Done():
		return "", errNotWhole
	}
	body := &whole{release: sync.OnceFunc(func() { <-bodies })}
	if refusal := x.read(body, req.Body); refusal != nil {
		body.release()
		return "", refusal
	}
	req.Body, req.ContentLength = body, int64(body.Len())
	sum := sha256.Sum256(body.Bytes())
	return hex.EncodeToString(sum[:]), nil
}

// read reads a body up to the bound.
func (x *Exchange) read(into *whole, body io.ReadCloser) *Refusal {
	defer body.Close()
	n, err := into.ReadFrom(io.LimitReader(body, maxSigned+1))
	switch {
	case x.Cut() != nil:
		return x.Cut()
	case err != nil:
		return errNotWhole
	case n > maxSigned:
		return tooLarge("request to sign", maxSigned)
	}
	return nil
}

var errNotWhole = &Refusal{"the body of the request did not come whole", "send it again"}

// whole is a body that was read before it is sent.
type whole struct {
	bytes.Buffer
	release func()
}

// Close implements io.Closer.
func (w *whole) Close() error {
	w.release()
	return nil
}
