package guest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A job is a control group with everything that a command of a session has started,
// however it left its parents and its variables. The hierarchy is mounted nowhere, and
// belongs to root: only who is root in the cell can mount it and leave its job.
type job struct {
	root  *os.File // of the hierarchy
	name  string
	tasks *os.File // a thread that writes to it is in the job
}

// jobs are the jobs of the commands.
type jobs struct {
	own *job // of the guest

	mu    sync.Mutex
	last  int
	spare []*job // with nothing that lives, for the next commands
}

// maxSpare bounds the jobs that are kept for the next commands.
const maxSpare = 8

// openJobs makes the hierarchy reachable. That takes CAP_SYS_ADMIN, which is gone
// afterwards from the guest and from all that it will start.
func openJobs() (*jobs, error) {
	fd, err := mountJobs()
	if err != nil {
		return nil, fmt.Errorf("opening the control groups: %w", err)
	}
	own := &job{root: os.NewFile(uintptr(fd), "control groups")}
	if own.tasks, err = own.open("tasks", unix.O_WRONLY); err != nil {
		return nil, fmt.Errorf("opening the control group of the guest: %w", err)
	}
	return &jobs{own: own}, dropAdmin()
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

// take returns a job for a command.
func (s *jobs) take() (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.spare); n > 0 {
		j := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return j, nil
	}
	s.last++
	j := &job{root: s.own.root, name: strconv.Itoa(s.last)}
	err := unix.Mkdirat(j.fd(), j.name, 0o700)
	if err == nil {
		j.tasks, err = j.open("tasks", unix.O_WRONLY)
	}
	if err != nil {
		return nil, fmt.Errorf("making a control group: %w", err)
	}
	return j, nil
}

// giveBack takes a job back, and reports whether nothing of it lives. One of which
// something lives stays with its command.
func (s *jobs) giveBack(j *job) bool {
	if len(j.members()) > 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.spare) < maxSpare {
		s.spare = append(s.spare, j)
		return true
	}
	j.tasks.Close()
	unix.Unlinkat(j.fd(), j.name, unix.AT_REMOVEDIR)
	return true
}

// start calls f, and what f starts is in the job.
func (s *jobs) start(j *job, f func() (*child, error)) (*child, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := j.enter(); err != nil {
		return nil, fmt.Errorf("entering a control group: %w", err)
	}
	defer func() {
		if err := s.own.enter(); err != nil {
			panic(fmt.Sprintf("leaving a control group: %v", err)) // what this thread starts next would be killed with the job
		}
	}()
	return f()
}

// enter moves this thread, and what it starts, to the job.
func (j *job) enter() error {
	_, err := j.tasks.WriteString("0")
	return err
}

// members returns the processes of the job that live; nil has none.
func (j *job) members() []int {
	if j == nil {
		return nil
	}
	procs, err := j.open("cgroup.procs", unix.O_RDONLY)
	if err != nil {
		return nil
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

func (j *job) open(file string, flags int) (*os.File, error) {
	fd, err := unix.Openat(j.fd(), filepath.Join(j.name, file), flags|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), file), nil
}

func (j *job) fd() int { return int(j.root.Fd()) }

// maxRounds bounds how often a job is searched for processes that were made
// meanwhile.
const maxRounds = 100

// kill ends everything in a job. Its processes are stopped first: they keep their
// places in the limit of processes, so that those that fork run out of them.
func (j *job) kill() {
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
func (j *job) signal(signal unix.Signal) {
	for _, pid := range j.members() {
		unix.Kill(pid, signal)
	}
}
