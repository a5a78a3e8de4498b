package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/server"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

// ServeOptions say where a server listens and whom it lets in.
type ServeOptions struct {
	Listen          string // unix:PATH or HOST:PORT; empty: a socket in the home
	TLSCert, TLSKey string // files in PEM; both or none
	TokenFile       string // holds the token that clients send
	Version         string // of the program
	// Attached makes a server for the process that started it, beside others on
	// the same home: it leaves their runs alone, and stops within seconds.
	Attached bool
	// Ready is called with the address when the server answers.
	Ready func(address string)
}

// Serve answers requests until ctx ends, and resumes the interrupted runs of
// the home, unless it is attached. Then it takes no new runs, and waits a while
// for those under way.
func (a *App) Serve(ctx context.Context, o ServeOptions) error {
	if o.Attached {
		return a.serve(ctx, o, attachedPatience)
	}
	lock, err := a.lockServer()
	if err != nil {
		return err
	}
	defer lock.Close()
	return a.serve(ctx, o, drainPatience)
}

// serve is Serve, with as much patience for what is under way at the end.
func (a *App) serve(ctx context.Context, o ServeOptions, patience time.Duration) error {
	hash, err := readToken(o.TokenFile)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.below("server"), 0o700); err != nil {
		return homeError(a.below("server"), err)
	}
	if o.Listen == "" {
		o.Listen = "unix:" + a.below("server/glovebox.sock")
	}
	listener, err := server.Listen(o.Listen, server.ListenOptions{Certificate: o.TLSCert, Key: o.TLSKey, Token: o.TokenFile != ""})
	if err != nil {
		return err
	}
	s, err := server.New(server.Config{
		Service: a.Service(), Workers: a.serveWorker, Dir: a.below("server"), TokenHash: hash, Metrics: a.metrics(), Logger: a.logger, Version: o.Version,
		Limits: server.Limits{Drain: patience},
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if !o.Attached {
		if _, err := a.engine.Recover(ctx, true); err != nil && ctx.Err() == nil {
			return errors.Join(err, listener.Close())
		}
	}
	if o.Ready != nil {
		o.Ready(listener.Addr().String())
	}
	a.logger.Info("cells ahead of runs", "warm", a.warmWords())
	err = s.Serve(ctx, listener)
	return errors.Join(err, a.drain(patience))
}

// lockServer makes sure that one server at a time works on the home.
func (a *App) lockServer() (*os.File, error) {
	path := a.below("server.lock")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, homeError(path, err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		holder := make([]byte, 20)
		n, _ := file.ReadAt(holder, 0)
		file.Close()
		return nil, api.Errorf(api.HomeBusy, "a server works on %s already: process %s", a.Home, bytes.TrimSpace(holder[:n])).
			WithHint("use that server, stop it, or set another GLOVEBOX_HOME")
	}
	err = errors.Join(file.Truncate(0), writePID(file))
	if err != nil {
		return nil, errors.Join(homeError(path, err), file.Close())
	}
	return file, nil
}

func writePID(file *os.File) error {
	_, err := file.WriteAt(fmt.Appendln(nil, os.Getpid()), 0)
	return err
}

const (
	minToken = 16      // bytes; a shorter one can be guessed
	maxToken = 4 << 10 // bytes
)

// readToken returns the hash of the token in a file.
func readToken(path string) (hash [sha256.Size]byte, err error) {
	if path == "" {
		return hash, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return hash, api.Errorf(api.RequestInvalid, "read the token: %w", err).WithDetails(api.Details{Field: "token-file"})
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxToken+1))
	token := bytes.TrimSpace(text)
	if err != nil || len(token) < minToken || len(token) > maxToken {
		return hash, api.Errorf(api.RequestInvalid, "the token in %s has %d bytes, expected %d to %d", path, len(token), minToken, maxToken).
			WithHint("make one with: head -c 32 /dev/urandom | base64 > FILE").WithDetails(api.Details{Field: "token-file"})
	}
	return server.HashToken(string(token)), nil
}

// drain waits for the runs under way. What is left then is interrupted, and the
// next server that is not attached resumes it.
func (a *App) drain(patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := a.engine.Drain(ctx); err != nil {
		a.logger.Info("interrupting the runs under way; they can be resumed")
	}
	return nil
}

// serveWorker speaks with a process that offers functions. All that hold the
// token belong to one owner.
func (a *App) serveWorker(ctx context.Context, conn io.ReadWriteCloser) error {
	peer := worker.Peer{Owner: "token"}
	if server.Local(ctx) {
		peer = worker.Peer{Owner: "user", Local: true}
	}
	return a.workers.Serve(ctx, conn, peer)
}
