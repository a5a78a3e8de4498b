// Package pgtest runs servers of Postgres for tests, from the package of the system.
// A server that was started ends with the test process, however that ends.
package pgtest

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Password is that of the user glovebox over TCP. On the socket there is none.
const Password = "s3cret/with:special@chars"

const user = "glovebox"

// nobody is who runs a server that root starts: Postgres refuses root.
const nobody = 65534

// Server is a server of Postgres in a directory of its own.
type Server struct {
	bin, dir string
	port     int

	alive io.Closer // closing it ends the server
	ended chan struct{}
}

var shared struct {
	sync.Mutex
	*Server
}

// New returns the URL of a new, empty database in the server that all tests of this
// process share.
func New(t testing.TB) string {
	t.Helper()
	s := Shared(t)
	return s.URL(s.Create(t))
}

// Shared returns the server that all tests of this process share.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.Server == nil {
		shared.Server = begin(t, makeDir)
	}
	return shared.Server
}

// Start returns a server for one test, which may stop it.
func Start(t testing.TB) *Server { return start(t, makeDir) }

// StartOnDisk is Start in the directory of temporary files, for what measures syncs.
func StartOnDisk(t testing.TB) *Server {
	return start(t, func() (string, error) { return os.MkdirTemp("", "glovebox-pg-") })
}

func start(t testing.TB, makeDir func() (string, error)) *Server {
	t.Helper()
	s := begin(t, makeDir)
	t.Cleanup(s.Stop)
	return s
}

// begin makes a server and runs it.
func begin(t testing.TB, makeDir func() (string, error)) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Postgres: run without -short")
	}
	bin, err := find()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := makeDir()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{bin: bin, dir: dir}
	if err := errors.Join(s.initialize(), s.Run()); err != nil {
		os.RemoveAll(dir)
		t.Fatal(err)
	}
	return s
}

// makeDir makes a directory in memory, where syncs cost nothing.
func makeDir() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "glovebox-pg-"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "glovebox-pg-")
}

// find returns where the programs of the newest Postgres are.
func find() (string, error) {
	dirs, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	if path, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	if len(dirs) == 0 {
		return "", errors.New("there is no Postgres on this machine; install it with: apt-get install postgresql")
	}
	return dirs[0], nil
}

func version(bin string) float64 {
	n, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(bin)), 64) // what is no number sorts last
	return n
}

// command is one of the programs, as somebody else if this is root.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	path := name
	if found := filepath.Join(s.bin, name); name != "sh" {
		path = found
	}
	c := exec.Command(path, args...)
	c.Dir, c.Env = s.dir, []string{"PATH=" + s.bin + ":/usr/bin:/bin", "LC_ALL=C.UTF-8", "PGDATA=" + s.data()}
	c.SysProcAttr = &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return c
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// initialize makes the directory of the server.
func (s *Server) initialize() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	password := filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(Password), 0o644); err != nil {
		return err
	}
	if os.Getuid() == 0 {
		if err := os.Chown(s.dir, nobody, nobody); err != nil {
			return err
		}
	}
	made, err := s.command("initdb", "--username="+user, "--pwfile="+password, "--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, made)
	}
	return nil
}

// whileOpen runs its arguments until its input ends, and then removes the directory
// that is the first. A word is the signal that ends them before. It ends when they do.
const whileOpen = `dir=$1; shift; { "$@" 2>>"$dir/log" >&2; kill $$; } &
send() { kill -"$1" "$(head -n 1 "$dir/data/postmaster.pid")"; }
while read word; do send "$word"; done
trap '' TERM; send INT; wait; rm -rf "$dir"`

// Run runs the server, and returns when it answers. A server refuses to begin while
// processes of one that was killed still end, so it is tried again.
func (s *Server) Run() error {
	var last []byte
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if !s.Running() {
			if err := s.launch(); err != nil {
				return err
			}
		}
		var err error
		if last, err = s.command("pg_isready", "-h", s.dir, "-p", strconv.Itoa(s.port)).CombinedOutput(); err == nil {
			return nil
		}
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "log")) // the answer alone says something
	return fmt.Errorf("the server does not answer: %s\n%s", last, log)
}

// launch starts the process of the server.
func (s *Server) launch() error {
	c := s.command("sh", "-c", whileOpen, "sh", s.dir, "postgres", "-k", s.dir, "-p", strconv.Itoa(s.port), "-h", "127.0.0.1",
		"-c", "max_connections=60", "-c", "shared_buffers=32MB", "-c", "max_wal_size=256MB")
	c.SysProcAttr.Setpgid = true // an interrupt at the terminal is for the tests alone
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
		_ = c.Wait() // a server that is killed ends with an error
	}()
	return nil
}

// Halt ends the server by a signal, such as QUIT for one that ends at once. It may be
// run again.
func (s *Server) Halt(signal string) {
	_, _ = io.WriteString(s.alive.(io.Writer), signal+"\n") // unless it has ended
	<-s.ended
}

// Stop ends the server, and removes what it had.
func (s *Server) Stop() {
	s.alive.Close()
	<-s.ended
	os.RemoveAll(s.dir)
}

// URL is that of a database, over the socket.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&port=%d&user=%s", database, s.dir, s.port, user)
}

// TCP is the URL of a database over TCP, through a proxy if its address is not empty.
func (s *Server) TCP(database, proxy string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(user, Password), Host: cmp.Or(proxy, s.Address()), Path: database}
	return u.String() + "?sslmode=disable"
}

// Address is HOST:PORT of the server.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// Create makes a database for a test, and returns its name.
func (s *Server) Create(t testing.TB) string { return s.Copy(t, "template1") }

// Copy makes a copy of a database for a test, and returns its name.
func (s *Server) Copy(t testing.TB, from string) string {
	t.Helper()
	name := "t" + strings.ToLower(rand.Text())
	s.SQL(t, "postgres", "CREATE DATABASE "+name+" TEMPLATE "+from)
	t.Cleanup(func() {
		if s.Running() {
			s.SQL(t, "postgres", "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		}
	})
	return name
}

// Running reports whether the server was started and has not ended.
func (s *Server) Running() bool {
	if s.ended == nil {
		return false
	}
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// SQL executes statements in a database, and returns what they print.
func (s *Server) SQL(t testing.TB, database string, statements ...string) string {
	t.Helper()
	args := []string{"-h", s.dir, "-p", strconv.Itoa(s.port), "-U", user, "-d", database, "-qAtX", "-v", "ON_ERROR_STOP=1"}
	for _, text := range statements {
		args = append(args, "-c", text)
	}
	out, err := s.command("psql", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", statements, err, out)
	}
	return strings.TrimSpace(string(out))
}
