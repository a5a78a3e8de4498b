package image

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func env(m map[string]string) func(string) string { return func(k string) string { return m[k] } }

func TestReadIndexes(t *testing.T) {
	conf := filepath.Join(t.TempDir(), "pip.conf")
	text := "[global]\nindex-url = https://conf.example/simple\nextra_index_url =\n    https://one.example/simple\n    https://two.example/simple\n[list]\nindex-url = https://wrong.example\n"
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		env   map[string]string
		want  []string
		hosts []string
	}{
		"nothing":        {nil, []string{"UV_DEFAULT_INDEX=https://pypi.org/simple", "PIP_INDEX_URL=https://pypi.org/simple"}, []string{"files.pythonhosted.org", "pypi.org"}},
		"uv before pip":  {map[string]string{"UV_DEFAULT_INDEX": "https://uv.example/s", "PIP_INDEX_URL": "https://pip.example/s"}, []string{"UV_DEFAULT_INDEX=https://uv.example/s", "PIP_INDEX_URL=https://uv.example/s"}, []string{"files.pythonhosted.org", "uv.example"}},
		"pip.conf":       {map[string]string{"PIP_CONFIG_FILE": conf}, []string{"UV_DEFAULT_INDEX=https://conf.example/simple", "PIP_INDEX_URL=https://conf.example/simple", "UV_INDEX=https://one.example/simple https://two.example/simple", "PIP_EXTRA_INDEX_URL=https://one.example/simple https://two.example/simple"}, []string{"conf.example", "files.pythonhosted.org", "one.example", "two.example"}},
		"named, port":    {map[string]string{"UV_INDEX": "x=https://a.example:8443/s"}, []string{"UV_DEFAULT_INDEX=https://pypi.org/simple", "PIP_INDEX_URL=https://pypi.org/simple", "UV_INDEX=https://a.example:8443/s", "PIP_EXTRA_INDEX_URL=https://a.example:8443/s"}, []string{"a.example:8443", "files.pythonhosted.org", "pypi.org"}},
		"credentials":    {map[string]string{"PIP_INDEX_URL": "https://u:p@a.example/s"}, []string{"UV_DEFAULT_INDEX=http://index-0.glovebox.internal/s", "PIP_INDEX_URL=http://index-0.glovebox.internal/s"}, []string{"files.pythonhosted.org"}},
		"on this host":   {map[string]string{"PIP_INDEX_URL": "http://127.0.0.1:3141/s"}, []string{"UV_DEFAULT_INDEX=http://index-0.glovebox.internal/s", "PIP_INDEX_URL=http://index-0.glovebox.internal/s"}, []string{"files.pythonhosted.org"}},
		"links on disk":  {map[string]string{"PIP_FIND_LINKS": "/opt/wheels"}, []string{"UV_DEFAULT_INDEX=https://pypi.org/simple", "PIP_INDEX_URL=https://pypi.org/simple"}, []string{"files.pythonhosted.org", "pypi.org"}},
		"links of a URL": {map[string]string{"PIP_FIND_LINKS": "/opt/wheels https://l.example/w"}, []string{"UV_DEFAULT_INDEX=https://pypi.org/simple", "PIP_INDEX_URL=https://pypi.org/simple", "UV_FIND_LINKS=https://l.example/w", "PIP_FIND_LINKS=https://l.example/w"}, []string{"files.pythonhosted.org", "l.example", "pypi.org"}},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := readIndexes(env(tt.env))
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Insert(tt.want, 2, "UV_INDEX_STRATEGY=first-index")
			if diff := cmp.Diff(want, set.env()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.hosts, set.hosts()); diff != "" {
				t.Error(diff)
			}
		})
	}
	_, err := readIndexes(env(map[string]string{"PIP_INDEX_URL": "ftp://u:canary@x/"}))
	if e := api.AsError(err); e == nil || e.Code != api.IndexUnavailable || strings.Contains(e.Error(), "canary") {
		t.Errorf("error %v", err)
	}
}

// relayTo speaks to a relay as a program in a cell does.
func relayTo(t *testing.T, set indexes, client *http.Client, next func(context.Context, net.Conn)) *http.Client {
	t.Helper()
	serve := newRelay(set, client, next)
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy"}),
			DialContext: func(context.Context, string, string) (net.Conn, error) {
				ours, theirs := net.Pipe()
				go serve(t.Context(), theirs)
				return ours, nil
			},
		},
	}
}

func TestRelay(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if user != "u" || password != "p" || r.Header.Get("X-Other") != "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Set-Cookie", "session=secret")
		switch r.URL.Path {
		case "/simple/six/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<a href="`+server.URL+`/files/six.whl">six</a><a href="https://elsewhere.example/x">x</a>`)
		case "/files/six.whl":
			_, _ = io.WriteString(w, "wheel of "+server.URL+"/")
		case "/moved":
			http.Redirect(w, r, "/simple/six/", http.StatusFound)
		case "/away":
			http.Redirect(w, r, strings.Replace(server.URL, "//", "//u:p@", 1)+"/files/six.whl", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	idx, err := parseIndex(strings.Replace(server.URL, "//", "//u:p@", 1)+"/simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	client := relayTo(t, indexes{list: []index{idx}}, server.Client(), func(_ context.Context, c net.Conn) {
		defer c.Close()
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err == nil {
			_ = plainResponse(http.StatusTeapot, req.URL.String()).Write(c)
		}
	})
	for _, tt := range []struct {
		method, url string
		status      int
		body        string
		location    string
	}{
		{"GET", "http://index-0.glovebox.internal/simple/six/", 200, `<a href="http://index-0.glovebox.internal/files/six.whl">six</a><a href="https://elsewhere.example/x">x</a>`, ""},
		{"GET", "http://index-0.glovebox.internal/files/six.whl", 200, "wheel of " + server.URL + "/", ""},
		{"GET", "http://index-0.glovebox.internal/nothing", 404, "404 page not found\n", ""},
		{"HEAD", "http://index-0.glovebox.internal/files/six.whl", 200, "", ""},
		{"GET", "http://index-0.glovebox.internal/away", 302, "*", "http://index-0.glovebox.internal/files/six.whl"},
		{"GET", "http://index-0.glovebox.internal/moved", 302, "*", "/simple/six/"},
		{"GET", "http://index-7.glovebox.internal/simple/six/", 403, "*", ""},
		{"GET", "http://other.example/x", 418, "http://other.example/x\n", ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), tt.method, tt.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Other", "1")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatalf("%s: %v", tt.url, err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != tt.status || tt.body != "*" && string(body) != tt.body || resp.Header.Get("Location") != tt.location {
			t.Errorf("%s %s: %d %q %q (%v)", tt.method, tt.url, resp.StatusCode, body, resp.Header.Get("Location"), err)
		}
		if resp.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: a cookie reached the cell", tt.url)
		}
	}
}

func TestFindLink(t *testing.T) {
	base, err := url.Parse("https://index.example/simple/uv/")
	if err != nil {
		t.Fatal(err)
	}
	page := `<a href="../../files/uv-1.whl#sha256=00">uv-1.whl</a> <A data-x="y" HREF='https://f.example/a/uv-2.whl?x=1&amp;y=2#z'>2</A><a href="ftp://x/uv-3.whl">3</a>`
	for file, want := range map[string]string{
		"uv-1.whl": "https://index.example/files/uv-1.whl", "uv-2.whl": "https://f.example/a/uv-2.whl?x=1&y=2",
	} {
		link, ok := findLink(base, []byte(page), file)
		if !ok || link.String() != want {
			t.Errorf("%s: %v %v, want %s", file, link, ok, want)
		}
	}
	for _, file := range []string{"uv-3.whl", "uv-4.whl"} {
		if link, ok := findLink(base, []byte(page), file); ok {
			t.Errorf("%s: found %v", file, link)
		}
	}
}

// TestIndexIsAskedAgain: an index may fail for a moment; what it refuses, it would
// refuse again.
func TestIndexIsAskedAgain(t *testing.T) {
	for _, test := range []struct {
		statuses []int // of the answers; 0 is one that is cut off
		asked    int
		gets     string
	}{
		{[]int{503, 0, 200}, 3, "page"}, {[]int{429, 200}, 2, "page"}, {[]int{500, 502, 503, 200}, 3, ""}, {[]int{404, 200}, 1, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			index0 := answers(func(*http.Request) *http.Response {
				status := test.statuses[asked]
				asked++
				body := io.Reader(strings.NewReader("page"))
				if status == 0 {
					status, body = 200, iotest.ErrReader(io.ErrUnexpectedEOF)
				}
				return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(body)}
			})
			s := &Service{client: &http.Client{Transport: index0}}
			got, err := s.get(t.Context(), index{}, &url.URL{Scheme: "https", Host: "index.example"}, 100)
			if string(got) != test.gets || asked != test.asked || (err == nil) != (test.gets != "") {
				t.Errorf("%v: got %q, %v when asked %d times", test.statuses, got, err, asked)
			}
			if err != nil && api.AsError(err).Code != api.IndexUnavailable {
				t.Errorf("%v: got %v", test.statuses, err)
			}
		})
	}
}

// B05: an installer that is not the pinned one is refused.
func TestInstallerIsPinned(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".whl") {
			_, _ = io.WriteString(w, "something else")
			return
		}
		wheel, _ := uvWheelFor("amd64")
		other, _ := uvWheelFor("arm64")
		_, _ = io.WriteString(w, `<a href="/f/`+wheel.file+`">x</a><a href="/f/`+other.file+`">x</a>`)
	}))
	defer server.Close()
	s, err := New(Config{Dir: t.TempDir(), Client: server.Client(), Getenv: env(map[string]string{"PIP_INDEX_URL": server.URL + "/simple"})})
	if err != nil {
		t.Fatal(err)
	}
	set, err := readIndexes(s.getenv)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.uv(t.Context(), set)
	if e := api.AsError(err); e == nil || e.Code != api.IndexUnavailable || !strings.Contains(e.Message, "damaged") {
		t.Errorf("error %v", err)
	}
	server.Close()
	_, err = s.uv(t.Context(), set)
	if e := api.AsError(err); e == nil || e.Code != api.IndexUnavailable || !e.Retryable {
		t.Errorf("error %v, want a retryable index_unavailable", err)
	}
	if got := listFiles(t, s.store.dir); slices.ContainsFunc(got, func(f string) bool { return strings.HasPrefix(f, "/uv/") }) {
		t.Errorf("the store keeps %q", got)
	}
}
