package servicetest_test

import (
	"context"
	"net"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/denied"
	"github.com/glovebox-dev/glovebox/internal/server"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
)

// sessionsAlone is a service that has nothing else.
type sessionsAlone struct {
	nothing
	*servicetest.FakeSessions
}

type nothing struct{ denied.Service }

// TestFakeSessions judges what tests of faces are made with.
func TestFakeSessions(t *testing.T) {
	servicetest.RunSessions(t, func(*testing.T) api.Sessions { return servicetest.NewFakeSessions() })
}

// TestSessionsOverHTTP judges the way through server and client.
func TestSessionsOverHTTP(t *testing.T) {
	servicetest.RunSessions(t, func(t *testing.T) api.Sessions {
		s, err := server.New(server.Config{Service: sessionsAlone{FakeSessions: servicetest.NewFakeSessions()}})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "s")
		ln, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx, ln) }()
		c, err := client.Dial("unix://"+path, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			stop()
			if err := <-served; err != nil {
				t.Errorf("serving: %v", err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
		return c
	})
}
