package guest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// process is a command of a session. It belongs to the guest, and not to a
// channel.
//
//	starts -> runs -> ended -> forgotten
type process struct {
	pid      int
	tag      string
	about    json.RawMessage
	started  time.Time
	jobs     *jobs
	log      *outputLog
	outputs  []*logged
	input    *input   // nil without one
	terminal *os.File // nil without one
	status   <-chan unix.WaitStatus
	over     chan struct{} // closed when it has ended

	jobMu sync.Mutex // held as long as the job must stay that of this process
	job   *job       // nil when nothing of it lives any more

	mu       sync.Mutex
	timedOut bool
	exit     *wire.ProcessExit // once it has ended
	ended    time.Time
}

// newProcess makes the streams of a process, and returns the descriptors that
// it is to have. The caller closes those.
func newProcess(request wire.Start, u user) (p *process, theirs []*os.File, err error) {
	p = &process{
		tag: string(request.Tag), about: request.About, started: time.Now(),
		log: newOutputLog(), over: make(chan struct{}),
	}
	if request.Terminal != nil {
		theirs, err = p.openTerminal(*request.Terminal, u)
	} else {
		theirs, err = p.openPipes(request.Stdin, u)
	}
	if err != nil {
		p.close()
		closeAll(theirs)
		return nil, nil, err
	}
	return p, theirs, nil
}

func (p *process) openTerminal(size wire.Size, u user) ([]*os.File, error) {
	ours, theirs, err := openTerminal(size, u)
	if err != nil {
		return nil, err
	}
	p.terminal = ours
	if err := p.addOutput(wire.RecordTerminal, ours); err != nil {
		return []*os.File{theirs}, err
	}
	p.input, err = newInput(ours, func() error { return nil })
	return []*os.File{theirs, theirs, theirs}, err
}

func (p *process) openPipes(stdin bool, u user) (theirs []*os.File, err error) {
	first, err := p.openInput(stdin, u)
	if err != nil {
		return nil, err
	}
	theirs = append(theirs, first)
	for _, kind := range []wire.RecordKind{wire.RecordStdout, wire.RecordStderr} {
		r, w, err := pipeOf(u)
		if err != nil {
			return theirs, err
		}
		theirs = append(theirs, w)
		if err := p.addOutput(kind, r); err != nil {
			return theirs, err
		}
	}
	return theirs, nil
}

func (p *process) openInput(open bool, u user) (*os.File, error) {
	if !open {
		return os.Open(os.DevNull)
	}
	r, w, err := pipeOf(u)
	if err != nil {
		return nil, err
	}
	p.input, err = newInput(w, w.Close)
	return r, err
}

// pipeOf makes a pipe that belongs to a user, who can open it once more by names such
// as /dev/stdout.
func pipeOf(u user) (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err != nil {
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	raw, err := w.SyscallConn() // Fd would make it block
	if err == nil {
		if failed := raw.Control(func(fd uintptr) { err = unix.Fchown(int(fd), u.uid, u.gid) }); failed != nil {
			err = failed
		}
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("pipe: %w", err), r.Close(), w.Close())
	}
	return r, w, nil
}

func (p *process) addOutput(kind wire.RecordKind, ours *os.File) error {
	raw, err := ours.SyscallConn()
	if err != nil {
		return errors.Join(err, ours.Close())
	}
	p.outputs = append(p.outputs, &logged{kind: kind, file: ours, raw: raw, log: p.log})
	return nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// close gives up the streams of a process that was not started.
func (p *process) close() {
	for _, o := range p.outputs {
		o.file.Close()
	}
	if p.input != nil {
		p.input.close()
	}
}

// attributes are what the process is started with. One with a terminal leads a
// session of its own, as a login does. Any other leads nothing, not even the group
// that it is in: a command such as setsid starts another process in place of one
// that does, and ends.
func (p *process) attributes(request wire.Start, u user, theirs []*os.File) *syscall.ProcAttr {
	attr := &syscall.ProcAttr{
		Dir: string(request.Dir),
		Env: u.complete(wire.Strings(request.Env)),
		Sys: &syscall.SysProcAttr{Credential: u.credential(), Setpgid: true},
	}
	if p.terminal != nil {
		attr.Sys.Setsid, attr.Sys.Setctty, attr.Sys.Setpgid = true, true, false
		if !hasVariable(attr.Env, "TERM") {
			attr.Env = append(attr.Env, "TERM=xterm-256color")
		}
	}
	for _, f := range theirs {
		attr.Files = append(attr.Files, f.Fd())
	}
	return attr
}

// run takes what the process writes, until it has ended.
func (p *process) run() {
	for _, o := range p.outputs {
		go o.copy(p.over)
	}
	status := <-p.status
	if p.input != nil {
		p.input.close()
	}
	for _, o := range p.outputs {
		o.drain()
	}
	exit := exitOf(status)
	p.mu.Lock()
	p.exit = &wire.ProcessExit{Code: exit.Code, Signal: exit.Signal, TimedOut: p.timedOut && status.Signaled()}
	p.ended = time.Now()
	p.mu.Unlock()
	p.log.finish()
	close(p.over)
	p.leaveJob()
}

// state returns how the process ended and when; nil if it has not.
func (p *process) state() (*wire.ProcessExit, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit, p.ended
}

// limitTime ends the process and all that it started after a time.
func (p *process) limitTime(after time.Duration) {
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-p.over:
		return
	case <-timer.C:
	}
	p.mu.Lock()
	p.timedOut = true
	p.mu.Unlock()
	p.signalTree(unix.SIGKILL)
}

// signalTree sends a signal to all that the process has started, and to itself.
// SIGKILL ends all of them.
func (p *process) signalTree(signal unix.Signal) {
	p.jobMu.Lock()
	defer p.jobMu.Unlock()
	if signal == unix.SIGKILL {
		p.job.kill()
	} else {
		p.job.signal(signal)
	}
}

// leaveJob gives the job back, unless something of it lives.
func (p *process) leaveJob() {
	p.jobMu.Lock()
	defer p.jobMu.Unlock()
	if p.job != nil && p.jobs.giveBack(p.job) {
		p.job = nil
	}
}

// forget lets go of what is kept of an ended process. Children that hold its
// outputs may go on to write.
func (p *process) forget() {
	p.log.forget()
	p.leaveJob()
	if p.terminal != nil {
		p.terminal.Close()
	}
}

func (p *process) info() wire.Info {
	exit, _ := p.state()
	offset, _ := p.log.state()
	return wire.Info{PID: p.pid, About: p.about, Started: p.started.UnixNano(), Offset: offset, Exit: exit}
}

// logged is our end of an output that goes to a log.
type logged struct {
	kind wire.RecordKind
	file *os.File
	raw  syscall.RawConn
	log  *outputLog

	mu  sync.Mutex // held from reading to keeping, so that both keep the order
	buf []byte
}

// copy keeps what is written until nobody can write any more. It closes our end
// only when the process is over: to close a terminal hangs its process up, and one
// that has closed its own end may have work left.
func (o *logged) copy(over <-chan struct{}) {
	defer o.file.Close()
	defer func() { <-over }()
	o.raw.Read(func(fd uintptr) bool {
		for {
			if n, ended := o.step(fd); n <= 0 {
				return ended
			}
		}
	})
}

// drain keeps what was written so far.
func (o *logged) drain() {
	o.raw.Control(func(fd uintptr) {
		for left := maxPipe; left > 0; {
			n, _ := o.step(fd)
			if n <= 0 {
				return
			}
			left -= n
		}
	})
}

// step keeps some bytes, if there are any.
func (o *logged) step(fd uintptr) (n int, ended bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.buf == nil {
		o.buf = make([]byte, wire.MaxRecord)
	}
	n, err := readRaw(fd, o.buf)
	if err != nil {
		return 0, !isAgain(err)
	}
	o.log.add(o.kind, o.buf[:n])
	return n, n == 0
}
