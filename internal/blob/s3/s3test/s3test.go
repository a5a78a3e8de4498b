// Package s3test runs a real server that speaks the protocol of S3, for tests:
// versitygw, which make test builds in .build. A server ends with the test process,
// however that ends.
package s3test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The credentials of each server.
const (
	AccessKey = "glovebox-test"
	SecretKey = "s3cret-of-the-tests"
)

// Bucket is there on each server.
const Bucket = "blobs"

// Server is a server with a directory of its own.
type Server struct {
	Endpoint string // its URL
	bin, dir string
	port     int

	alive io.Closer // closing it ends the server
	ended chan struct{}
}

// Start returns a server for one test, and gives the environment its credentials.
func Start(t testing.TB) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a server of S3: run without -short")
	}
	bin, err := find()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{bin: bin, dir: t.TempDir()}
	for _, name := range []string{"data/" + Bucket, "sidecar"} {
		if err := os.MkdirAll(filepath.Join(s.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
	t.Cleanup(s.Stop)
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	return s
}

// find returns the program of the server.
func find() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil && dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			path := filepath.Join(dir, ".build", "versitygw")
			if _, err := os.Stat(path); err == nil {
				return path, nil
			}
			break
		}
	}
	return "", errors.New("there is no server of S3 on this machine; build it with: make .build/versitygw")
}

// whileOpen runs its arguments until its input ends.
const whileOpen = `exec 3<&0; "$@" 3<&- & child=$!; { read word <&3; kill -9 $child; } & wait $child; kill $! 2>/dev/null`

// Run runs the server, and returns when it answers.
func (s *Server) Run() error {
	if s.port == 0 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s.port = l.Addr().(*net.TCPAddr).Port
		l.Close()
	}
	s.Endpoint = fmt.Sprintf("http://127.0.0.1:%d", s.port)
	c := exec.Command("sh", "-c", whileOpen, "sh", s.bin, "--port", strings.TrimPrefix(s.Endpoint, "http://"), "--keep-alive", "--quiet",
		"posix", "--sidecar", filepath.Join(s.dir, "sidecar"), filepath.Join(s.dir, "data"))
	c.Dir, c.Env = s.dir, []string{"PATH=/usr/bin:/bin", "ROOT_ACCESS_KEY_ID=" + AccessKey, "ROOT_SECRET_ACCESS_KEY=" + SecretKey}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the terminal is for the tests alone
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	s.alive, s.ended = in, ended
	go func() {
		defer close(ended)
		_ = c.Wait() // it is killed
	}()
	return s.await()
}

// await returns when the server answers.
func (s *Server) await() error {
	var err error
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		var answer *http.Response
		if answer, err = http.Get(s.Endpoint); err == nil {
			answer.Body.Close()
			return nil
		}
	}
	return fmt.Errorf("the server of S3 does not answer: %w", err)
}

// Stop kills the server. It may be run again, with what it has.
func (s *Server) Stop() {
	if s.alive != nil {
		s.alive.Close()
		<-s.ended
		s.alive = nil
	}
}

// Address is that of blobs below a prefix, through a proxy if its URL is not empty.
func (s *Server) Address(prefix, proxy string) string {
	if proxy == "" {
		proxy = s.Endpoint
	}
	return "s3://" + Bucket + "/" + prefix + "?endpoint=" + proxy
}

// File is where the server keeps an object.
func (s *Server) File(key string) string { return filepath.Join(s.dir, "data", Bucket, key) }
