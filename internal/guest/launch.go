package guest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// The descriptors of a program with a control channel.
const (
	fdJob     = 3
	fdControl = 4
)

// Launch waits in a cell for the host to say which command it is to become, so
// that a run need not wait until a process is made: the new program takes the
// place of this one, with its number, user, limits and outputs. The job is a
// wire.Exec. If it cannot be started, the control stream has a wire.Exit;
// otherwise it ends without a word. Launch returns only then.
func Launch(user int) error {
	runtime.GOMAXPROCS(1)
	unix.CloseOnExec(fdJob)
	unix.CloseOnExec(fdControl)
	control := os.NewFile(fdControl, "control")
	if err := becomeUser(user); err != nil {
		return err
	}
	if err := rehearse(); err != nil {
		return err
	}
	if _, err := control.Write([]byte("\n")); err != nil {
		return err
	}
	request, err := nextCommand(os.NewFile(fdJob, "job"))
	if err != nil {
		return err
	}
	exit := become(request)
	if err := json.NewEncoder(control).Encode(exit); err != nil {
		return err
	}
	os.Exit(exit.Code)
	return nil
}

// launcher is the request for the program that calls Launch. Only root may execute
// it.
func launcher(request wire.Exec) wire.Exec {
	argv := []string{"/proc/self/exe", "-launch", strconv.Itoa(request.UID)}
	request.Argv, request.Dir, request.UID, request.GID = wire.Texts(argv), "/", 0, 0
	return request
}

// rehearse reads a job once, so that what does that is in memory.
func rehearse() error {
	job, err := json.Marshal(wire.Exec{Argv: wire.Texts([]string{"true"}), Env: wire.Texts([]string{"A=b"}), Dir: "/"})
	if err != nil {
		return err
	}
	_, err = nextCommand(bytes.NewReader(job))
	return err
}

// becomeUser gives up the rights of root for ever.
func becomeUser(user int) error {
	if err := unix.Setgroups(nil); err != nil {
		return fmt.Errorf("leaving all groups: %w", err)
	}
	if err := unix.Setresgid(user, user, user); err != nil {
		return fmt.Errorf("becoming group %d: %w", user, err)
	}
	if err := unix.Setresuid(user, user, user); err != nil {
		return fmt.Errorf("becoming user %d: %w", user, err)
	}
	return nil
}

// nextCommand reads a job. An empty line comes first, to wake this program.
func nextCommand(from io.Reader) (request wire.Exec, err error) {
	err = json.NewDecoder(from).Decode(&request)
	return request, err
}

// become makes this process the program of a request. It returns if that failed.
func become(request wire.Exec) wire.Exit {
	path, err := lookPath(request.Argv, request.Env)
	if err != nil {
		return notStarted(err)
	}
	if err := takeStdin(string(request.Stdin)); err != nil {
		return notStarted(err)
	}
	if err := unix.Chdir(string(request.Dir)); err != nil {
		return notStartedIn(string(request.Dir), &os.PathError{Op: "exec", Path: path, Err: err})
	}
	err = unix.Exec(path, wire.Strings(request.Argv), wire.Strings(request.Env))
	return notStartedIn(string(request.Dir), &os.PathError{Op: "exec", Path: path, Err: err})
}

// takeStdin makes a file the standard input, which is empty so far.
func takeStdin(path string) error {
	file, err := openStdin(path)
	if file == nil || err != nil {
		return err
	}
	return unix.Dup2(int(file.Fd()), 0)
}
