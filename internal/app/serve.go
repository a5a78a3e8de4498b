package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/metrics"
	"github.com/glovebox-dev/glovebox/internal/server"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

// Serve answers requests until ctx ends, and resumes the interrupted runs of
// the home, unless it is attached. Then it takes no new runs, and answers all
// else while it waits for those under way.
func (a *App) Serve(ctx context.Context, o host.ServeOptions) error {
	if o.Attached {
		o.Drain = 0
		return a.serve(ctx, o)
	}
	lock, err := a.Home.LockServer()
	if err != nil {
		return err
	}
	defer lock.Close()
	return a.serve(ctx, o)
}

// answerPatience is how long requests have to be answered when the runs have
// ended, or were given up.
const answerPatience = 2 * time.Second

func (a *App) serve(ctx context.Context, o host.ServeOptions) error {
	hash, err := a.tokenHash(ctx, o)
	if err != nil {
		return err
	}
	if err := a.checkAdvertise(o); err != nil {
		return err
	}
	if err := os.MkdirAll(a.Home.Below("server"), 0o700); err != nil {
		return home.Error(a.Home.Below("server"), err)
	}
	if o.Listen == "" {
		o.Listen = "unix:" + a.Home.Below("server/glovebox.sock")
	}
	listener, err := server.Listen(o.Listen, server.ListenOptions{Certificate: o.TLSCert, Key: o.TLSKey, Token: o.TokenFile != "" || o.Token != ""})
	if err != nil {
		return err
	}
	if o.TLSCert == "" {
		plain := listener
		if listener, err = a.withHTTPS(plain); err != nil {
			return errors.Join(err, plain.Close())
		}
	}
	clients, err := a.e2bServer()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	judge, err := a.judgeNode()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	s, err := server.New(server.Config{
		Service: a.Service(), Guard: a.guard, Authenticate: a.owners.Authenticate, Node: judge, E2B: clients, Workers: a.serveWorker, Monty: a.montyServer(), MCP: a.mcpServer(o.Version), Hooks: a.hooks.Receive, Dir: a.Home.Below("server"), TokenHash: hash, Hosts: o.Hosts, Metrics: metrics.Registry(a.ended, metrics.Source{Live: a.engine.Live, Stray: a.orchestrators.Stray, WarmPools: a.cells.WarmPools, Written: a.written}), Logger: a.logger, Version: o.Version, Memory: a.memory,
		Limits: server.Limits{Drain: answerPatience},
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if !o.Attached {
		if _, err := a.engine.Recover(ctx, a.lease == nil); err != nil && ctx.Err() == nil { // else takeOver resumes them
			return errors.Join(err, listener.Close())
		}
	}
	a.db.SetPatience(math.MaxInt64) // until it is asked to stop
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(a.memory.Size() + besideValues)
	}
	if a.lease != nil && !o.Attached {
		if err := a.register(ctx, o, listener.Addr()); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	if o.Ready != nil {
		o.Ready(listener.Addr().String())
	}
	a.logger.Info("cells ahead of runs", "warm", a.warmWords())
	if !o.Attached {
		defer whileServing(ctx, a.onDuty("schedules", a.schedules.Work))()
		defer whileServing(ctx, func(ctx context.Context) { a.retain(ctx, o.Retention) })()
		sending := a.sending(o, listener.Addr())
		defer whileServing(ctx, a.onDuty("notifications", func(ctx context.Context) { a.notifications.Work(ctx, sending) }))()
	}
	if a.lease != nil && !o.Attached {
		var drained context.CancelFunc
		ctx, drained = context.WithCancel(ctx)
		defer drained()
		defer whileServing(ctx, func(ctx context.Context) { a.takeOver(ctx, drained) })()
	}
	return a.serveUntilDrained(ctx, s, listener, o)
}

// whileServing runs work until ctx ends or stop is called, which waits for it.
func whileServing(ctx context.Context, work func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// written counts what the journal wrote.
func (a *App) written() (operations, syncs int64) {
	w := a.db.Written()
	return w.Operations, w.Syncs
}

// serveUntilDrained has s answer until ctx ends and the runs after it.
func (a *App) serveUntilDrained(ctx context.Context, s *server.Server, listener net.Listener, o host.ServeOptions) error {
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	drained := make(chan struct{})
	unasked := context.AfterFunc(ctx, func() {
		defer close(drained)
		s.Leave()
		a.tellDraining(ctx)
		a.drain(o)
		stop()
	})
	err := s.Serve(serving, listener)
	if unasked() { // the listener failed
		a.drain(o)
		return err
	}
	<-drained
	return err
}

// besideValues is what the process of a server takes beside values, in bytes,
// generously. From there on the collector works harder: values come and go in
// large pieces, and it would let twice of them be there.
const besideValues = 256 << 20

const (
	minToken = 16      // bytes; a shorter one can be guessed
	maxToken = 4 << 10 // bytes
)

func (a *App) tokenHash(ctx context.Context, o host.ServeOptions) ([sha256.Size]byte, error) {
	if o.Token != "" {
		return server.HashToken(o.Token), nil
	}
	return a.token(ctx, o.TokenFile)
}

// token reads the token, unless ctx ends first: opening a FIFO blocks until it has a writer.
func (a *App) token(ctx context.Context, path string) ([sha256.Size]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		a.logger.Warn("the file with the token can be used by other users; run: chmod go= "+path, "mode", info.Mode().Perm())
	}
	type result struct {
		hash [sha256.Size]byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		hash, err := readToken(path)
		read <- result{hash, err}
	}()
	select {
	case r := <-read:
		return r.hash, r.err
	case <-ctx.Done():
		return [sha256.Size]byte{}, api.Errorf(api.Canceled, "the server was stopped while it waited for the token in %s", path)
	}
}

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
	if !api.ValidToken(string(token)) {
		return hash, api.Errorf(api.RequestInvalid, "the token in %s has a character that no client can send", path).
			WithHint("make one with: head -c 32 /dev/urandom | base64 > FILE").WithDetails(api.Details{Field: "token-file", Expected: api.TokenRule})
	}
	return server.HashToken(string(token)), nil
}

// tellAgain is how often it is said what a server waits for that stops, and
// toldRuns how many runs are named.
const (
	tellAgain = 5 * time.Second
	toldRuns  = 10
)

// drain waits for the runs under way. What is left then is interrupted, and the
// next server that is not attached resumes it.
func (a *App) drain(o host.ServeOptions) {
	ctx, cancel := context.WithTimeout(context.Background(), o.Drain)
	defer cancel()
	drained := make(chan error, 1)
	go func() { drained <- errors.Join(a.evaluations.Drain(ctx), a.engine.Drain(ctx)) }()
	tick := time.NewTicker(tellAgain)
	defer tick.Stop()
	for deadline := time.Now().Add(o.Drain); ; {
		if o.Drain > 0 {
			a.tellWaiting("the server stops when these runs have ended", time.Until(deadline))
		}
		select {
		case err := <-drained:
			if err != nil {
				a.tellWaiting("interrupting these runs; the next server resumes them", 0)
			}
			return
		case <-o.Hurry:
			cancel()
			o.Hurry = nil
		case <-tick.C:
		}
	}
}

// tellWaiting logs which runs are under way, if any are.
func (a *App) tellWaiting(message string, left time.Duration) {
	runs := a.engine.UnderWay()
	if len(runs) == 0 {
		return
	}
	var names []string
	for _, run := range runs[:min(len(runs), toldRuns)] {
		names = append(names, run.ID+" ("+run.Task+")")
	}
	if more := len(runs) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	attrs := []any{"runs", strings.Join(names, ", ")}
	if left > 0 {
		attrs = append(attrs, "seconds_left", int(left.Round(time.Second).Seconds()))
	}
	a.logger.Info(message, attrs...)
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
