//go:build linux

package glovebox_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
	"github.com/glovebox-dev/glovebox/internal/app"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// everywhere runs a test, which starts no cells, against a Glovebox in this
// process and against one of a server. They answer alike.
func everywhere(t *testing.T, test func(t *testing.T, gb *glovebox.Glovebox)) {
	t.Run("here", func(t *testing.T) { test(t, openHere(t)) })
	t.Run("server", func(t *testing.T) { test(t, dialServer(t)) })
}

// openHere opens a Glovebox with a home of its own.
func openHere(t *testing.T) *glovebox.Glovebox {
	t.Helper()
	gb, err := embed.Open(embed.Options{Home: newHome(t)})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, gb)
	return gb
}

// dialServer starts a server on a socket and dials it.
func dialServer(t *testing.T) *glovebox.Glovebox {
	t.Helper()
	return dial(t, socketServer(t), "")
}

// dialTCP starts a server on the loopback, which asks for a token, and dials it.
func dialTCP(t *testing.T) *glovebox.Glovebox {
	t.Helper()
	return dial(t, tcpServer(t), testToken)
}

// socketServer starts a server on a socket and returns its URL.
func socketServer(t *testing.T) string {
	t.Helper()
	return "unix://" + serve(t, host.ServeOptions{Listen: "unix:" + filepath.Join(shortDir(t), "socket")})
}

// shortDir makes a directory for a socket, the path of which has to be short.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "glovebox-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

const testToken = "a-token-of-the-tests-7391"

// tcpServer starts a server on the loopback, which asks for testToken, and
// returns its URL.
func tcpServer(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(testToken), 0o600); err != nil {
		t.Fatal(err)
	}
	return "http://" + serve(t, host.ServeOptions{Listen: "127.0.0.1:0", TokenFile: file})
}

// serve serves a home of its own until the test ends, and returns where.
func serve(t *testing.T, o host.ServeOptions) (address string) {
	t.Helper()
	a, err := app.Open(t.Context(), host.Options{Home: newHome(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	o.Ready = func(address string) { ready <- address }
	go func() { ended <- a.Serve(ctx, o) }()
	t.Cleanup(func() {
		stop()
		for _, err := range []error{<-ended, a.Close()} {
			if err != nil {
				t.Errorf("the end of the server: %v", err)
			}
		}
	})
	select {
	case address = <-ready:
	case err := <-ended:
		ended <- err
		t.Fatalf("the server ended: %v", err)
	}
	return address
}

func dial(t *testing.T, url, token string) *glovebox.Glovebox {
	t.Helper()
	gb, err := glovebox.Dial(t.Context(), url, glovebox.DialOptions{Token: token})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, gb)
	return gb
}

// newHome makes a home that has only the images of the tests.
func newHome(t *testing.T) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := homeWithImages(home); err != nil {
		t.Fatal(err)
	}
	return home
}

func closeAfter(t *testing.T, gb *glovebox.Glovebox) {
	t.Cleanup(func() {
		if err := gb.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}
