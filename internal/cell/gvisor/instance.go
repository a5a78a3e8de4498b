package gvisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// endPatience is how long a killed sandbox may take to be collected by its
// launcher before the launcher is killed too.
const endPatience = 2 * time.Second

// bootPatience is how long a sandbox may take to start, on a host that is very
// busy too.
const bootPatience = 2 * time.Minute

// minVisible is how many processors a cell sees at least, where the host has
// them. gVisor's kernel runs on no more than it shows, and on one alone every
// system call waits for the program to be switched out. The limit of CPU time
// is another thing, and holds.
const minVisible = 2

type instance struct {
	stream  *stream
	control *os.File
	upper   *os.File         // where changed files arrive
	events  chan runsc.Event // room for all that a launcher says: started or failed, and upper
	heard   chan struct{}    // closed when the launcher has said everything
	words   *tail            // what the launcher and the guest said on standard error
	limit   limit
	cmd     *exec.Cmd
	sandbox atomic.Pointer[os.Process] // nil before it has started
	dir     string
	lock    *os.File

	killOnce sync.Once
	ended    chan struct{} // closed when every process is gone
	death    cell.Death
	cpu      time.Duration // as the launcher reported it
	upperMu  sync.Mutex
	closing  sync.Once
	closeErr error
}

func (d *Driver) launch(ctx context.Context, spec cell.Spec, guest *os.File) (_ *instance, err error) {
	dir, lock, err := d.cellDir(spec.ID)
	if err != nil {
		return nil, err
	}
	in := &instance{dir: dir, lock: lock, words: &tail{}, events: make(chan runsc.Event, 2), heard: make(chan struct{}), ended: make(chan struct{})}
	if in.limit, err = d.limits().prepare(spec.ID, spec.Resources); err != nil {
		os.RemoveAll(dir)
		lock.Close()
		return nil, err
	}
	if err := in.startLauncher(d.config.Program, guest, lock); err != nil {
		close(in.ended)
		in.Close()
		return nil, err
	}
	if err := in.boot(ctx, spec); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// ends are the launcher's ends of its pipes.
type ends struct{ in, out, control, upper, words *os.File }

func (in *instance) startLauncher(program string, guest, lock *os.File) error {
	ends, err := in.connect()
	defer ends.close()
	if err != nil {
		return err
	}
	in.cmd = runsc.Launcher(program, ends.in, ends.out, ends.control, guest, ends.upper, ends.words)
	if err := in.limit.start(in.cmd); err != nil {
		return api.Errorf(api.IsolationUnavailable, "starting the sandbox program %s: %w", program, err)
	}
	go in.listen()
	go in.wait()
	return nil
}

func (e *ends) close() {
	for _, f := range []*os.File{e.in, e.out, e.control, e.upper, e.words} {
		if f != nil {
			f.Close()
		}
	}
}

// connect makes the pipes between this process and the launcher.
func (in *instance) connect() (e *ends, err error) {
	e = &ends{}
	in.stream = &stream{}
	var words *os.File
	for _, pipe := range []struct{ r, w **os.File }{
		{&e.in, &in.stream.out}, {&in.stream.in, &e.out}, {&in.upper, &e.upper}, {&words, &e.words},
	} {
		if *pipe.r, *pipe.w, err = os.Pipe(); err != nil {
			return e, fmt.Errorf("pipe to the cell: %w", err)
		}
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return e, fmt.Errorf("socket to the cell: %w", err)
	}
	in.control, e.control = os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "launcher control")
	go in.words.readFrom(words)
	return e, nil
}

// boot tells the launcher what to start and waits until it has.
func (in *instance) boot(ctx context.Context, spec cell.Spec) error {
	ctx, cancel := context.WithTimeoutCause(ctx, bootPatience, api.Errorf(api.IsolationUnavailable, "the sandbox did not start within %s", bootPatience))
	defer cancel()
	stop := context.AfterFunc(ctx, in.Kill)
	defer stop()
	if err := in.limit.enter(in.cmd.Process.Pid); err != nil {
		return err
	}
	if err := json.NewEncoder(in.control).Encode(launchConfig(in.dir, spec)); err != nil {
		return in.bootFailed(ctx, err.Error())
	}
	event, ok := <-in.events
	if !ok || event.Event != "started" {
		return in.bootFailed(ctx, event.Error)
	}
	// Held by a handle where the kernel has them: the number may soon be that of
	// another process.
	sandbox, err := os.FindProcess(event.PID)
	if err != nil {
		return in.bootFailed(ctx, err.Error())
	}
	in.sandbox.Store(sandbox)
	return in.limit.enforce(event.PID, in.Kill)
}

func launchConfig(dir string, spec cell.Spec) runsc.Config {
	// gVisor counts a process that changes its user as the old user's: the
	// program's first process is not counted against its limit.
	argv := []string{"glovebox-guest", "-uncounted", "1"}
	if spec.Serve != nil || spec.Proxy {
		argv = append(argv, "-proxy", cell.ProxyAddress)
	}
	return runsc.Config{
		ID: spec.ID, Dir: dir, RootFS: spec.RootFS, Argv: argv,
		Disk:   spec.Resources.Disk,
		Shared: min(spec.Resources.Disk, spec.Resources.Memory),
		CPUs:   min(max(minVisible, int(math.Ceil(spec.Resources.CPU))), runtime.NumCPU()),
		Memory: spec.Resources.Memory,
	}
}

func (in *instance) bootFailed(ctx context.Context, reason string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	in.Kill()
	death := in.Wait()
	if death.OutOfMemory {
		return api.Errorf(api.OutOfMemory, "the memory limit is too small for the sandbox itself").
			WithDetails(api.Details{Peak: death.PeakMemory})
	}
	return api.Errorf(api.IsolationUnavailable, "the sandbox did not start: %s", strings.TrimSpace(reason+" "+death.Log))
}

// listen passes the launcher's events on until its socket ends.
func (in *instance) listen() {
	defer close(in.heard)
	defer close(in.events)
	decoder := json.NewDecoder(in.control)
	for {
		var event runsc.Event
		if err := decoder.Decode(&event); err != nil {
			return
		}
		if event.Event == "exited" {
			in.cpu = time.Duration(event.CPU)
			return
		}
		in.events <- event
	}
}

// wait collects the launcher and with it the whole cell.
func (in *instance) wait() {
	in.cmd.Wait()
	in.limit.kill()
	<-in.heard
	death := in.limit.death()
	death.Log = in.words.String()
	if in.cpu > death.CPU {
		death.CPU = in.cpu
	}
	in.death = death
	close(in.ended)
}

// Stream implements cell.Instance.
func (in *instance) Stream() io.ReadWriteCloser { return in.stream }

// Wait implements cell.Instance.
func (in *instance) Wait() cell.Death {
	<-in.ended
	return in.death
}

// Kill implements cell.Instance. The sandbox is process 1 of a namespace of
// its own: with it everything in the cell ends at once.
func (in *instance) Kill() {
	in.killOnce.Do(func() {
		if sandbox := in.sandbox.Load(); sandbox != nil {
			sandbox.Kill()
		}
		go in.kill()
	})
}

func (in *instance) kill() {
	if sandbox := in.sandbox.Load(); sandbox != nil {
		sandbox.Kill()
		select {
		case <-in.ended:
			return
		case <-time.After(endPatience):
		}
	}
	if in.cmd != nil && in.cmd.Process != nil {
		in.cmd.Process.Kill()
	}
	in.limit.kill()
}

// OutOfMemory implements cell.Instance.
func (in *instance) OutOfMemory() bool { return in.limit.outOfMemory() }

// Usage implements cell.Instance.
func (in *instance) Usage() cell.Usage {
	select {
	case <-in.ended:
		return cell.Usage{CPU: in.death.CPU, PeakMemory: in.death.PeakMemory}
	default:
		return in.limit.usage()
	}
}

// Upper implements cell.Instance.
func (in *instance) Upper(ctx context.Context, w io.Writer) error {
	in.upperMu.Lock()
	defer in.upperMu.Unlock()
	stop := context.AfterFunc(ctx, in.Kill)
	defer stop()
	if err := json.NewEncoder(in.control).Encode(runsc.Request{Request: "upper"}); err != nil {
		return fmt.Errorf("asking for the changed files: %w", err)
	}
	if _, err := io.Copy(w, in.upper); err != nil {
		return fmt.Errorf("reading the changed files: %w", err)
	}
	event, ok := <-in.events
	if !ok || event.Error != "" {
		return fmt.Errorf("reading the changed files: the sandbox failed: %s", event.Error)
	}
	return nil
}

// Close implements cell.Instance.
func (in *instance) Close() error {
	in.closing.Do(func() {
		in.Kill()
		<-in.ended
		in.stream.Close()
		for _, f := range []*os.File{in.control, in.upper} {
			if f != nil {
				f.Close()
			}
		}
		if sandbox := in.sandbox.Load(); sandbox != nil {
			sandbox.Release()
		}
		in.closeErr = errors.Join(in.limit.remove(), os.RemoveAll(in.dir), in.lock.Close())
	})
	return in.closeErr
}

// stream is the two pipes to process 1.
type stream struct {
	in, out *os.File
	once    sync.Once
}

func (s *stream) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s *stream) Write(p []byte) (int, error) { return s.out.Write(p) }

func (s *stream) Close() error {
	s.once.Do(func() {
		for _, f := range []*os.File{s.in, s.out} {
			if f != nil {
				f.Close()
			}
		}
	})
	return nil
}

// tail keeps the last bytes of a stream, so that an endless one costs nothing.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 8 << 10

func (t *tail) readFrom(r *os.File) {
	defer r.Close()
	buf := make([]byte, 4<<10)
	for {
		n, err := r.Read(buf)
		t.mu.Lock()
		t.data = append(t.data, buf[:n]...)
		t.data = t.data[max(0, len(t.data)-tailSize):]
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.data), "?"))
}
