package server

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestDrain: streams end with a comment, waits are answered, and what is under
// way ends well.
func TestDrain(t *testing.T) {
	h := start(t)
	id := h.submit()
	events := bufio.NewReader(h.ask("GET", "/v1/runs/"+id+"/events", "").Body)
	nextEvent(t, events)
	logs := bufio.NewReader(h.ask("GET", "/v1/runs/"+id+"/logs?follow=true", "").Body)
	if _, err := logs.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	waiting := make(chan int)
	go func() {
		res, err := h.local.Get("http://glovebox/v1/runs/" + id + "/result?wait=60s")
		if err != nil {
			waiting <- 0
			return
		}
		_ = res.Body.Close()
		waiting <- res.StatusCode
	}()
	<-h.waiting
	h.stop()
	if got := nextEvent(t, events); got != ": the server stops" {
		t.Errorf("events end with %q", got)
	}
	if rest, err := io.ReadAll(logs); len(rest) > 0 || err != nil {
		t.Errorf("logs end with %q, %v", rest, err)
	}
	if got := <-waiting; got != http.StatusAccepted {
		t.Errorf("the wait is answered with %d", got)
	}
	if !h.isDraining() {
		t.Error("not draining")
	}
	if _, err := h.ready(t.Context(), nil); !errors.Is(err, &api.Error{Code: api.ServerUnavailable}) {
		t.Errorf("ready: %v", err)
	}
}

// TestDrainIsBounded: a request that does not end is cut.
func TestDrainIsBounded(t *testing.T) {
	began := make(chan struct{})
	h := start(t, func(c *Config) {
		c.Limits.Drain = 10 * time.Millisecond
		c.Workers = func(ctx context.Context, conn io.ReadWriteCloser) error {
			close(began)
			_, err := conn.Read(make([]byte, 1)) // does not mind ctx
			return err
		}
	})
	conn := h.dial()
	_, _ = io.WriteString(conn, upgradeRequest)
	<-began
	h.stop()
	_ = conn.Close()
}

const upgradeRequest = "POST /v1/workers/connect HTTP/1.1\r\nHost: glovebox\r\nConnection: Upgrade\r\nUpgrade: glovebox-worker\r\nContent-Length: 0\r\n\r\n"

func (h *host) dial() net.Conn {
	h.t.Helper()
	conn, err := net.Dial("unix", h.socket)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// TestWorkers: the connection belongs to the worker, what it sent early
// included, until the server stops.
func TestWorkers(t *testing.T) {
	stopped := make(chan error, 1)
	h := start(t, func(c *Config) {
		c.Workers = func(ctx context.Context, conn io.ReadWriteCloser) error {
			line, err := bufio.NewReader(conn).ReadString('\n')
			if err != nil {
				return err
			}
			if _, err := io.WriteString(conn, "echo "+line); err != nil {
				return err
			}
			<-ctx.Done()
			stopped <- ctx.Err()
			return nil
		}
	})
	conn := h.dial()
	_, _ = io.WriteString(conn, upgradeRequest+"early\n")
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols || res.Header.Get("Upgrade") != workerProtocol {
		t.Fatalf("%+v %v", res, err)
	}
	if line, err := r.ReadString('\n'); line != "echo early\n" {
		t.Fatalf("%q %v", line, err)
	}
	h.stop()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("the worker ends with %v", err)
	}
}

// TestWorkersThatLeave: the log tells of one that leaves by itself, and not of
// those that the server leaves because it stops.
func TestWorkersThatLeave(t *testing.T) {
	for _, stops := range []bool{false, true} {
		var log logBuffer
		began := make(chan struct{})
		h := start(t, func(c *Config) {
			c.Logger = slog.New(slog.NewTextHandler(&log, nil))
			c.Workers = func(ctx context.Context, conn io.ReadWriteCloser) error {
				close(began)
				defer context.AfterFunc(ctx, func() { conn.Close() })()
				_, err := conn.Read(make([]byte, 1))
				return err
			}
		})
		conn := h.dial()
		_, _ = io.WriteString(conn, upgradeRequest)
		<-began
		if !stops {
			_ = conn.(*net.UnixConn).CloseWrite()
			_, _ = io.Copy(io.Discard, conn) // until the server has closed it
		}
		h.stop()
		for range cap(h.ended) {
			if err := <-h.ended; err != nil {
				t.Error(err)
			}
		}
		h.ended <- nil
		h.ended <- nil
		if logged := strings.Contains(log.String(), "a worker left"); logged == stops {
			t.Errorf("stopped: %t, and the log is\n%s", stops, log.String())
		}
	}
}

// TestSlowClients is A06: a client that sends too slowly is cut, wherever it
// stops.
func TestSlowClients(t *testing.T) {
	h := start(t, func(c *Config) {
		c.Limits.Header, c.Limits.Stall, c.Limits.Idle = 300*time.Millisecond, 300*time.Millisecond, 300*time.Millisecond
	})
	for name, request := range map[string]string{
		"nothing":         "",
		"half a header":   "GET /v1/version HTTP/1.1\r\nHost: x\r\nX-",
		"no body":         "POST /v1/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"a blob":          "POST /v1/blobs HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
		"a chunk":         "POST /v1/blobs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc",
		"an unread body":  "POST /v1/none HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
		"a secret":        "PUT /v1/secrets/S HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
		"a whole request": "GET /v1/version HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := h.dial()
			_, _ = io.WriteString(conn, request)
			answer, err := io.ReadAll(conn) // ends when the server cuts it
			if err != nil && !errors.Is(err, syscall.ECONNRESET) {
				t.Error(err)
			}
			if strings.Contains(string(answer), "HTTP/1.1 2") != (name == "a whole request") {
				t.Errorf("%s", answer)
			}
		})
	}
}

// TestSlowReaders is A06: a client that takes nothing is cut.
func TestSlowReaders(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.Stall, c.Limits.Streams = 300*time.Millisecond, 1 })
	digest := h.put(make([]byte, 32<<20))
	conn := h.dial()
	_, _ = io.WriteString(conn, "GET /v1/blobs/"+digest+" HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	h.streams <- struct{}{} // there is a place again when the server has given up
	if n, _ := io.Copy(io.Discard, conn); n > 31<<20 {
		t.Errorf("%d bytes came", n)
	}
}

// TestLateAnswers: a request may take longer than a client may stall.
func TestLateAnswers(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.Stall = 300 * time.Millisecond })
	id := h.submit()
	for range 2 { // on one connection
		if res := h.ask("GET", "/v1/runs/"+id+"/result?wait=400ms", ""); res.StatusCode != http.StatusAccepted {
			t.Errorf("%d %s", res.StatusCode, text(t, res))
		}
	}
}

func TestListen(t *testing.T) {
	cert, key := certificate(t)
	for _, test := range []struct {
		address string
		o       ListenOptions
		ok      bool
	}{
		{"127.0.0.1:0", ListenOptions{Token: true}, true},
		{"localhost:0", ListenOptions{Token: true}, true},
		{"127.0.0.1:0", ListenOptions{}, false},
		{"0.0.0.0:0", ListenOptions{Token: true}, false},
		{":0", ListenOptions{Token: true}, false},
		{"[::]:0", ListenOptions{Token: true}, false},
		{"0.0.0.0:0", ListenOptions{Certificate: cert, Key: key}, false},
		{"0.0.0.0:0", ListenOptions{Certificate: cert, Key: key, Token: true}, true},
		{"127.0.0.1:0", ListenOptions{Certificate: cert, Token: true}, false},
		{"127.0.0.1:0", ListenOptions{Certificate: key, Key: cert, Token: true}, false},
		{"127.0.0.1", ListenOptions{Token: true}, false},
		{"127.0.0.1:port", ListenOptions{Token: true}, false},
		{"", ListenOptions{Token: true}, false},
		{"unix:relative", ListenOptions{}, false},
		{"unix:/" + strings.Repeat("x", 200), ListenOptions{}, false},
	} {
		ln, err := Listen(test.address, test.o)
		if (err == nil) != test.ok {
			t.Errorf("%s %+v: %v", test.address, test.o, err)
		}
		if err != nil && !errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
			t.Errorf("%s: %v", test.address, err)
		}
		if err == nil {
			_ = ln.Close()
		}
	}
}

func TestListenTwice(t *testing.T) {
	first, err := Listen("127.0.0.1:0", ListenOptions{Token: true})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := Listen(first.Addr().String(), ListenOptions{Token: true}); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("got %v", err)
	}
}

func TestListenUnix(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "s.sock")
	ln, err := Listen("unix:"+path, ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if _, err := Listen("unix://"+path, ListenOptions{}); !errors.Is(err, &api.Error{Code: api.HomeBusy}) || !strings.Contains(err.Error(), path) {
		t.Errorf("a live socket: %v", err)
	}
	if err := ln.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v", err)
	}

	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix:"+path, ListenOptions{}); !errors.Is(err, &api.Error{Code: api.HomeBusy}) {
		t.Errorf("a live socket of another program: %v", err)
	}
	dead.SetUnlinkOnClose(false)
	_ = dead.Close()
	if ln, err = Listen("unix:"+path, ListenOptions{}); err != nil {
		t.Fatalf("a stale socket: %v", err)
	}
	_ = ln.Close()

	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix:"+file, ListenOptions{}); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("a file: %v", err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix:"+filepath.Join(open, "s"), ListenOptions{}); !errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
		t.Errorf("a directory open to others: %v", err)
	}
}

// TestServeNeedsToken: TCP needs a token, whoever made the listener.
func TestServeNeedsToken(t *testing.T) {
	s, err := New(Config{Service: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), ln); !errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
		t.Errorf("got %v", err)
	}
	if _, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		t.Error("it listens")
	}
}

func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	s, err := New(Config{Service: newFake(), TokenHash: HashToken(token)})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := Listen("127.0.0.1:0", ListenOptions{Certificate: cert, Key: key, Token: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, ln) }()
	pemText, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pemText)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(ctx, "GET", "https://"+ln.Addr().String()+"/v1/version", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Host = "box.example" // the certificate has the name, this server has not
	req.Header.Set("Origin", "https://box.example")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.ProtoMajor != 1 {
		t.Errorf("%s %s", res.Proto, res.Status)
	}
	_ = res.Body.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}
