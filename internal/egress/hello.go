package egress

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"
)

// recordHandshake is the first byte of a TLS connection (RFC 8446, 5.1).
const recordHandshake = 0x16

var errSeen = errors.New("seen")

// serverName reads a TLS client hello from r, and returns the server name in
// it and every byte it has read. crypto/tls does the parsing, and bounds it.
func serverName(r io.Reader) (name string, read []byte, err error) {
	var seen bytes.Buffer
	err = errors.New("no client hello")
	config := &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		name, err = hello.ServerName, nil
		return nil, errSeen
	}}
	// The handshake always fails: it ends where the hello has been read.
	_ = tls.Server(helloConn{io.TeeReader(r, &seen)}, config).Handshake()
	if err == nil && name == "" {
		err = errors.New("no server name")
	}
	return name, seen.Bytes(), err
}

// helloConn can be read only.
type helloConn struct{ io.Reader }

func (helloConn) Write(p []byte) (int, error)      { return len(p), nil }
func (helloConn) Close() error                     { return nil }
func (helloConn) LocalAddr() net.Addr              { return nil }
func (helloConn) RemoteAddr() net.Addr             { return nil }
func (helloConn) SetDeadline(time.Time) error      { return nil }
func (helloConn) SetReadDeadline(time.Time) error  { return nil }
func (helloConn) SetWriteDeadline(time.Time) error { return nil }
