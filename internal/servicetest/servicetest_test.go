package servicetest_test

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/s3"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
	"github.com/glovebox-dev/glovebox/internal/server"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
)

// TestInProcess judges the engine, as it is used by this process.
func TestInProcess(t *testing.T) {
	servicetest.Run(t, func(t *testing.T) (api.Service, servicetest.Host) {
		a := assemble(t)
		return a, a
	})
}

// TestInPostgres judges the engine with its journal in Postgres.
func TestInPostgres(t *testing.T) {
	server := pgtest.Shared(t)
	servicetest.Run(t, func(t *testing.T) (api.Service, servicetest.Host) {
		a := assembleOn(t, func(string) (*tables.Store, error) {
			db, err := postgres.Open(t.Context(), server.URL(server.Create(t)), postgres.Options{Home: "here"})
			if err != nil {
				return nil, err
			}
			return db.Store, nil
		}, inFiles)
		return a, a
	})
}

// TestInS3 judges the engine with its blobs in a bucket.
func TestInS3(t *testing.T) {
	server := s3test.Start(t)
	servicetest.Run(t, func(t *testing.T) (api.Service, servicetest.Host) {
		a := assembleOn(t, inFile(t), func(dir string) (blob.Store, error) {
			address, err := s3.ParseAddress(server.Address(rand.Text(), ""))
			if err != nil {
				return nil, err
			}
			return s3.Open(address, filepath.Join(dir, "blobs"))
		})
		return a, a
	})
}

// TestOverHTTP judges the same engine behind a server and a client.
func TestOverHTTP(t *testing.T) {
	servicetest.Run(t, func(t *testing.T) (api.Service, servicetest.Host) {
		a := assemble(t)
		c, err := client.Dial("unix://"+serve(t, a), client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return c, a
	})
}

// serve offers a service on a socket until the test ends, and returns its path.
func serve(t *testing.T, a *assembly) string {
	t.Helper()
	s, err := server.New(server.Config{Service: a, Workers: a.connect})
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
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil && err != http.ErrServerClosed {
			t.Errorf("serving: %v", err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return path
}
