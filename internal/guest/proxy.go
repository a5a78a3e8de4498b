package guest

import (
	"fmt"
	"io"
	"net"
	"time"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// maxConnections is how many connections may be carried out of the cell at
// once; further ones wait. It stays below what the host accepts.
const maxConnections = 100

// halfOpen is how long a program may still send when the host has ended its
// direction of a connection.
const halfOpen = 30 * time.Second

// listen carries every connection to address to the host, which decides what
// may be reached. The guest itself knows no policy.
func (g *server) listen(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("listening for programs that want out: %w", err)
	}
	go func() {
		free := make(chan struct{}, maxConnections)
		for {
			free <- struct{}{}
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { <-free }()
				g.carry(conn.(*net.TCPConn))
			}()
		}
	}()
	return nil
}

func (g *server) carry(conn *net.TCPConn) {
	defer conn.Close()
	ch, err := g.mux.Load().Open(wire.KindDial, wire.Dial{})
	if err != nil {
		return
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		io.Copy(ch, conn)
		ch.CloseWrite()
	}()
	io.Copy(conn, ch)
	conn.CloseWrite()
	conn.SetReadDeadline(time.Now().Add(halfOpen))
	<-sent
	ch.Close(wire.Done{})
}
