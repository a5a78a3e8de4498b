package embed_test

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

func TestMain(m *testing.M) {
	embed.Init()
	os.Exit(m.Run())
}

// TestOpenAndClose opens the engine, calls a function of this process by it,
// and opens the same home again. On other systems Open says what it needs.
func TestOpenAndClose(t *testing.T) {
	home := t.TempDir()
	if runtime.GOOS != "linux" {
		_, err := embed.Open(embed.Options{Home: home})
		if e := (*glovebox.Error)(nil); !errors.As(err, &e) || !errors.Is(err, glovebox.ErrIsolationUnavailable) || e.Hint == "" {
			t.Fatalf("Open on %s: %v, want isolation_unavailable with a hint", runtime.GOOS, err)
		}
		return
	}
	add := glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
	for range 2 {
		gb, err := embed.Open(embed.Options{Home: home})
		if err != nil {
			t.Fatal(err)
		}
		n, err := glovebox.Call[int](t.Context(), gb, add, glovebox.Values{"x": 1, "y": 2})
		if n != 3 || err != nil {
			t.Errorf("add(1, 2) = %d, %v", n, err)
		}
		if err := gb.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
}

// TestConnectDials shows that the variable wins over the engine, on every system.
func TestConnectDials(t *testing.T) {
	t.Setenv("GLOVEBOX_URL", "ftp://example.org")
	if _, err := embed.Connect(t.Context(), embed.Options{}); !errors.Is(err, glovebox.ErrRequestInvalid) {
		t.Errorf("Connect to an address that is none: %v, want request_invalid", err)
	}
}
