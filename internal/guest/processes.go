package guest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// Bounds on the ended processes that are kept for those who want to know how
// they ended: how long, how many, and how much output of them all.
const (
	keepEnded      = 10 * time.Minute
	maxEnded       = 256
	maxEndedOutput = 32 << 20
)

// maxTag bounds the tag of a process, in bytes.
const maxTag = 128

// processes are the commands of a session, in the order in which they started.
type processes struct {
	mu  sync.Mutex
	all []*process
}

// startProcess starts a process and follows it.
func (g *server) startProcess(request wire.Start, ch *wire.Channel) wire.End {
	p, err := g.newProcess(request)
	if err != nil {
		return wire.End{Done: doneWith(err)}
	}
	f, _ := p.log.follow(0)
	go p.run()
	if request.Timeout > 0 {
		go p.limitTime(time.Duration(request.Timeout))
	}
	return p.serve(f, 0, ch)
}

func (g *server) newProcess(request wire.Start) (*process, error) {
	if len(request.Tag) > maxTag {
		return nil, failure{wire.CodeRequestInvalid, "tag", fmt.Sprintf("the tag has %d bytes, more than %d", len(request.Tag), maxTag)}
	}
	// The kernel of a cell does not count those that the guest starts.
	if uint64(g.processes.running()) >= request.NProc {
		return nil, errProcesses
	}
	u, err := g.accounts.findUser(request.As)
	if err != nil {
		return nil, err
	}
	path, err := lookPath(request.Argv, request.Env)
	if err != nil {
		return nil, failure{wire.CodeNoCommand, "", err.Error()}.because(unix.ENOENT)
	}
	p, theirs, err := newProcess(request, u)
	if err != nil {
		return nil, err
	}
	defer closeAll(theirs)
	attr := p.attributes(request, u, theirs)
	p.jobs = g.jobs
	if p.job, err = g.jobs.take(); err != nil {
		p.close()
		return nil, err
	}
	started, err := g.jobs.start(p.job, func() (*child, error) {
		return g.launch(path, wire.Strings(request.Argv), attr, limits{request.NoFile, request.NProc})
	})
	if err != nil {
		p.leaveJob()
		p.close()
		return nil, noStart(string(request.Dir), err)
	}
	p.pid, p.status = started.pid, started.status
	g.processes.add(p)
	return p, nil
}

var errProcesses = failure{wire.CodeLimit, "pids", "the cell has as many processes as it may"}

// noStart tells why the kernel refused to start a command.
func noStart(dir string, err error) error {
	if errors.Is(err, unix.EAGAIN) {
		return errProcesses
	}
	exit := notStartedIn(dir, err)
	if exit.NoDir {
		return failure{wire.CodeNoCommand, "dir", exit.Error}.because(err)
	}
	return failure{wire.CodeNoCommand, "", exit.Error}.because(err)
}

func (s *processes) add(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, p)
	s.forgetOld()
}

// forgetOld lets go of ended processes. The caller holds mu.
func (s *processes) forgetOld() {
	count, output := 0, 0
	for i, p := range slices.Backward(s.all) {
		exit, ended := p.state()
		if exit == nil {
			continue
		}
		_, size := p.log.state()
		count++
		output += size
		if count > maxEnded || output > maxEndedOutput || time.Since(ended) > keepEnded {
			p.forget()
			s.all = slices.Delete(s.all, i, i+1)
		}
	}
}

// find returns the process of that number, or the last one with that tag.
func (s *processes) find(ref wire.Ref) (*process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld()
	for _, p := range slices.Backward(s.all) {
		if ref.PID != 0 && p.pid == ref.PID || ref.PID == 0 && ref.Tag != "" && p.tag == string(ref.Tag) {
			return p, nil
		}
	}
	if ref.PID != 0 {
		return nil, failure{wire.CodeNotFound, "pid", fmt.Sprintf("there is no process with the number %d", ref.PID)}
	}
	return nil, failure{wire.CodeNotFound, "tag", fmt.Sprintf("there is no process with the tag %q", ref.Tag)}
}

// running counts the processes that have not ended.
func (s *processes) running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, p := range s.all {
		if exit, _ := p.state(); exit == nil {
			count++
		}
	}
	return count
}

// findRunning returns a process that has not ended.
func (s *processes) findRunning(ref wire.Ref) (*process, error) {
	p, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	if exit, _ := p.state(); exit != nil {
		return nil, failure{wire.CodeConflict, "", "the process has ended"}
	}
	return p, nil
}

func (g *server) followProcess(request wire.Follow, ch *wire.Channel) wire.End {
	p, err := g.processes.find(request.Ref)
	if err != nil {
		return wire.End{Done: doneWith(err)}
	}
	f, lost := p.log.follow(request.From)
	return p.serve(f, lost, ch)
}

// serve tells a follower everything, and then how the process ended.
func (p *process) serve(f *follower, lost int64, ch *wire.Channel) wire.End {
	defer f.leave()
	go func() {
		<-ch.Over()
		f.leave()
	}()
	started, err := json.Marshal(wire.Started{PID: p.pid, Offset: f.at, Lost: lost})
	if err != nil {
		return wire.End{Done: doneWith(err)}
	}
	var buf []byte
	for kind, data := wire.RecordStarted, started; data != nil; kind, data = f.next() {
		buf = wire.AppendRecord(buf[:0], wire.Record{Kind: kind, Data: data})
		if _, err := ch.Write(buf); err != nil {
			return wire.End{Done: doneWith(err)}
		}
	}
	exit, _ := p.state()
	return wire.End{Exit: exit}
}

func (g *server) listProcesses(_ wire.List, ch *wire.Channel) wire.Done {
	var list []wire.Info
	for _, p := range g.processes.list() {
		list = append(list, p.info())
	}
	return doneWith(sendList(ch, list))
}

func (s *processes) list() []*process {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld()
	return slices.Clone(s.all)
}

func (g *server) writeInput(request wire.Input, ch *wire.Channel) wire.Done {
	p, err := g.processes.findRunning(request.Ref)
	if err == nil && p.input == nil {
		err = failure{wire.CodeConflict, "", "the process was started without an input"}
	}
	if err == nil {
		err = p.input.write(ch)
	}
	if err == nil && request.Close {
		err = p.closeInput()
	}
	return doneWith(err)
}

// endOfFile is what a terminal takes as the end of its input.
const endOfFile = 0x04

func (p *process) closeInput() error {
	if p.terminal != nil {
		return p.input.send([]byte{endOfFile})
	}
	p.input.close()
	return nil
}

func (g *server) signalProcess(request wire.Signal, _ *wire.Channel) wire.Done {
	p, err := g.processes.find(request.Ref)
	if err != nil {
		return doneWith(err)
	}
	signal := unix.Signal(request.Signal)
	if request.Tree {
		p.signalTree(signal)
		return wire.Done{}
	}
	alive, err := g.reaper.signal(p.pid, signal)
	if err == nil && !alive {
		err = failure{wire.CodeConflict, "", "the process has ended"}
	}
	return doneWith(err)
}

func (g *server) resizeTerminal(request wire.Resize, _ *wire.Channel) wire.Done {
	p, err := g.processes.findRunning(request.Ref)
	if err == nil && p.terminal == nil {
		err = failure{wire.CodeConflict, "", "the process has no terminal"}
	}
	if err == nil {
		err = p.resize(request.Size)
	}
	return doneWith(err)
}

func (p *process) resize(size wire.Size) error {
	raw, err := p.terminal.SyscallConn()
	if err != nil {
		return err
	}
	return errors.Join(raw.Control(func(fd uintptr) { err = resize(int(fd), size) }), err)
}
