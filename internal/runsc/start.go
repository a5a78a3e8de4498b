package runsc

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"github.com/glovebox-dev/glovebox/internal/tuning"
	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/unet"
)

const (
	// fdControl is where a sandbox finds its control socket: Config with Files
	// and requests in, events out; its end is the sandbox's end.
	fdControl = 3
	// fdProgram is the highest descriptor of a new sandbox. gVisor puts three
	// more right above it, and a table of descriptors that has to grow in a
	// process of several threads waits for all processors, 10 ms and more. This
	// one makes the table large enough while there is one thread.
	fdProgram = 252
	// fdServer is where gVisor's control server listens. The filter of system
	// calls names it.
	fdServer = 251
	nobody   = 65534
)

// sandboxCapabilities let a sandbox, in a user namespace of its own, leave the
// root directory of the host and then give up all capabilities for ever.
var sandboxCapabilities = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_CHROOT, unix.CAP_SETPCAP}

// Sandbox returns the command that starts a sandbox: as nobody, in new
// namespaces of every kind, killed when the thread that starts it ends. It
// waits for its Config. Program is open for reading and calls IsReexec and
// Main; control is the sandbox's end of a stream socket; stderr receives what
// the sandbox itself has to say.
func Sandbox(program, control, stderr *os.File) *exec.Cmd {
	cmd := exec.Command(fmt.Sprintf("/proc/self/fd/%d", fdProgram))
	cmd.Args[0] = sandboxName
	// Nothing of the host's environment is near a cell. No garbage is collected
	// while gVisor starts, which needs less than 16 MB; see settle. One processor
	// makes few threads, all of which have to drop their capabilities; gVisor
	// sets its own number later. And Go shall not keep files of the host's
	// cgroups open.
	cmd.Env = []string{"GOMAXPROCS=1", "GODEBUG=containermaxprocs=0,updatemaxprocs=0"}
	if tuning.On(tuning.GC) {
		cmd.Env = append(cmd.Env, "GOGC=400")
	}
	if off := tuning.Text(); off != "" {
		cmd.Env = append(cmd.Env, tuning.Variable+"="+off)
	}
	cmd.Dir = "/"
	cmd.Stderr = stderr
	cmd.ExtraFiles = make([]*os.File, fdProgram-2)
	cmd.ExtraFiles[fdControl-3], cmd.ExtraFiles[fdProgram-3] = control, program
	uid, gid := os.Getuid(), os.Getgid()
	root := os.Geteuid() == 0
	if root {
		uid, gid = nobody, nobody
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid: true, Pdeathsig: unix.SIGKILL,
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWNET |
			unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
		Credential:  &syscall.Credential{Uid: nobody, Gid: nobody},
		UidMappings: []syscall.SysProcIDMap{{ContainerID: nobody, HostID: uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: nobody, HostID: gid, Size: 1}},
		// Only root may let go of the groups that it is in besides.
		GidMappingsEnableSetgroups: root,
		AmbientCaps:                sandboxCapabilities,
	}
	return cmd
}

// Files are what a sandbox reads and writes. It has no other file of the host,
// but those that come with a request, for as long as that takes.
type Files struct {
	In, Out, Err *os.File // the stream of process 1, and its standard error
	Guest        *os.File // an EROFS file with the program of process 1, as GuestFile in its root
	RootFS       *os.File // an EROFS file
	Upper        *os.File // the file behind the writable layer
	Layer        *Layer   // changed files to begin with; nil for none

	Further [FurtherFiles]*os.File // the descriptors of process 1 from 3 on

	Saved *SavedFiles // what the cell continues from; nil starts process 1
}

// SavedFiles hold the state of a cell.
type SavedFiles struct {
	Kernel *os.File // what the kernel of the cell knows
	Index  *os.File // which pages of memory and of the writable layer there are
	Pages  *os.File // these pages
}

func (f *SavedFiles) list() []*os.File { return []*os.File{f.Kernel, f.Index, f.Pages} }

// The places of the files in the message that carries them.
const (
	atIn = iota
	atOut
	atErr
	atGuest
	atRootFS
	atUpper
	atFurther
	fileCount = atFurther + FurtherFiles
	// So many follow if the cell begins with changed files, or continues from a
	// saved one.
	layerCount = 4
	savedCount = 3
)

// FurtherFiles is how many descriptors process 1 gets beside its standard ones.
const FurtherFiles = 2

// Begin tells a waiting sandbox which cell to be.
func Begin(control *os.File, config Config, files Files) error {
	all := make([]*os.File, fileCount)
	for i, file := range map[int]*os.File{
		atIn: files.In, atOut: files.Out, atErr: files.Err, atGuest: files.Guest,
		atRootFS: files.RootFS, atUpper: files.Upper,
	} {
		all[i] = file
	}
	copy(all[atFurther:], files.Further[:])
	switch {
	case files.Saved != nil:
		all = append(all, files.Saved.list()...)
	case files.Layer != nil:
		all = append(all, files.Layer.list()...)
	}
	return send(control, config, all)
}

// receiveConfig is the other side of Begin.
func receiveConfig(control *unet.Socket) (cfg Config, fds []int, err error) {
	if fds, err = receive(control, &cfg); err != nil {
		return cfg, nil, fmt.Errorf("the description of the cell: %w", err)
	}
	if len(fds) != fileCount && len(fds) != fileCount+layerCount && len(fds) != fileCount+savedCount {
		return cfg, nil, fmt.Errorf("the description of the cell came with %d files", len(fds))
	}
	return cfg, fds, nil
}
