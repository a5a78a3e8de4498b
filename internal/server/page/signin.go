package page

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// The token of the server gets a person a cookie for signedInFor. It carries its end
// and a signature, so it outlives the server, and ends with the token.
const (
	cookieName  = "glovebox-page"
	signedInFor = 7 * 24 * time.Hour
	maxForm     = 4 << 20 // bytes of a form without files
)

// keys sign cookies and forms.
type keys struct {
	open  bool // nobody needs a token
	hash  [sha256.Size]byte
	value []byte
}

func newKeys(tokenHash [sha256.Size]byte) keys {
	if tokenHash == ([sha256.Size]byte{}) {
		return keys{open: true, value: []byte(rand.Text())}
	}
	return keys{hash: tokenHash, value: mac(tokenHash[:], "glovebox page")}
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func (k keys) sign(text string) string {
	return base64.RawURLEncoding.EncodeToString(mac(k.value, text))
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// accepts reports whether token is that of the server.
func (k keys) accepts(token string) bool {
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(given[:], k.hash[:]) == 1
}

// cookie returns the value of a cookie that counts until end.
func (k keys) cookie(end time.Time) string {
	text := strconv.FormatInt(end.Unix(), 10) + "." + rand.Text()
	return text + "." + k.sign("cookie "+text)
}

func (k keys) counts(cookie string, now time.Time) bool {
	i := strings.LastIndexByte(cookie, '.')
	if i < 0 || !equal(cookie[i+1:], k.sign("cookie "+cookie[:i])) {
		return false
	}
	seconds, _, _ := strings.Cut(cookie, ".")
	end, err := strconv.ParseInt(seconds, 10, 64)
	return err == nil && now.Unix() < end
}

// formToken returns what a form of the holder of a cookie carries, so that no other
// page can send one.
func (k keys) formToken(cookie string) string { return k.sign("form " + cookie) }

func cookieOf(r *http.Request) string {
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value
	}
	return ""
}

func (p *Page) signedIn(r *http.Request) bool {
	return p.keys.open || p.keys.counts(cookieOf(r), p.Now())
}

func (p *Page) formToken(r *http.Request) string {
	if p.keys.open {
		return p.keys.formToken("")
	}
	return p.keys.formToken(cookieOf(r))
}

// readForm reads the body of a form, and holds its token to the cookie.
func (p *Page) readForm(w http.ResponseWriter, r *http.Request) error {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		form, err := p.readParts(w, r, maxFormFiles)
		r.PostForm = form
		return err
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return badForm(err)
	}
	return p.checkToken(r, r.PostForm.Get("form-token"))
}

func (p *Page) checkToken(r *http.Request, token string) error {
	if !equal(token, p.formToken(r)) {
		return api.Errorf(api.Unauthorized, "the form was not made for you, or you have signed in again since").WithHint("load the page again, and send the form once more")
	}
	return nil
}

// askToSignIn answers a request of somebody who has not signed in.
func (p *Page) askToSignIn(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !wantsHTML(r) {
		http.Error(w, "sign in first", http.StatusUnauthorized)
		return
	}
	redirect(up(r)+"page/sign-in?next="+url.QueryEscape(r.URL.RequestURI()))(w, r)
}

type signInData struct {
	Next   string
	Failed bool
}

func (p *Page) signInForm(w http.ResponseWriter, r *http.Request) {
	p.askForToken(w, r, http.StatusOK, signInData{Next: r.URL.Query().Get("next")})
}

func (p *Page) askForToken(w http.ResponseWriter, r *http.Request, status int, data signInData) {
	if err := p.render(w, r, status, content{Template: "signin", Title: "Sign in", Data: data}); err != nil {
		p.fail(w, r, err)
	}
}

// signIn takes the token, or a code that CodeFor made.
func (p *Page) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
		return
	}
	if !p.codes.take(r.PostForm.Get("code"), p.Now()) && !p.keys.accepts(r.PostForm.Get("token")) {
		p.Logger.Warn("somebody was not let in to the page", "remote", r.RemoteAddr)
		p.askForToken(w, r, http.StatusUnauthorized, signInData{Next: r.PostForm.Get("next"), Failed: true})
		return
	}
	end := p.Now().Add(signedInFor)
	// Without a path it is sent to all that is beside this form, also below the path
	// of a proxy.
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: p.keys.cookie(end), Expires: end, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: r.TLS != nil})
	redirect(nextAfterSignIn(r.PostForm.Get("next")))(w, r)
}

// nextAfterSignIn returns where to go from the form, relative to it. Whatever else
// than a page of this server was asked for leads to the list of runs.
func nextAfterSignIn(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, "/page/") || strings.HasPrefix(u.Path, "/page/sign-") || strings.ContainsAny(u.Path, `\:`) || strings.Contains(u.Path, "..") || strings.Contains(u.Path, "//") {
		return "runs"
	}
	return strings.TrimPrefix(u.EscapedPath(), "/page/") + query(u)
}

func query(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

func (p *Page) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := p.readForm(w, r); err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: r.TLS != nil})
	redirect("sign-in")(w, r)
	return nil
}

// codes let in once each, shortly after they were made.
type codes struct {
	mu   sync.Mutex
	ends map[string]time.Time
}

const (
	codeCounts = time.Minute
	maxCodes   = 1000
)

// Code returns what signs one browser in within a minute, in place of the token.
func (p *Page) Code() (string, error) {
	p.codes.mu.Lock()
	defer p.codes.mu.Unlock()
	now := p.Now()
	for code, end := range p.codes.ends {
		if now.After(end) {
			delete(p.codes.ends, code)
		}
	}
	if len(p.codes.ends) >= maxCodes {
		return "", api.Errorf(api.Overloaded, "%d codes were made within a minute", maxCodes).WithHint("sign in with the token")
	}
	if p.codes.ends == nil {
		p.codes.ends = map[string]time.Time{}
	}
	code := rand.Text()
	p.codes.ends[code] = now.Add(codeCounts)
	return code, nil
}

func (c *codes) take(code string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	end, ok := c.ends[code]
	delete(c.ends, code)
	return ok && now.Before(end)
}
