package runsc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/log"
	"gvisor.dev/gvisor/runsc/boot"
	"gvisor.dev/gvisor/runsc/config"
	"gvisor.dev/gvisor/runsc/flag"
	"gvisor.dev/gvisor/runsc/sandbox"
	"gvisor.dev/gvisor/runsc/specutils"
)

// launch starts one sandbox and stays until it ends. When the control socket
// ends, because the host closed it or died, the launcher ends; the kernel then
// kills the sandbox, which was started attached to it.
func launch() int {
	log.SetTarget(discard{}) // what matters comes as errors
	for _, fd := range []int{fdControl, fdGuest, fdUpper} {
		unix.CloseOnExec(fd)
	}
	control := os.NewFile(fdControl, "control")
	l := &launcher{events: json.NewEncoder(control)}
	requests := json.NewDecoder(control)
	var cfg Config
	if err := requests.Decode(&cfg); err != nil {
		return 1
	}
	if err := l.start(cfg); err != nil {
		l.say(failed("%v", err))
		return 1
	}
	l.say(Event{Event: "started", PID: l.sandbox.Getpid()})
	go func() {
		l.serve(requests)
		os.Exit(0)
	}()
	l.waitExit()
	return 0
}

// discard drops the log of gVisor in the launcher.
type discard struct{}

func (discard) Emit(int, log.Level, time.Time, string, ...any) {}

type launcher struct {
	sandbox *sandbox.Sandbox
	id      string

	mu     sync.Mutex
	events *json.Encoder
}

func (l *launcher) say(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events.Encode(e)
}

func (l *launcher) start(cfg Config) error {
	l.id = cfg.ID
	conf, err := newConfig(cfg.Dir)
	if err != nil {
		return err
	}
	spec := newSpec(cfg)
	if err := writeSpec(cfg.Dir, spec); err != nil {
		return err
	}
	hints, err := boot.NewPodMountHints(spec)
	if err != nil {
		return fmt.Errorf("mount hints: %w", err)
	}
	rootFS, err := os.Open(cfg.RootFS)
	if err != nil {
		return fmt.Errorf("opening the image: %w", err)
	}
	upper, err := unnamedFile(cfg.Dir)
	if err != nil {
		return err
	}
	// The sandbox reads the image and writes the upper layer by descriptor: it
	// has no other file of the host and needs no file proxy.
	l.sandbox, err = sandbox.New(conf, &sandbox.Args{
		ID:                  cfg.ID,
		Spec:                spec,
		BundleDir:           cfg.Dir,
		IOFiles:             []*os.File{rootFS},
		GoferFilestoreFiles: []*os.File{upper},
		GoferMountConfs: specutils.GoferMountConfFlags{{
			Lower: specutils.Erofs, Upper: specutils.AnonOverlay, Size: fmt.Sprint(cfg.Disk),
		}},
		MountHints: hints,
		Cgroup:     visible{cpus: cfg.CPUs, memory: uint64(cfg.Memory)},
		Attached:   true,
		ExecFile:   os.NewFile(fdGuest, "guest"),
	})
	if err != nil {
		return err
	}
	return l.sandbox.StartRoot(conf, spec)
}

// newConfig sets what differs from the defaults of gVisor.
func newConfig(dir string) (*config.Config, error) {
	flags := flag.NewFlagSet("glovebox", flag.ContinueOnError)
	config.RegisterFlags(flags)
	for name, value := range map[string]string{
		"root":           dir,
		"platform":       "systrap",
		"network":        "none",
		"ignore-cgroups": "true",
		"directfs":       "false",
		"host-settings":  "ignore",
		"oci-seccomp":    "false",
		"panic-log":      filepath.Join(dir, "panic.log"),
	} {
		if err := flags.Set(name, value); err != nil {
			return nil, fmt.Errorf("gVisor setting %s: %w", name, err)
		}
	}
	conf, err := config.NewFromFlags(flags)
	if err != nil {
		return nil, fmt.Errorf("gVisor settings: %w", err)
	}
	// Rootless only keeps gVisor from changing the owner of our descriptors.
	conf.Rootless = os.Geteuid() != 0
	return conf, nil
}

// unnamedFile makes the file behind the writable layer. It has no name, so
// that nothing is left of it when every process is gone, however they ended.
func unnamedFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "upper-")
	if err != nil {
		return nil, fmt.Errorf("making the writable layer: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, fmt.Errorf("making the writable layer: %w", err)
	}
	return f, nil
}

// serve answers requests until the control socket ends.
func (l *launcher) serve(requests *json.Decoder) {
	for {
		var request Request
		if err := requests.Decode(&request); err != nil {
			return
		}
		l.say(l.sendUpper())
	}
}

// sendUpper writes the changed files into the pipe and closes it, so that it
// can be asked for once.
func (l *launcher) sendUpper() Event {
	out := os.NewFile(fdUpper, "upper")
	defer out.Close()
	answer := Event{Event: "upper"}
	if err := l.sandbox.TarRootfsUpperLayer(l.id, out); err != nil {
		answer.Error = err.Error()
	}
	return answer
}

// waitExit waits for the sandbox and reports what it consumed.
func (l *launcher) waitExit() {
	_, waitErr := l.sandbox.Wait(l.id)
	e := Event{Event: "exited"}
	if waitErr != nil {
		e.Error = waitErr.Error()
	}
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &usage); err == nil {
		e.CPU = int64(time.Duration(usage.Utime.Nano() + usage.Stime.Nano()))
	}
	l.say(e)
}
