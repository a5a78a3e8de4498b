package server

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/loopback"
)

// ListenOptions say how an address is protected.
type ListenOptions struct {
	Certificate, Key string // PEM files for TLS; neither or both
	Token            bool   // whether requests need a token
}

// Listen opens an address: "unix:PATH" or "HOST:PORT". A Unix socket belongs to
// its user alone. An address of the loopback needs a token, for other users and
// pages in a browser reach it; any other address needs TLS too.
func Listen(address string, o ListenOptions) (net.Listener, error) {
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		return listenUnix(strings.TrimPrefix(path, "//"))
	}
	return listenTCP(address, o)
}

func badAddress(address, format string, args ...any) *api.Error {
	return api.Errorf(api.RequestInvalid, format, args...).
		WithDetails(api.Details{Field: "listen", Expected: "unix:PATH, 127.0.0.1:PORT, or HOST:PORT with TLS", Got: address}).
		WithHint("listen on unix:PATH, or on 127.0.0.1:PORT with a token, or on HOST:PORT with a token and TLS")
}

func listenTCP(address string, o ListenOptions) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, badAddress(address, "%q is not an address to listen on", address)
	}
	if !o.Token {
		return nil, badAddress(address, "listening on %s needs a token", address)
	}
	config, err := loadTLS(o)
	if err != nil {
		return nil, err
	}
	if config == nil && !loopback.IsHost(host) {
		return nil, badAddress(address, "listening on %s, which others reach, needs TLS", address)
	}
	ln, err := net.Listen("tcp", address)
	if err != nil {
		return nil, listenError(address, err)
	}
	if config != nil {
		return tls.NewListener(ln, config), nil
	}
	if tcp, ok := ln.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() { // localhost is only a name
		_ = ln.Close()
		return nil, badAddress(address, "%s is %s, which others reach: that needs TLS", address, ln.Addr())
	}
	return ln, nil
}

// loadTLS returns nil if no certificate is named.
func loadTLS(o ListenOptions) (*tls.Config, error) {
	if o.Certificate == "" && o.Key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.Certificate, o.Key)
	if err != nil {
		return nil, api.Errorf(api.RequestInvalid, "the certificate cannot be used: %w", err).
			WithDetails(api.Details{Field: "certificate", Expected: "PEM files of a certificate and its key", Got: o.Certificate})
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}, nil
}

func listenError(address string, err error) *api.Error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return api.Errorf(api.Conflict, "another process listens on %s already", address).WithHint("stop it, or listen on another address")
	}
	return api.Errorf(api.RequestInvalid, "cannot listen on %s: %w", address, err).WithDetails(api.Details{Field: "listen", Got: address})
}

// maxSocketPath is what the kernel takes, in bytes.
const maxSocketPath = 107

func listenUnix(path string) (net.Listener, error) {
	if !filepath.IsAbs(path) || len(path) > maxSocketPath {
		return nil, badAddress("unix:"+path, "the path of a socket has to be absolute and at most %d bytes long", maxSocketPath)
	}
	if err := prepareDirectory(filepath.Dir(path)); err != nil {
		return nil, err
	}
	lock, err := lockSocket(path)
	if err != nil {
		return nil, err
	}
	ln, err := bindSocket(path)
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return &unixListener{ln, lock}, nil
}

// prepareDirectory makes the directory of a socket, or refuses one in which
// others could put theirs.
func prepareDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return api.Errorf(api.RequestInvalid, "the directory of the socket cannot be made: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return api.Errorf(api.RequestInvalid, "the directory of the socket cannot be read: %w", err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return badAddress("unix:"+dir, "others can write to the directory %s", dir).
			WithHint("take a directory that only you can write to, such as one below $XDG_RUNTIME_DIR")
	}
	return nil
}

// lockSocket makes sure that one server at most uses path, for as long as the
// file is open.
func lockSocket(path string) (*os.File, error) {
	lock, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, listenError("unix:"+path, err)
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = lock.Close()
		return nil, busy(path)
	}
	return lock, nil
}

func busy(path string) *api.Error {
	return api.Errorf(api.HomeBusy, "another server answers at unix:%s already", path).
		WithHint("use that one: GLOVEBOX_URL=unix:%s", path)
}

// bindSocket binds path, in place of the socket of a server that died.
func bindSocket(path string) (*net.UnixListener, error) {
	if err := clearStale(path); err != nil {
		return nil, err
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, listenError("unix:"+path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = ln.Close()
		return nil, listenError("unix:"+path, err)
	}
	return ln, nil
}

func clearStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return listenError("unix:"+path, err)
	case info.Mode().Type() != fs.ModeSocket:
		return api.Errorf(api.Conflict, "%s is there and is no socket", path).WithHint("remove it, or listen elsewhere")
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = conn.Close()
		return busy(path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) { // a live one that is slow to answer, say
		return listenError("unix:"+path, err)
	}
	return os.Remove(path)
}

// unixListener holds the lock of its socket. Closing removes the socket.
type unixListener struct {
	*net.UnixListener
	lock *os.File
}

// Close ends the listening.
func (l *unixListener) Close() error { return errors.Join(l.UnixListener.Close(), l.lock.Close()) }

// isOwner reports whether the other end of a Unix socket is a process of this
// user, or of root. It holds whatever the modes of the socket became.
func isOwner(c net.Conn) bool {
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	owner := false
	err = raw.Control(func(fd uintptr) {
		peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		owner = err == nil && (peer.Uid == 0 || int(peer.Uid) == os.Geteuid())
	})
	return err == nil && owner
}
