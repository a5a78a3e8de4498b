package guest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// dialPatience is how long a server of the cell may take to accept.
const dialPatience = 10 * time.Second

// connect carries a connection of the host to a server in the cell.
func (g *server) connect(request wire.Connect, ch *wire.Channel) wire.Done {
	conn, err := dialLoopback(request.Port)
	if err != nil {
		return doneWith(err)
	}
	defer conn.Close()
	if _, err := ch.WriteStream(1, []byte{0}); err != nil {
		return doneWith(err)
	}
	go func() {
		// The server still gets everything that has come before the end.
		<-ch.Over()
		conn.SetReadDeadline(time.Now())
		conn.SetWriteDeadline(time.Now().Add(halfOpen))
	}()
	var both sync.WaitGroup
	both.Go(func() {
		io.Copy(struct{ io.Writer }{ch}, struct{ io.Reader }{conn})
		ch.CloseWrite()
	})
	both.Go(func() {
		io.Copy(struct{ io.Writer }{conn}, ch)
		conn.CloseWrite()
	})
	both.Wait()
	return wire.Done{}
}

func dialLoopback(port int) (*net.TCPConn, error) {
	dialer := net.Dialer{Timeout: dialPatience}
	for _, host := range []string{"127.0.0.1", "::1"} {
		conn, err := dialer.Dial("tcp", net.JoinHostPort(host, fmt.Sprint(port)))
		if err == nil {
			return conn.(*net.TCPConn), nil
		}
		if !errors.Is(err, unix.ECONNREFUSED) && !errors.Is(err, unix.EADDRNOTAVAIL) && !errors.Is(err, unix.ENETUNREACH) {
			return nil, failure{wire.CodeConflict, "port", err.Error()}
		}
	}
	return nil, failure{wire.CodeNotFound, "port", fmt.Sprintf("nothing listens on port %d", port)}
}
