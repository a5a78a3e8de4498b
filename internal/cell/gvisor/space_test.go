package gvisor

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/disk"
)

// withLayer is a cell that has written size bytes.
func withLayer(t *testing.T, size int) *instance {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "upper"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if _, err := file.Write(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	return &instance{upper: file, limit: &watchLimit{}, ended: make(chan struct{})}
}

// TestSpaceGuard ends the largest cell when the disk is nearly full, one at a
// time, and none that would give back next to nothing.
func TestSpaceGuard(t *testing.T) {
	space := disk.Space{Free: 100 << 20, Floor: 16 << 20}
	g := newSpaceGuard("")
	g.space = func(string) (disk.Space, error) { return space, nil }
	small, middle, large := withLayer(t, 64<<10), withLayer(t, 4<<20), withLayer(t, 8<<20)
	for _, in := range []*instance{small, middle, large} {
		g.cells[in] = struct{}{}
	}
	dying := func() (n int) {
		for _, in := range []*instance{small, middle, large} {
			if in.noSpace.Load() > 0 {
				n++
			}
		}
		return n
	}
	if g.look(); dying() != 0 {
		t.Fatal("a cell was ended though there is space")
	}
	space.Free = 7 << 20
	g.look()
	if g.look(); dying() != 1 || large.noSpace.Load() < 8<<20 {
		t.Fatalf("%d cells were ended, the largest for %d bytes", dying(), large.noSpace.Load())
	}
	close(large.ended)
	if g.look(); dying() != 2 || middle.noSpace.Load() == 0 {
		t.Fatalf("%d cells were ended", dying())
	}
	close(middle.ended)
	if g.look(); small.noSpace.Load() > 0 {
		t.Error("a cell was ended that has written next to nothing")
	}
	close(small.ended)
	if g.look() {
		t.Error("it looks on though no cell is left")
	}
}

func TestRoomForACell(t *testing.T) {
	space := disk.Space{Free: 100 << 20, Floor: 16 << 20}
	g := newSpaceGuard("")
	g.space = func(string) (disk.Space, error) { return space, nil }
	for limit, want := range map[int64]int64{10 << 30: 84 << 20, 1 << 20: 1 << 20} {
		if room, err := g.room(limit); room != want || err != nil {
			t.Errorf("of %d bytes a cell gets %d, %v, want %d", limit, room, err, want)
		}
	}
	space.Free = 16 << 20
	if _, err := g.room(10 << 30); !errors.Is(err, &api.Error{Code: api.StorageFull}) {
		t.Errorf("a cell without room: %v", err)
	}
}
