package ready

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/autoio"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/tree"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

const (
	compileFile  = layout.Runner + "/compile.py"
	compiledFile = layout.Runner + "/importlib_bootstrap/compiled" // beside the runner, which looks for it
	// maxCompiled bounds what an interpreter may make of the runner, in bytes.
	maxCompiled = 1 << 20
	// maxImages bounds how many images are remembered.
	maxImages = 32
	// oftenEnough is how often a runner starts in an image until it is compiled.
	// A process for one run gains nothing.
	oftenEnough = 2
)

// compiler keeps the runner as the interpreters of images compile it, which
// takes them longer than all else that it does before it is ready. Each has it
// compiled in a cell of its own where nothing else has run, so that code of one
// run is never another's; what an image does with it, it does to itself.
type compiler struct {
	compile func(context.Context, *Image) ([]byte, error)
	logger  *slog.Logger

	ctx    context.Context // ends with close
	end    context.CancelFunc
	under  sync.WaitGroup
	mu     sync.Mutex
	images map[string]*compiled // by id
	busy   bool
}

type compiled struct {
	uses  int
	tried bool
	code  []byte // nil as long as there is none
}

func newCompiler(compile func(context.Context, *Image) ([]byte, error), logger *slog.Logger) *compiler {
	c := &compiler{compile: compile, logger: logger, images: map[string]*compiled{}}
	c.ctx, c.end = context.WithCancel(context.Background())
	return c
}

// code returns the compiled runner for an image, or nil. Where it is asked for
// often enough, there will be one later.
func (c *compiler) code(image *Image) []byte {
	if !tuning.On(tuning.Compiled) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.images[image.ID]
	if known == nil {
		if len(c.images) >= maxImages {
			clear(c.images)
		}
		known = &compiled{}
		c.images[image.ID] = known
	}
	known.uses++
	if known.uses >= oftenEnough && !known.tried && !c.busy && c.ctx.Err() == nil {
		known.tried, c.busy = true, true
		c.under.Go(func() { c.make(image, known) })
	}
	return known.code
}

func (c *compiler) make(image *Image, into *compiled) {
	code, err := c.compile(c.ctx, image)
	if err != nil && c.ctx.Err() == nil {
		c.logger.Debug("compiling the runner", "image", image.ID, "error", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
	if err == nil {
		into.code = code
	}
}

// close returns when nothing is being compiled any more.
func (c *compiler) close() {
	c.mu.Lock()
	c.end()
	c.mu.Unlock()
	c.under.Wait()
}

// compileIn compiles the runner in a cell of the image.
func (m *Maker) compileIn(ctx context.Context, image *Image) (code []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, preparePatience)
	defer cancel()
	c, err := m.start(ctx, cell.Spec{ID: "compile-" + randomID(), RootFS: image.RootFS, Resources: api.Resources{}.WithDefaults()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closed(c)) }()
	if err := c.Adopt(ctx, preparePatience, nil); err != nil {
		return nil, err
	}
	err = c.Put(ctx, "/", func(archive *tar.Writer) error {
		t := tree.New(archive)
		t.Dir(layout.Runner, 0o755, 0)
		t.File(compileFile, autoio.CompileProgram(path.Dir(compiledFile)), 0o444, 0)
		return t.Err()
	})
	if err != nil {
		return nil, err
	}
	out := &atMost{max: maxCompiled}
	exit, err := c.Exec(ctx, cell.Command{
		Argv: []string{image.Python, "-I", "-S", compileFile}, Env: environ.Plain(image.Env, api.AutoIO).List(), Dir: "/", Stdout: out,
	})
	if err == nil && exit != (cell.Exit{}) {
		err = fmt.Errorf("the interpreter ended with status %d", exit.Status())
	}
	return out.data.Bytes(), err
}

// atMost takes no more than max bytes.
type atMost struct {
	data bytes.Buffer
	max  int
}

func (b *atMost) Write(p []byte) (int, error) {
	if b.data.Len()+len(p) > b.max {
		return 0, fmt.Errorf("more than %d bytes", b.max)
	}
	return b.data.Write(p)
}
