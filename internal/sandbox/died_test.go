package sandbox

import (
	"archive/tar"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

// mortal is a cell that is lost at one moment, when its stage comes.
type mortal struct {
	*fakeCell
	stage   string // "adopt", "put", or "" for a cell that lives
	adopted chan<- mortal
}

func lost() error { return api.Errorf(api.CellLost, "the cell ended") }

func (m mortal) Adopt(ctx context.Context, wall time.Duration, serve func(context.Context, net.Conn)) error {
	m.adopted <- m
	if m.stage == "adopt" {
		return lost()
	}
	return m.fakeCell.Adopt(ctx, wall, serve)
}

func (m mortal) Put(ctx context.Context, dir string, write func(*tar.Writer) error) error {
	err := m.fakeCell.Put(ctx, dir, write)
	if m.stage == "put" && m.fakeCell.entries["/var/inputs/data"] != nil {
		return lost()
	}
	return err
}

// A cell that was ready and is lost before it got its job is no matter of the
// run: it has another, with everything in it.
func TestWarmCellIsLostBeforeItsJob(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(data, []byte("all of the file"), 0o600); err != nil {
		t.Fatal(err)
	}
	task := &api.Task{Name: "t", Command: []string{"cat"}, Signature: api.Signature{Inputs: sandboxtest.Params(t, "data:File")}}
	for _, stage := range []string{"adopt", "put"} {
		for mortals := range maxTaken + 1 {
			t.Run(fmt.Sprintf("%s, %d times", stage, mortals), func(t *testing.T) {
				f := newFixture(t, nil)
				cells := f.mortals(t, task, mortals, stage)
				if _, err := f.run(t, task, map[string]any{"data": value.File{Path: data}}); err != nil {
					t.Fatal(err)
				}
				last := <-cells
				for len(cells) > 0 {
					last = <-cells
				}
				if got := last.text("/var/inputs/data"); got != "all of the file" {
					t.Errorf("the program found %q", got)
				}
			})
		}
	}
}

// mortals keeps as many cells ready as a run takes; some are lost at a stage.
// The cells that are adopted come from the channel.
func (f *fixture) mortals(t *testing.T, task *api.Task, n int, stage string) <-chan mortal {
	t.Helper()
	f.warm = pool.New[*ready.Cell](pool.Config{Cells: maxTaken, Memory: 1 << 30, Starts: 1})
	adopted := make(chan mortal, 10)
	started := 0
	f.maker = fakeMaker(func(spec cell.Spec) ready.Box {
		c := mortal{fakeCell: &fakeCell{
			entries: map[string]*fakeEntry{}, program: exits(0), spec: spec, over: make(chan struct{}),
		}, adopted: adopted}
		if started++; started <= n {
			c.stage = stage
		}
		return c
	})
	s := ready.NewTemplate(testImage(), task, environ.AtStart(testImage().Env, task, false))
	if err := f.warm.Keep(t.Context(), s.Class, f.starter(s), maxTaken); err != nil {
		t.Fatal(err)
	}
	for f.warm.Stats()[0].Idle < maxTaken {
		runtime.Gosched()
	}
	return adopted
}
