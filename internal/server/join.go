package server

import (
	"context"
	"io"
	"net"
	"sync"
)

// joinConns passes on what either of two connections brings, until both have
// ended or ctx has. The end of one direction is passed on alone, where the
// connection can tell it.
func joinConns(ctx context.Context, a, b net.Conn) {
	stop := context.AfterFunc(ctx, func() { closeBoth(a, b) })
	defer stop()
	var directions sync.WaitGroup
	pass := func(to, from net.Conn) {
		if _, err := io.Copy(to, from); err != nil || closeWrite(to) != nil {
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

// closeWrite ends one direction of a connection, or all of it where it has no
// halves.
func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}
