package egress

import (
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
)

// quota counts the bytes of a run. It may overshoot by what is under way.
type quota struct {
	limit int64 // 0 means none
	used  atomic.Int64
}

// take charges n bytes and reports whether they are within the limit.
func (q *quota) take(n int) bool {
	used := q.used.Add(int64(n))
	return q.limit <= 0 || used <= q.limit
}

func (q *quota) spent() bool { return q.limit > 0 && q.used.Load() >= q.limit }

func (q *quota) refusal() *refusal {
	return &refusal{status: 403, reason: "the run has used up its network quota", hint: "transfer less, or split the work into several runs"}
}

var errQuota = errors.New("network quota used up")

// upstream is a connection to the outside whose bytes are counted and charged.
type upstream struct {
	net.Conn
	address netip.AddrPort
	quota   *quota
	in, out atomic.Int64
	cut     atomic.Bool // the quota ended it
}

// Read implements net.Conn.
func (u *upstream) Read(p []byte) (int, error) {
	n, err := u.Conn.Read(p)
	u.in.Add(int64(n))
	if !u.quota.take(n) {
		u.cut.Store(true)
		return 0, errQuota
	}
	return n, err
}

// Write implements net.Conn.
func (u *upstream) Write(p []byte) (int, error) {
	if !u.quota.take(len(p)) {
		u.cut.Store(true)
		return 0, errQuota
	}
	n, err := u.Conn.Write(p)
	u.out.Add(int64(n))
	return n, err
}

// CloseWrite ends the direction to the outside.
func (u *upstream) CloseWrite() error { return closeWrite(u.Conn) }

// closeWrite ends one direction of conn, or both if it cannot do that.
func closeWrite(conn net.Conn) error {
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return conn.Close()
}
