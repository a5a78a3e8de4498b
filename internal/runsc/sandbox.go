package runsc

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"time"

	"github.com/glovebox-dev/glovebox/internal/tuning"
	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/bpf"
	"gvisor.dev/gvisor/pkg/cpuid"
	"gvisor.dev/gvisor/pkg/fd"
	"gvisor.dev/gvisor/pkg/gomaxprocs"
	"gvisor.dev/gvisor/pkg/hostos"
	"gvisor.dev/gvisor/pkg/log"
	"gvisor.dev/gvisor/pkg/ring0"
	"gvisor.dev/gvisor/pkg/seccomp"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy/nvconf"
	"gvisor.dev/gvisor/pkg/sentry/seccheck"
	"gvisor.dev/gvisor/pkg/unet"
	"gvisor.dev/gvisor/pkg/urpc"
	"gvisor.dev/gvisor/runsc/boot"
	"gvisor.dev/gvisor/runsc/config"
	"gvisor.dev/gvisor/runsc/flag"
	"gvisor.dev/gvisor/runsc/specutils"
	"gvisor.dev/gvisor/runsc/starttime"
)

// discard drops the log of gVisor: what matters comes as errors.
type discard struct{}

func (discard) Emit(int, log.Level, time.Time, string, ...any) {}

// sandbox is the life of a sandbox process, from an ordinary process to its
// exit status.
func sandbox() int {
	log.SetTarget(discard{})
	time.Local = time.UTC                                   // else it is looked up when no file can be opened any more
	os.WriteFile("/proc/self/comm", []byte(sandboxName), 0) // which would be the number of a descriptor
	keepNothing()
	_ = tuning.Set(os.Getenv(tuning.Variable)) // written by tuning.Text
	unix.CloseOnExec(fdControl)
	control, err := unet.NewSocket(fdControl)
	if err != nil {
		return 1
	}
	s := &sandboxed{control: control}
	if err := s.run(); err != nil {
		s.say(failed("%v", err))
		return 1
	}
	return 0
}

// keepNothing closes the program, and whatever the process that started this one
// has open beyond it without the mark that a child shall not inherit it. And a
// sandbox that crashes leaves no image of the memory of its cell on the host.
func keepNothing() {
	if err := unix.CloseRange(fdProgram, math.MaxUint32, 0); err != nil { // a kernel before 5.9
		for fd := fdProgram; fd < maxDescriptors; fd++ {
			unix.Close(fd)
		}
	}
	// With 1, and not with 0, the kernel starts no program to take an image.
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1})
}

type sandboxed struct {
	control *unet.Socket
	client  *urpc.Client // to gVisor's own control server, in this process
	id      string
	layered bool  // it begins with changed files
	saved   []int // what the cell continues from, if it is restored
	next    door  // to the control server that gVisor has then
}

func (s *sandboxed) say(e Event) { json.NewEncoder(s.control).Encode(e) }

func (s *sandboxed) run() error {
	// Read what the host has before the host's files are out of sight.
	cpuid.Initialize()
	ring0.InitDefault()
	seccheck.Initialize()
	starttime.Get() // which a saved cell will want
	memory, err := hostos.TotalSystemMemory()
	if err != nil {
		return err
	}
	conf, err := newConfig()
	if err != nil {
		return err
	}
	filter, saved := savedFilter()
	saved = saved && tuning.On(tuning.Filter)
	conf.DisableSeccomp = saved // gVisor's own, which would be the same one
	listener, err := s.connect()
	if err != nil {
		return err
	}
	if err := confine(); err != nil {
		return err
	}
	cfg, fds, err := receiveConfig(s.control)
	if err != nil {
		return err
	}
	gomaxprocs.Add(cfg.Procs - cfg.CPUs) // to those that gVisor gives itself
	loader, err := boot.New(args(cfg, conf, fds, listener, memory))
	if err != nil {
		return err
	}
	s.id, s.layered = cfg.ID, len(fds) == fileCount+layerCount
	if len(fds) == fileCount+savedCount {
		s.saved = fds[fileCount:]
	}
	if len(s.saved) > 0 {
		if s.next, err = newDoor(); err != nil {
			return fmt.Errorf("second control server: %w", err)
		}
	}
	loader.PreSeccompCallback = func() {
		noDirectories()
		if s.layered {
			install(contentFilter())
		}
		if saved {
			install(filter)
		}
	}
	go s.serve()
	loader.WaitForStartSignal()
	if err := loader.Run(); err != nil {
		return err
	}
	loader.WaitExit()
	return nil
}

// connect makes gVisor's control server and its client.
func (s *sandboxed) connect() (listener int, err error) {
	door, err := newDoor()
	if err != nil {
		return -1, fmt.Errorf("control server: %w", err)
	}
	s.client = door.client
	return fdServer, door.open()
}

// serve starts the program and answers requests until the host is gone, which
// ends the sandbox.
func (s *sandboxed) serve() {
	if err := s.start(); err != nil {
		s.say(failed("%v", err))
		os.Exit(1)
	}
	s.say(Event{Event: "started"})
	time.AfterFunc(settleAfter, settle)
	for {
		var request Request
		fds, err := receive(s.control, &request)
		if err != nil {
			os.Exit(0)
		}
		s.say(s.answer(request, fds))
	}
}

// answer does what the host asks for, and closes the files of the request.
func (s *sandboxed) answer(request Request, fds []int) Event {
	files, closeFiles := opened(fds)
	defer closeFiles()
	if err := s.do(request.Request, files); err != nil {
		return failed("%v", err)
	}
	return Event{Event: "done"}
}

// opened makes files of descriptors.
func opened(fds []int) (files []*os.File, closeAll func()) {
	for _, fd := range fds {
		files = append(files, os.NewFile(uintptr(fd), "of the host"))
	}
	return files, func() {
		for _, file := range files {
			file.Close()
		}
	}
}

func (s *sandboxed) do(request string, files []*os.File) error {
	switch request {
	case Upper:
		return s.upper(files)
	case Save:
		return s.save(files)
	case Freeze:
		return s.client.Call(boot.ContMgrPause, nil, nil)
	case Thaw:
		return s.client.Call(boot.ContMgrResume, nil, nil)
	}
	return fmt.Errorf("unknown request %q", request)
}

// settleAfter is when a sandbox begins to collect garbage as Go programs do.
// Most cells are gone by then.
const settleAfter = time.Second

// settle makes a sandbox that stays small: what its start left is collected
// and given back, and from then on memory is collected as ever.
func settle() {
	debug.SetGCPercent(settledPercent)
	debug.FreeOSMemory()
}

// settledPercent is what Go programs have: as much garbage as they hold.
const settledPercent = 100

// start gives the cell its only network device, the loopback, and starts the
// program, or lets all programs of a saved cell continue.
func (s *sandboxed) start() error {
	network := boot.CreateLinksAndRoutesArgs{LoopbackLinks: []boot.LoopbackLink{boot.DefaultLoopbackLink}}
	if err := s.client.Call(boot.ContMgrSetNetworkArgs, &network, nil); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	if len(s.saved) > 0 {
		return s.restore()
	}
	if err := s.client.Call(boot.ContMgrRootContainerStart, &s.id, nil); err != nil || !s.layered {
		return err
	}
	return s.hasLayer()
}

// install puts the filter of system calls on all threads. Without it nothing
// of the cell may run.
func install(filter []bpf.Instruction) {
	if err := seccomp.SetFilter(filter); err != nil {
		panic(fmt.Sprintf("installing the filter of system calls: %v", err))
	}
}

// noDirectories ends a sandbox that holds a directory of the host: it could be
// climbed out of.
func noDirectories() {
	for fd := range maxDescriptors {
		var stat unix.Stat_t
		if unix.Fstat(fd, &stat) == nil && stat.Mode&unix.S_IFMT == unix.S_IFDIR {
			panic(fmt.Sprintf("descriptor %d is a directory", fd))
		}
	}
}

const maxDescriptors = 1024

func args(cfg Config, conf *config.Config, fds []int, listener int, memory uint64) boot.Args {
	return boot.Args{
		ID: cfg.ID, Spec: newSpec(cfg), Conf: conf, ControllerFD: listener,
		Device:            fd.New(-1),
		PinRingFD:         -1,
		DevGoferFD:        -1,
		PodInitConfigFD:   -1,
		RootfsUpperTarFD:  -1,
		FSRestoreFDs:      layer(fds),
		ExecFD:            -1,
		GoferFDs:          []int{fds[atRootFS], fds[atGuest]},
		GoferFilestoreFDs: []int{fds[atUpper]},
		GoferMountConfs: []specutils.GoferMountConf{{
			Lower: specutils.Erofs, Upper: specutils.AnonOverlay, Size: fmt.Sprint(cfg.Disk),
		}, {Lower: specutils.Erofs}},
		StdioFDs: []int{fds[atIn], fds[atOut], fds[atErr]},
		PassFDs:  further(fds),
		NumCPU:   cfg.CPUs, CPUQuota: -1,
		TotalMem: min(uint64(cfg.Memory), memory), TotalHostMem: memory,
		NvidiaHostSettings: &nvconf.HostSettings{},
	}
}

// layer is the descriptors of the changed files to begin with.
func layer(fds []int) (layer []*fd.FD) {
	if len(fds) != fileCount+layerCount {
		return nil
	}
	for _, number := range fds[fileCount:] {
		layer = append(layer, fd.New(number))
	}
	return layer
}

func further(fds []int) (mappings []boot.FDMapping) {
	for i, fd := range fds[atFurther:fileCount] {
		mappings = append(mappings, boot.FDMapping{Guest: 3 + i, Host: fd})
	}
	return mappings
}

// newConfig sets what differs from the defaults of gVisor.
func newConfig() (*config.Config, error) {
	flags := flag.NewFlagSet("glovebox", flag.ContinueOnError)
	config.RegisterFlags(flags)
	for name, value := range map[string]string{
		"root":           "/",
		"platform":       "systrap",
		"network":        "none",
		"ignore-cgroups": "true",
		"directfs":       "false",
		"host-settings":  "ignore",
		"oci-seccomp":    "false",
		"allow-suid":     "true", // of what the guest lets gain privileges
	} {
		if err := flags.Set(name, value); err != nil {
			return nil, fmt.Errorf("gVisor setting %s: %w", name, err)
		}
	}
	conf, err := config.NewFromFlags(flags)
	if err != nil {
		return nil, fmt.Errorf("gVisor settings: %w", err)
	}
	return conf, nil
}
