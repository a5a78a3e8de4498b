package glovebox_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/internal/app"
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
	gb, err := glovebox.Open(glovebox.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, gb)
	return gb
}

// dialServer starts a server on a socket and dials it.
func dialServer(t *testing.T) *glovebox.Glovebox {
	t.Helper()
	a, err := app.Open(t.Context(), app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "glovebox-") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan struct{}), make(chan error, 1)
	address := "unix:" + filepath.Join(dir, "socket")
	go func() {
		ended <- a.Serve(ctx, app.ServeOptions{Listen: address, Ready: func(string) { close(ready) }})
	}()
	t.Cleanup(func() {
		stop()
		for _, err := range []error{<-ended, a.Close(), os.RemoveAll(dir)} {
			if err != nil {
				t.Errorf("the end of the server: %v", err)
			}
		}
	})
	select {
	case <-ready:
	case err := <-ended:
		ended <- err
		t.Fatalf("the server ended: %v", err)
	}
	gb, err := glovebox.Dial(t.Context(), "unix://"+filepath.Join(dir, "socket"), glovebox.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, gb)
	return gb
}

func closeAfter(t *testing.T, gb *glovebox.Glovebox) {
	t.Cleanup(func() {
		if err := gb.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}
