package app

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/user"

	"github.com/glovebox-dev/glovebox/internal/compat/monty"
	"github.com/glovebox-dev/glovebox/internal/home"
)

// Monty implements host.Engine. It opens the home for a key alone, when the
// client saves or restores a session.
func (Engine) Monty(ctx context.Context, dir string, in io.Reader, out io.Writer) error {
	key := func() ([]byte, error) {
		found, err := home.Find(dir, getenv)
		if err != nil {
			return nil, err
		}
		if err := found.Prepare(); err != nil {
			return nil, err
		}
		return found.DumpKey()
	}
	return monty.Serve(ctx, monty.Pipe{In: in, Out: out}, monty.Options{Key: key})
}

// montyServer answers clients on WebSockets, with the key of the home, and stores
// their sessions there.
func (a *App) montyServer() func(context.Context, http.ResponseWriter, *http.Request) error {
	store := &monty.Store{Dir: a.Home.Below("monty")}
	return func(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
		return monty.Upgrade(ctx, w, r, monty.Options{Key: a.Home.DumpKey, Memory: remoteMemory, Store: store})
	}
}

// remoteMemory bounds one session of a client on a WebSocket, in bytes.
const remoteMemory = 256 << 20

// getenv is os.Getenv for a program that was started without an environment, as
// clients of Monty start it: the home of the user is known all the same.
func getenv(name string) string {
	value := os.Getenv(name)
	if value != "" || name != "HOME" {
		return value
	}
	if u, err := user.Current(); err == nil {
		return u.HomeDir
	}
	return ""
}
