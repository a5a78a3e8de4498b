package e2b

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// The purposes of tokens.
const (
	envdPurpose    = "envd"
	trafficPurpose = "traffic"
)

// token returns the token of a sandbox for a purpose. It follows from the id and a
// key that never leaves the server, so none has to be kept, it survives a pause,
// and that of one sandbox says nothing about that of another.
func (f *Face) token(purpose, id string) string {
	mac := hmac.New(sha256.New, f.Config.Key)
	_, _ = mac.Write([]byte("e2b " + purpose + " " + id)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// envdToken returns the token that envd of a sandbox asks for; empty if it is open.
func (f *Face) envdToken(s *api.Session) string {
	if s.Spec.Labels[labelOpen] != "" {
		return ""
	}
	return f.token(envdPurpose, s.ID)
}

func equal(given, want string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(want)) // of one length, so that the time tells nothing
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// signature is what a signed URL shows in place of a token.
type signature struct {
	path, user, operation string
	expires               string // unix seconds; empty if it never does
	value                 string
}

func signatureOf(r *http.Request) signature {
	q, operation := r.URL.Query(), "write"
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		operation = "read"
	}
	return signature{
		path: q.Get("path"), user: q.Get("username"), operation: operation,
		expires: q.Get("signature_expiration"), value: q.Get("signature"),
	}
}

// by reports whether a signature was made with a token.
func (s signature) by(token string) bool {
	text := s.path + ":" + s.operation + ":" + s.user + ":" + token
	if s.expires != "" {
		text += ":" + s.expires
	}
	sum := sha256.Sum256([]byte(text))
	return token != "" && equal(s.value, "v1_"+base64.RawStdEncoding.EncodeToString(sum[:]))
}

// expired reports whether the time of a signature is over.
func (s signature) expired() bool {
	if s.expires == "" {
		return false
	}
	at, err := strconv.ParseInt(s.expires, 10, 64)
	return err != nil || time.Now().Unix() >= at
}

var errExpired = refused{http.StatusUnauthorized, "signature is already expired"}

// checkFiles lets a request for files pass that shows the token of the sandbox, or a
// signature made with it.
func (f *Face) checkFiles(r *http.Request, s *api.Session) error {
	token := f.envdToken(s)
	if token == "" || equal(r.Header.Get("X-Access-Token"), token) {
		return nil
	}
	given := signatureOf(r)
	switch {
	case given.value == "":
		return refused{http.StatusUnauthorized, "missing signature query parameter"}
	case !given.by(token):
		return refused{http.StatusUnauthorized, "invalid signature"}
	case given.expired():
		return errExpired
	}
	return nil
}

// serveSigned answers a request for a file by a signed URL. Nothing but the
// signature says of which sandbox.
func (f *Face) serveSigned(w http.ResponseWriter, r *http.Request) {
	s, err := f.signer(r.Context(), signatureOf(r))
	if err != nil {
		f.fail(w, r, err)
		return
	}
	f.serveSandbox(w, r, destination{s.ID, envdPort})
}

// signer finds the sandbox with whose token a signature was made.
func (f *Face) signer(ctx context.Context, given signature) (*api.Session, error) {
	for s, err := range f.all(ctx, api.SessionQuery{State: living}) {
		if err != nil {
			return nil, err
		}
		if given.by(f.envdToken(&s)) {
			return &s, nil
		}
	}
	return nil, refused{http.StatusUnauthorized, "invalid signature"}
}
