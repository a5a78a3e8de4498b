package withheld

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

const (
	testValue       = "sk-live-4f9a8b7c6d5e4321"
	testPlaceholder = "glovebox-abcdefghijklmnop"
)

func placeOf(t *testing.T, value string, refs ...api.SecretRef) *Place {
	t.Helper()
	var values []Value
	for _, ref := range refs {
		ref.Hosts = []string{"a.example.com"}
		values = append(values, Value{ref, value, testPlaceholder})
	}
	set, err := New(values, []byte("key"), time.Now().Add(time.Hour), secret.NewRedactor([]byte(value)))
	if err != nil {
		t.Fatal(err)
	}
	return set.At(true, "a.example.com", 443)
}

// answers is a host that says what it got.
type answers func(*http.Request)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a(r)
	w := httptest.NewRecorder()
	w.WriteHeader(http.StatusOK)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

func TestHosts(t *testing.T) {
	for text, want := range map[string][]string{ // places that match, and then those that do not
		"a.example.com":         {"s a.example.com 443", "", "s a.example.com 80", "p a.example.com 80", "s b.a.example.com 443", "s example.com 443"},
		"*.example.com":         {"s a.example.com 443", "s a.b.example.com 443", "", "s example.com 443", "s aexample.com 443"},
		"A.example.com.:8443":   {"s a.example.com 8443", "", "s a.example.com 443"},
		"http://a.example.com":  {"p a.example.com 80", "", "s a.example.com 80", "s a.example.com 443"},
		"https://a.example.com": {"s a.example.com 443", "", "p a.example.com 443"},
	} {
		h, err := parseHost("hosts", text)
		if err != nil {
			t.Fatal(err)
		}
		matches := true
		for _, place := range want {
			if place == "" {
				matches = false
				continue
			}
			words := strings.Fields(place)
			port := map[string]uint16{"80": 80, "443": 443, "8443": 8443}[words[2]]
			if h.matches(words[0] == "s", words[1], port) != matches {
				t.Errorf("%s and %s: want %v", text, place, matches)
			}
		}
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule, method, path string
		want               bool
	}{
		{"GET /v1/*", "GET", "/v1/models", true}, {"GET /v1/*", "GET", "/v1/", true}, {"GET /v1/*", "GET", "/v1", false}, {"GET /v1/*", "HEAD", "/v1/x", false},
		{"* /a/*/c", "POST", "/a/b/c", true}, {"* /a/*/c", "POST", "/a/b/d/c", true}, {"* /a/*/c", "POST", "/a/b/c/d", false}, {"* /a*a", "GET", "/a", false},
		{"GET *", "GET", "/anything", true}, {"GET /x", "GET", "/x/", false}, {"GET /*b*d", "GET", "/abcbd", true},
	} {
		r, ok := parseRule(c.rule)
		if !ok || r.matches(c.method, c.path) != c.want {
			t.Errorf("%s and %s %s: want %v", c.rule, c.method, c.path, c.want)
		}
	}
	for _, bad := range []string{"", "GET", "/v1", "get /v1", "GET v1", "GET /v1?x", "GET /%2f", "GET  /v1", "G T /v1"} {
		if _, ok := parseRule(bad); ok {
			t.Errorf("%q is a rule", bad)
		}
	}
}

// A method is what it says, and not what a header says.
func TestOverridesAreLeftOut(t *testing.T) {
	req := httptest.NewRequest("GET", "https://a.example.com/v1/x", nil)
	req.Header.Set("X-HTTP-Method-Override", "DELETE")
	x, no := placeOf(t, testValue, api.SecretRef{Name: "a", Allow: []string{"GET /v1/*"}}).Begin(req, answers(func(r *http.Request) {
		if r.Header.Get("X-Http-Method-Override") != "" {
			t.Error("the host gets another method")
		}
	}))
	if no != nil {
		t.Fatal(no)
	}
	if _, err := x.RoundTrip(req); err != nil {
		t.Fatal(err)
	}
}

// A request has the secrets whose rules allow it, and no others.
func TestRulesAreOfEachSecret(t *testing.T) {
	place := placeOf(t, testValue, api.SecretRef{Name: "read", Inject: "header:X-Read: {}", Allow: []string{"GET /*"}},
		api.SecretRef{Name: "write", Inject: "header:X-Write: {}", Allow: []string{"POST /*"}})
	for method, want := range map[string]string{"GET": "read", "POST": "write", "DELETE": ""} {
		req := httptest.NewRequest(method, "https://a.example.com/", nil)
		x, no := place.Begin(req, answers(func(*http.Request) {}))
		if want == "" {
			if no == nil {
				t.Errorf("%s is allowed", method)
			}
			continue
		}
		if _, err := x.RoundTrip(req); err != nil || strings.Join(x.Secrets(), " ") != want {
			t.Errorf("%s has %v, %v", method, x.Secrets(), err)
		}
	}
}

// Many placeholders do not make a request that the host has no room for.
func TestManyPlaceholders(t *testing.T) {
	large := strings.Repeat("x", maxValue)
	many := strings.Repeat(testPlaceholder, 1000)
	for _, header := range []string{many, "Basic " + base64.StdEncoding.EncodeToString([]byte(many))} {
		req := httptest.NewRequest("GET", "https://a.example.com/", nil)
		req.Header.Set("Authorization", header)
		x, no := placeOf(t, large, api.SecretRef{Name: "a"}).Begin(req, answers(func(*http.Request) { t.Error("it was sent") }))
		if no != nil {
			t.Fatal(no)
		}
		if _, err := x.RoundTrip(req); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("got %v", err)
		}
		if size := sizeOf(req.Header); size > 4*maxHeaders {
			t.Errorf("%d bytes of headers were made", size)
		}
	}
}

// The error shows nothing of a value.
func TestKeysThatCannotSign(t *testing.T) {
	ref := api.SecretRef{Name: "aws", Hosts: []string{"a.example.com"}, Inject: sigV4}
	for _, value := range []string{"wJalrXUtnFEMI/K7MDENG", "AKID:short", ":wJalrXUtnFEMI", "AK ID:wJalrXUtnFEMI", "AKID:wJalrXUtnFEMI:token:more"} {
		_, err := New([]Value{{ref, value, testPlaceholder}}, []byte("key"), time.Now(), secret.NewRedactor())
		if err == nil || !strings.Contains(err.Error(), "no key of AWS") || strings.Contains(err.Error(), value) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func TestValuesThatCannotBeWithheld(t *testing.T) {
	for value, words := range map[string]string{
		"short": "shorter", strings.Repeat("x", maxValue+1): "longer", "sk-0123456789\n": "end of a line", "sk-0123456789\r\nX: y": "end of a line", "sk-01234\x0056789": "no header",
	} {
		_, err := New([]Value{{api.SecretRef{Name: "a", Hosts: []string{"a.example.com"}}, value, testPlaceholder}}, []byte("key"), time.Now(), secret.NewRedactor())
		if err == nil || !strings.Contains(err.Error(), words) || len(value) > 8 && strings.Contains(err.Error(), value) {
			t.Errorf("%.20q: %v", value, err)
		}
	}
}
