// Package duplex joins two connections that each go both ways.
package duplex

import (
	"context"
	"io"
	"net"
	"sync"
)

// Join passes on what either of two connections brings, until both have
// ended or ctx has. The end of one direction is passed on alone, where the
// connection can tell it.
func Join(ctx context.Context, a, b net.Conn) {
	stop := context.AfterFunc(ctx, func() { closeBoth(a, b) })
	defer stop()
	var directions sync.WaitGroup
	pass := func(to, from net.Conn) {
		if _, err := io.Copy(to, from); err != nil || CloseWrite(to) != nil {
			closeBoth(a, b)
		}
	}
	directions.Go(func() { pass(a, b) })
	directions.Go(func() { pass(b, a) })
	directions.Wait()
	closeBoth(a, b)
}

func closeBoth(a, b net.Conn) {
	_, _ = a.Close(), b.Close() // they are of no more use
}

// CloseWrite ends one direction of a connection, or all of it where it has no
// halves.
func CloseWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}
