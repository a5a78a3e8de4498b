package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeFace claims what has its header, and says whether the client is authorised.
type fakeFace struct{}

func (fakeFace) Claims(r *http.Request, known bool) bool {
	return r.Header.Get("Named") != "" || !known && r.Header.Get("Key") != ""
}

func (fakeFace) APIKey(r *http.Request) string { return r.Header.Get("Key") }

func (fakeFace) HostSuffix(host string) (string, bool) { return strings.CutPrefix(host, "80-id.") }

func (fakeFace) Serve(w http.ResponseWriter, _ *http.Request, authorised bool) {
	status := http.StatusTeapot
	if !authorised {
		status = http.StatusPaymentRequired
	}
	w.WriteHeader(status)
}

// TestFace is A10: a face gets the requests that are its own, with the word of the
// server on their token, and pages of other origins get nothing from it.
func TestFace(t *testing.T) {
	const answered, unauthorised = http.StatusTeapot, http.StatusPaymentRequired
	h := start(t, func(c *Config) { c.E2B = fakeFace{} })
	port := h.tcp[strings.LastIndex(h.tcp, ":"):]
	for _, test := range []struct {
		path    string
		headers []string
		status  int
	}{
		{"/sandboxes", []string{"Key: " + token}, answered},
		{"/sandboxes", []string{"Key: wrong"}, unauthorised},
		{"/sandboxes", []string{"Key: "}, 401},
		{"/sandboxes", []string{"Authorization: Bearer " + token}, 404},
		{"/v1/version", []string{"Key: " + token}, 401},
		{"/v1/version", []string{"Key: wrong", "Authorization: Bearer " + token}, 200},
		{"/v1/version", []string{"Named: yes"}, unauthorised},
		{"/a//b/../c", []string{"Named: yes", "Key: " + token}, answered},
		{"/", []string{"Named: yes", "Host: 80-id.localhost" + port}, unauthorised},
		{"/", []string{"Named: yes", "Host: 80-id.evil.example"}, 421},
		{"/", []string{"Named: yes", "Host: evil.example"}, 421},
		{"/sandboxes", []string{"Key: " + token, "Origin: http://evil.example"}, 403},
		{"/", []string{"Named: yes", "Sec-Fetch-Site: same-site"}, 403},
	} {
		if res := h.askTCP("GET", test.path, "", test.headers...); res.StatusCode != test.status {
			t.Errorf("%s with %q: %d, want %d", test.path, test.headers, res.StatusCode, test.status)
		}
	}
	if res := h.ask("GET", "/sandboxes", "", "Key: any"); res.StatusCode != answered {
		t.Errorf("from the user of this host: %d", res.StatusCode)
	}
}

// TestFaceIsBounded: a request of a face takes the place of a stream.
func TestFaceIsBounded(t *testing.T) {
	h := start(t, func(c *Config) { c.E2B = fakeFace{}; c.Limits.Streams = 1 })
	h.streams <- struct{}{}
	expect(t, h.askTCP("GET", "/sandboxes", "", "Key: "+token), http.StatusTooManyRequests, api.Overloaded)
}
