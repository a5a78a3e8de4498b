package guest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxRounds bounds how often a job is searched for processes that were made
// meanwhile.
const maxRounds = 100

// A job is a control group with everything that a command of a session has started,
// however it left its parents and its variables. The hierarchy is mounted nowhere, and
// belongs to root: only who is root in the cell can mount it and leave its job.
type job struct {
	root *os.File // of the hierarchy
	name string   // empty for that of the guest
}

// openJobs makes the hierarchy reachable. That takes CAP_SYS_ADMIN, which is gone
// afterwards from the guest and from all that it will start.
func openJobs() (job, error) {
	fd, err := mountJobs()
	if err != nil {
		return job{}, fmt.Errorf("opening the control groups: %w", err)
	}
	return job{root: os.NewFile(uintptr(fd), "control groups")}, dropAdmin()
}

func mountJobs() (int, error) {
	fs, err := unix.Fsopen("cgroup", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fs)
	if err := unix.FsconfigSetFlag(fs, "job"); err != nil {
		return 0, err
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return 0, err
	}
	mount, err := unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(mount) // a cell with such a descriptor cannot be saved
	return unix.Openat(mount, ".", unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
}

// dropAdmin takes CAP_SYS_ADMIN from every thread of the guest.
func dropAdmin() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fmt.Errorf("reading the capabilities: %w", err)
	}
	sets[0].Effective &^= 1 << unix.CAP_SYS_ADMIN
	sets[0].Permitted &^= 1 << unix.CAP_SYS_ADMIN
	for _, call := range [][4]uintptr{
		{unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, unix.CAP_SYS_ADMIN},
		{unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets[0]))},
	} {
		if _, _, errno := syscall.AllThreadsSyscall(call[0], call[1], call[2], call[3]); errno != 0 {
			return fmt.Errorf("dropping capability %d: %w", unix.CAP_SYS_ADMIN, errno)
		}
	}
	runtime.KeepAlive(&header)
	runtime.KeepAlive(&sets)
	return nil
}

// newJob makes a job for a command.
func (g *server) newJob() (job, error) {
	j := job{g.jobs.root, strconv.FormatInt(g.lastJob.Add(1), 10)}
	if err := unix.Mkdirat(j.fd(), j.name, 0o700); err != nil {
		return job{}, fmt.Errorf("making a control group: %w", err)
	}
	return j, nil
}

// remove removes a job, unless something of it lives. Its end, or that of the cell, is
// soon enough then.
func (j job) remove() { unix.Unlinkat(j.fd(), j.name, unix.AT_REMOVEDIR) }

// start calls f, and what f starts is in the job.
func (j job) start(f func() (*child, error)) (*child, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := j.enter(); err != nil {
		return nil, fmt.Errorf("entering a control group: %w", err)
	}
	defer func() {
		if err := (job{root: j.root}).enter(); err != nil {
			panic(fmt.Sprintf("leaving a control group: %v", err)) // what this thread starts next would be killed with the job
		}
	}()
	return f()
}

// enter moves this thread, and what it starts, to the job.
func (j job) enter() error {
	tasks, err := j.open("tasks", unix.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = tasks.WriteString("0")
	return errors.Join(err, tasks.Close())
}

// members returns the processes of the job that live.
func (j job) members() []int {
	procs, err := j.open("cgroup.procs", unix.O_RDONLY)
	if err != nil {
		return nil // the job was removed: it had none
	}
	defer procs.Close()
	text, _ := io.ReadAll(procs)
	var members []int
	for field := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil && pid != os.Getpid() {
			members = append(members, pid)
		}
	}
	return members
}

func (j job) open(file string, flags int) (*os.File, error) {
	path := file
	if j.name != "" {
		path = j.name + "/" + file
	}
	fd, err := unix.Openat(j.fd(), path, flags|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

func (j job) fd() int { return int(j.root.Fd()) }

// kill ends everything in a job. Its processes are stopped first: they keep their
// places in the limit of processes, so that those that fork run out of them.
func (j job) kill() {
	stopped := make(map[int]bool)
	for range maxRounds {
		fresh := 0
		for _, pid := range j.members() {
			if !stopped[pid] {
				stopped[pid] = true
				fresh++
				unix.Kill(pid, unix.SIGSTOP)
			}
		}
		if fresh == 0 {
			break
		}
	}
	for range maxRounds {
		members := j.members()
		for _, pid := range members {
			unix.Kill(pid, unix.SIGKILL)
		}
		if len(members) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// signal sends a signal to each process of a job, once.
func (j job) signal(signal unix.Signal) {
	for _, pid := range j.members() {
		unix.Kill(pid, signal)
	}
}
