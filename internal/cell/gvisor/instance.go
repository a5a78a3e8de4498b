package gvisor

import (
	"cmp"
	"context"
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

// bootPatience is how long a sandbox may take to start, on a host that is very
// busy too.
const bootPatience = 2 * time.Minute

// minProcs is on how many processors gVisor's kernel runs at least, where the
// host has them: on one alone every system call waits for the program to be
// switched out. The program sees as many as its limit amounts to: a library that
// starts a thread for each would have them fight for the CPU time of one.
const minProcs = 2

type instance struct {
	driver  *Driver
	spec    cell.Spec
	asked   api.Resources // of the spec, before there was a look at the disk
	config  runsc.Config  // what its sandbox was asked to be
	stream  *stream
	program *cell.Streams
	control *os.File
	upper   *os.File // behind the writable layer, until the cell is gone
	stderr  *tail    // of the sandbox and the guest
	limit   limit
	cmd     *exec.Cmd
	dir     string
	lock    *os.File

	killOnce sync.Once
	ended    chan struct{} // closed when every process is gone
	death    cell.Death
	noSpace  atomic.Int64 // what the layer took of the disk, if that is why the cell was ended
	asking   sync.Mutex   // held from a request to its answer
	frozen   bool         // under asking
	closing  sync.Once
	closeErr error
}

func (d *Driver) launch(ctx context.Context, spec cell.Spec, from *restored) (_ *instance, err error) {
	if err := enoughFiles(); err != nil {
		return nil, err
	}
	asked := spec.Resources
	if spec.Resources.Disk, err = d.space.room(spec.Resources.Disk); err != nil {
		return nil, err
	}
	dir, lock, err := d.cellDir(spec.ID)
	if err != nil {
		return nil, err
	}
	in := &instance{driver: d, spec: spec, asked: asked, dir: dir, lock: lock, stderr: &tail{}, ended: make(chan struct{})}
	if in.limit, err = d.limits().prepare(spec.ID, spec.Resources); err != nil {
		os.RemoveAll(dir)
		lock.Close()
		return nil, err
	}
	files, err := d.open(in, spec)
	defer files.close()
	if err == nil {
		err = files.continueFrom(from)
	}
	if err == nil {
		err = d.start(in, files)
	}
	if err != nil {
		close(in.ended)
		in.Close()
		return nil, err
	}
	d.space.add(in)
	if err := in.boot(ctx, files, from); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// given are the files of a cell that its sandbox gets, and this process closes.
type given struct {
	runsc.Files
	control *os.File
	layer   *layerPipes // to the sandbox, if it begins with changed files
}

// open makes the pipes between this process and the sandbox, and opens the rest
// of what the sandbox gets.
func (d *Driver) open(in *instance, spec cell.Spec) (g *given, err error) {
	g = &given{}
	in.stream, in.program = &stream{}, &cell.Streams{}
	var stderr *os.File
	for _, pipe := range []struct{ r, w **os.File }{
		{&g.In, &in.stream.out}, {&in.stream.in, &g.Out}, {&stderr, &g.Err},
		{&g.Further[0], &in.program.Job}, {&in.program.Control, &g.Further[1]},
	} {
		if *pipe.r, *pipe.w, err = os.Pipe(); err != nil {
			return g, fmt.Errorf("pipe to the cell: %w", err)
		}
	}
	go in.stderr.readFrom(stderr)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return g, fmt.Errorf("socket to the cell: %w", err)
	}
	in.control, g.control = os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "sandbox control")
	if g.Guest, err = d.guest(); err != nil {
		return g, api.Errorf(api.IsolationUnavailable, "%w", err)
	}
	if g.RootFS, err = os.Open(spec.RootFS); err != nil {
		return g, fmt.Errorf("opening the image: %w", err)
	}
	if spec.Layer != nil {
		if g.layer, err = g.openLayer(); err != nil {
			return g, err
		}
	}
	in.upper, err = unnamedFile(in.dir)
	g.Upper = in.upper
	return g, err
}

// unnamedFile makes the file behind the writable layer. It has no name, so
// that nothing is left of it when every process is gone, however they ended.
func unnamedFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "upper-")
	if err != nil {
		return nil, fmt.Errorf("making the writable layer: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return f, fmt.Errorf("making the writable layer: %w", err)
	}
	return f, nil
}

// close closes all but the guest, which is for all cells, and the writable layer,
// which is looked at as long as the cell lives.
func (g *given) close() {
	for _, f := range append(g.Further[:], g.In, g.Out, g.Err, g.RootFS, g.control) {
		if f != nil {
			f.Close()
		}
	}
	if g.Saved != nil {
		closeSaved(*g.Saved)
	}
	if g.layer != nil {
		g.closeLayer()
		g.layer.close()
	}
}

// start starts the sandbox process, which then waits.
func (d *Driver) start(in *instance, g *given) error {
	program, err := d.program()
	if err != nil {
		return err
	}
	in.cmd = runsc.Sandbox(program, g.control, g.Err)
	if err := d.starter().do(func() error { return in.limit.start(in.cmd) }); err != nil {
		return api.Errorf(api.IsolationUnavailable, "starting the sandbox program %s: %w", d.config.Program, err)
	}
	g.control.Close() // so that the end of the sandbox is the end of the socket
	go in.wait()
	return nil
}

// boot tells the sandbox what to be and waits until it is.
func (in *instance) boot(ctx context.Context, g *given, from *restored) error {
	ctx, cancel := context.WithTimeoutCause(ctx, bootPatience, api.Errorf(api.IsolationUnavailable, "the sandbox did not start within %s", bootPatience))
	defer cancel()
	stop := context.AfterFunc(ctx, in.Kill)
	defer stop()
	in.config = from.config(sandboxConfig(in.spec))
	if err := runsc.Begin(in.control, in.config, g.Files); err != nil {
		return in.bootFailed(ctx, err.Error())
	}
	filled := in.beginFill(g)
	heard := in.hear("started")
	if err := filled(); err != nil {
		return err
	}
	if heard != nil {
		return in.bootFailed(ctx, heard.Error())
	}
	return in.limit.enforce(in.cmd.Process.Pid, from.memory(), in.Kill)
}

func sandboxConfig(spec cell.Spec) runsc.Config {
	// gVisor counts a process that changes its user as the old user's: the
	// program's first process is not counted against its limit.
	args := []string{"-uncounted", "1", "-direct"}
	if spec.HasProxy() {
		args = append(args, "-proxy", cell.ProxyAddress)
	}
	if spec.Bare {
		args = append(args, "-bare")
	}
	cpus := int(math.Ceil(spec.Resources.CPU))
	temporary := spec.Temporary
	if temporary == nil {
		temporary = cell.DefaultTemporary()
	}
	return runsc.Config{
		ID: spec.ID, Args: args, Host: cmp.Or(spec.Host, "glovebox"),
		Disk:   spec.Resources.Disk,
		Shared: min(spec.Resources.Disk, spec.Resources.Memory),
		CPUs:   min(cpus, runtime.NumCPU()),
		Procs:  min(max(minProcs, cpus), runtime.NumCPU()),
		Memory: spec.Resources.Memory,

		Temporary: temporary,
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

// wait collects the sandbox and with it the whole cell.
func (in *instance) wait() {
	in.cmd.Wait()
	in.limit.kill()
	death := in.limit.death()
	death.Log, death.NoSpace = in.stderr.String(), in.noSpace.Load()
	if state := in.cmd.ProcessState; state != nil {
		death.CPU = max(death.CPU, state.UserTime()+state.SystemTime())
	}
	in.death = death
	in.upper.Close() // only now the disk has the space again
	close(in.ended)
}

// Stream implements cell.Instance.
func (in *instance) Stream() io.ReadWriteCloser { return in.stream }

// Program implements cell.Instance.
func (in *instance) Program() *cell.Streams { return in.program }

// Wait implements cell.Instance.
func (in *instance) Wait() cell.Death {
	<-in.ended
	return in.death
}

// Kill implements cell.Instance. The sandbox is process 1 of a namespace of
// its own: with it everything in the cell ends.
func (in *instance) Kill() {
	in.killOnce.Do(func() {
		if in.cmd != nil && in.cmd.Process != nil {
			in.cmd.Process.Kill()
		}
		go in.limit.kill()
	})
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

// Close implements cell.Instance.
func (in *instance) Close() error {
	in.closing.Do(func() {
		in.Kill()
		<-in.ended
		in.stream.Close()
		for _, f := range []*os.File{in.program.Job, in.program.Control, in.control, in.upper} {
			if f != nil {
				f.Close()
			}
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
