package orchestrator

import (
	"container/list"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// Bounds of the compiled programs that are kept.
const (
	maxPrograms      = 256
	maxProgramSource = 64 << 20 // bytes of source in all
)

// programs keeps compiled programs, those used last, by the digest of their
// task. A program that several ask for at once is compiled once.
type programs struct {
	mu     sync.Mutex
	kept   map[string]*list.Element // of *compiled
	recent list.List                // the one used last comes first
	source int                      // bytes
}

type compiled struct {
	digest string
	source int // bytes
	get    func() (*py.Program, error)
}

func newPrograms() *programs { return &programs{kept: map[string]*list.Element{}} }

// of returns the program of a task.
func (p *programs) of(task *api.Task) (*py.Program, error) {
	return p.entry(task).get()
}

func (p *programs) entry(task *api.Task) *compiled {
	digest := task.Digest()
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.kept[digest]; ok {
		p.recent.MoveToFront(e)
		return e.Value.(*compiled)
	}
	c := &compiled{digest: digest, source: len(task.Code), get: compiling(task)}
	p.kept[digest] = p.recent.PushFront(c)
	p.source += c.source
	p.shrink()
	return c
}

// shrink drops the programs that were not used for the longest time.
func (p *programs) shrink() {
	for p.recent.Len() > maxPrograms || p.source > maxProgramSource {
		c := p.recent.Remove(p.recent.Back()).(*compiled)
		delete(p.kept, c.digest)
		p.source -= c.source
	}
}

// compiling compiles a task when it is called first.
func compiling(task *api.Task) func() (*py.Program, error) {
	code, file := task.Code, fileOf(task)
	o, err := options(task)
	return sync.OnceValues(func() (program *py.Program, _ error) {
		if err != nil {
			return nil, err
		}
		err := guarded(func() (err error) {
			program, err = py.Compile(code, o)
			return err
		})
		return program, sourceError(file, code, err)
	})
}
