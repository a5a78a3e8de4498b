package runsc

import (
	"os"
	"os/exec"
	"syscall"
)

// Launcher starts a launcher process. Program is the path of a program that
// calls IsReexec and Main. The files are the stream of process 1, the control
// socket, the guest program and the pipe for changed files; stderr receives
// what the launcher itself has to say.
func Launcher(program string, in, out, control, guest, upper, stderr *os.File) *exec.Cmd {
	cmd := exec.Command(program)
	cmd.Args[0] = launcherName
	cmd.Env = []string{} // nothing of the host's environment is near a cell
	cmd.Dir = "/"
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, stderr
	cmd.ExtraFiles = []*os.File{control, guest, upper}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}
