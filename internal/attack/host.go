package attack

import (
	"context"
	"crypto/rand"
	"net"
	"os"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack/programs"
)

func hostCases() []Case {
	return []Case{
		{Name: "H01_runner_binary", Area: Host, Tries: "overwrite the program that is process 1 of a cell", Attack: byUser(programs.RunnerBinary, "1")},
		{Name: "H02_descriptors", Area: Host, Tries: "use descriptors that were left open", Attack: byUser(programs.Descriptors)},
		{Name: "H04_kernel_settings", Area: Host, Tries: "write to settings of the kernel, and read its memory", Attack: byEverybody(programs.KernelSettings)},
		{Name: "H05_mounts", Area: Host, Tries: "change what is mounted, as a user, as root of the cell and in a user namespace", Attack: mounts},
		{Name: "H07_system_calls", Area: Host, Tries: "make system calls that load code into the kernel, watch it or take it as a way out", Attack: byEverybody(programs.SystemCalls)},
		{Name: "H08_host_files", Area: Host, Tries: "find files of this host, and the sockets of its daemons", Attack: hostFiles},
		{Name: "H08_other_environments", Area: Host, Tries: "read the environment and the command lines of this host", Attack: otherEnvironments},
		{Name: "H09_host_sockets", Area: Host, Tries: "connect to the abstract sockets of this host, and to netlink and vsock", Attack: hostSockets},
		{Name: "H10_capabilities", Area: Host, Tries: "have more rights than an ordinary user", Attack: capabilities},
		{Name: "H11_devices", Area: Host, Tries: "open devices of this host, and make some", Attack: byEverybody(programs.Devices)},
		{Name: "H13_clock_and_power", Area: Host, Tries: "set the clock, and restart the machine", Attack: byEverybody(programs.Clock)},
	}
}

func byUser(p programs.Program, arguments ...string) func(context.Context, *Bench) error {
	return func(ctx context.Context, b *Bench) error { return b.inSession(ctx, false, p, arguments...) }
}

func byEverybody(p programs.Program) func(context.Context, *Bench) error {
	return func(ctx context.Context, b *Bench) error { return b.byBoth(ctx, p) }
}

func mounts(ctx context.Context, b *Bench) error {
	if err := b.inSession(ctx, false, programs.Mounts); err != nil {
		return err
	}
	if err := b.inSession(ctx, false, programs.Namespaces); err != nil {
		return err
	}
	return b.inSession(ctx, true, programs.MountsOfRoot)
}

func hostFiles(ctx context.Context, b *Bench) error {
	paths := []string{b.canary, "/proc/1/root" + b.canary, b.Kept()}
	if own, err := os.Executable(); err == nil {
		paths = append(paths, own)
	}
	return b.byBoth(ctx, programs.HostFiles, paths...)
}

// otherEnvironments gives this process a variable for the time of the attack.
func otherEnvironments(ctx context.Context, b *Bench) error {
	const name = "GLOVEBOX_CANARY"
	if err := os.Setenv(name, programs.EnvironmentCanary); err != nil {
		return api.AsError(err)
	}
	defer os.Unsetenv(name)
	return b.byBoth(ctx, programs.OtherEnvironments)
}

func hostSockets(ctx context.Context, b *Bench) error {
	l, err := net.Listen("unix", "@"+newCanary())
	if err != nil {
		return api.AsError(err)
	}
	defer l.Close()
	return b.byBoth(ctx, programs.HostSockets, strings.TrimPrefix(l.Addr().String(), "@"))
}

// capabilities looks in a run: a command of a session may become what its client could
// have started it as.
func capabilities(ctx context.Context, b *Bench) error {
	out, err := b.Run(ctx, Job{Code: programs.Capabilities.Code})
	if err == nil && out.Stdout != programs.Capabilities.Want {
		return broken("it has rights: %s", strings.TrimSpace(out.Stdout))
	}
	return err
}

// newCanary is a text that is nowhere else.
func newCanary() string { return "canary-" + rand.Text() }
