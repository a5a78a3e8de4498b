// Package e2b answers the SDKs of E2B: a program that was written for its
// sandboxes runs in sessions of this system. docs/E2B.md says what of it there is.
//
// Everything is answered on one port. A request is for a sandbox if it carries the
// header E2b-Sandbox-Id, or if its host begins with PORT-ID; port 49983 is that of
// E2B's daemon in the sandbox (envd), port 49999 that of its code interpreter,
// and any other is a server in the session. All else is for the control plane, and
// has to show the token of the server as X-API-KEY.
//
// A sandbox is a session, and nothing else is kept of it: what E2B has and a
// session has not is in its labels, and its tokens follow from its id.
//
// # Files
//
//	e2b.go         where a request goes
//	answer.go      answers and errors of the control plane, the proxy and envd
//	token.go       tokens of sandboxes, and signatures made with them
//	sandbox.go     sessions as sandboxes
//	control.go     routes of the control plane
//	create.go      new sandboxes
//	list.go        lists of sandboxes
//	state.go       pause, resume, timeouts
//	snapshot.go    forks and snapshots
//	metrics.go     what a sandbox uses
//	network.go     what a sandbox reaches
//	template.go    what sandboxes are made of, by name
//	templates.go   templates that clients made, and their tags
//	templatestore.go  where they are kept
//	reference.go   the blobs that they need
//	recipe.go      steps of templates as Dockerfiles
//	build.go       builds of templates
//	envd.go        routes of envd
//	connect.go     Connect's calls and streams, in JSON
//	alive.go       streams in which nothing happens
//	process.go     processes
//	filesystem.go  files, by calls
//	entry.go       what is known of a file
//	watch.go       changes of files
//	files.go       files, by uploads and downloads
//	interpreter.go routes of the code interpreter
//	execution.go   what comes of code
//	traffic.go     requests to servers in a session
package e2b

import (
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// Config is what a Face is made of.
type Config struct {
	Sessions  api.Sessions
	Images    api.Images
	Blobs     api.Blobs
	Templates string       // the file of templates that clients build; empty keeps them in memory
	Key       []byte       // tokens of sandboxes follow from it
	Logger    *slog.Logger // nil discards
}

// Face answers the SDKs. It is safe for concurrent use.
type Face struct {
	Config
	control   *http.ServeMux
	watchers  watchers
	templates *templateStore
}

// New returns a face of sessions. The error is of the file of templates.
func New(c Config) (*Face, error) {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	templates, err := openTemplates(c.Templates)
	if err != nil {
		return nil, err
	}
	f := &Face{Config: c, templates: templates}
	f.control = f.controlRoutes()
	return f, nil
}

// The ports of E2B's own servers in a sandbox.
const (
	envdPort        = 49983
	interpreterPort = 49999
)

// destination is where a request goes: a port of a sandbox.
type destination struct {
	sandbox string
	port    int
}

var sandboxHost = lazyregexp.New(`^([0-9]{1,5})-([a-z0-9]{1,64})\.`)

var sandboxID = lazyregexp.New(`^[a-z0-9]{1,64}$`)

// destinationOf reads where a request goes; ok is false if it names no sandbox.
// A host that names one counts more than a header, for a browser sends the host.
func destinationOf(r *http.Request) (d destination, ok bool) {
	if m := sandboxHost().FindStringSubmatch(r.Host); m != nil {
		port, err := strconv.Atoi(m[1])
		return destination{m[2], port}, err == nil && validPort(port)
	}
	id := r.Header.Get("E2b-Sandbox-Id")
	if !sandboxID().MatchString(id) {
		return d, false
	}
	port := envdPort
	if text := r.Header.Get("E2b-Sandbox-Port"); text != "" {
		var err error
		if port, err = strconv.Atoi(text); err != nil || !validPort(port) {
			return d, false
		}
	}
	return destination{id, port}, true
}

func validPort(port int) bool { return port > 0 && port < 1<<16 }

// HostSuffix returns what follows PORT-ID in the host of a request to a sandbox;
// ok is false for other hosts.
func (f *Face) HostSuffix(host string) (suffix string, ok bool) {
	m := sandboxHost().FindString(host)
	return host[len(m):], m != ""
}

// Claims reports whether a request is one of an SDK of E2B; known says that the
// server has another route for it.
func (f *Face) Claims(r *http.Request, known bool) bool {
	_, sandbox := destinationOf(r)
	return sandbox || !known && (f.APIKey(r) != "" || isSigned(r) || isUpload(r))
}

// isSigned reports whether a request is for a file by a signed URL, which names no
// sandbox.
func isSigned(r *http.Request) bool {
	return r.URL.Path == "/files" && r.URL.Query().Has("signature")
}

// isUpload reports whether a request is for the files of a template, by a URL that
// the control plane gave.
func isUpload(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, uploadPath) && r.URL.Query().Has("signature")
}

// Serve answers a request that Claims took. The control plane needs one that is
// authorised: that showed the token of the server, or needs none.
func (f *Face) Serve(w http.ResponseWriter, r *http.Request, authorised bool) {
	if d, ok := destinationOf(r); ok {
		f.serveSandbox(w, r, d)
		return
	}
	if isSigned(r) {
		f.serveSigned(w, r)
		return
	}
	if isUpload(r) {
		f.serveUpload(w, r)
		return
	}
	if !authorised {
		writeError(w, r, http.StatusUnauthorized, "the API key is not the token of this server")
		return
	}
	f.serveControl(w, r)
}

// APIKey returns the API key of a request, which stands for the token of the server.
func (f *Face) APIKey(r *http.Request) string { return r.Header.Get("X-Api-Key") }

// domainOf returns what hosts of sandboxes end in, seen from the client: names
// below localhost lead to this machine, names below an address do not.
func domainOf(r *http.Request) string {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = r.Host, ""
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() || host == "" {
		host = "localhost"
	}
	return strings.TrimSuffix(host+":"+port, ":")
}
