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

// programs caches the compiled programs used last, by what they depend on.
// Concurrent requests for one program share one compilation.
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
	check  func() error // reports what is wrong with the code, if it may be started
}

func newPrograms() *programs { return &programs{kept: map[string]*list.Element{}} }

// of returns the program of a task.
func (p *programs) of(task *api.Task) (*py.Program, error) {
	return p.entry(task).get()
}

// check reports what is wrong with the code of a task. It checks the code only
// once as long as its program is cached.
func (p *programs) check(task *api.Task) error {
	_, err := p.checked(task)
	return err
}

// checked returns the program of a task if nothing is wrong with its code.
func (p *programs) checked(task *api.Task) (*py.Program, error) {
	c := p.entry(task)
	program, err := c.get()
	if err != nil {
		return nil, err
	}
	return program, c.check()
}

func (p *programs) entry(task *api.Task) *compiled {
	digest := programDigest(task)
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.kept[digest]; ok {
		p.recent.MoveToFront(e)
		return e.Value.(*compiled)
	}
	c := &compiled{digest: digest, source: len(task.Code), get: compiling(task), check: checking(task)}
	p.kept[digest] = p.recent.PushFront(c)
	p.source += c.source
	p.shrink()
	return c
}

// programDigest is the digest of what a program depends on. Of the tools that is
// how they are called: not their code, nor which process has a function.
func programDigest(task *api.Task) string {
	spec := specOf(task)
	tools := spec.Tools
	spec.Tools = make([]api.Task, len(tools))
	for i, t := range tools {
		spec.Tools[i] = api.Task{Name: t.Name, Doc: t.Doc, Signature: t.Signature}
	}
	like := api.Task{Name: task.Name, File: task.File, Kind: task.Kind, Code: task.Code, Signature: task.Signature, Orchestrator: &spec}
	return like.Digest()
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
	code, file := task.Code, task.SourceName()
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

// checking checks a task when it is called first.
func checking(task *api.Task) func() error {
	if specOf(task).SkipCheck {
		return func() error { return nil }
	}
	code, file := task.Code, task.SourceName()
	o, err := options(task)
	return sync.OnceValue(func() error {
		if err != nil {
			return err
		}
		problems, err := check(code, o)
		if err != nil {
			return err
		}
		return checkError(file, problems)
	})
}

// check finds what would fail in a source.
func check(code string, o py.Options) (problems []py.Problem, err error) {
	err = guarded(func() (err error) {
		problems, err = py.Check(code, o)
		return err
	})
	return problems, err
}
