package celltest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// launchChecks judge programs that take the place of one that has waited for
// them. They are the checks of programs, and of what a launcher could leave.
func launchChecks() []check {
	checks := []check{
		{"leaves no trace", launchedLikeAny},
		{"W09_waits_without_rights", launcherHasNoRights},
	}
	for _, c := range programChecks {
		checks = append(checks, check{c.name, func(t *testing.T, s *suite) {
			launching := *s
			launching.launches = true
			c.run(t, &launching)
		}})
	}
	return checks
}

// run is Exec of the cell, or what a launcher does in its place.
func (x *session) run(ctx context.Context, cmd cell.Command) (cell.Exit, error) {
	if !x.launches || cmd.Root {
		return x.cell.Exec(ctx, cmd)
	}
	p, err := x.cell.BeginLauncher(ctx)
	if err != nil {
		return cell.Exit{}, err
	}
	if err := p.Ready(ctx); err != nil {
		return cell.Exit{}, err
	}
	return p.Become(ctx, cmd)
}

// aboutItself prints what a program finds out about itself.
const aboutItself = `
import os, resource, signal, sys
status = [line for line in open('/proc/self/status') if line.split(':')[0] in (
    'Name', 'Umask', 'PPid', 'TracerPid', 'Uid', 'Gid', 'Groups', 'Threads', 'NoNewPrivs', 'Seccomp',
    'SigBlk', 'SigIgn', 'SigPnd', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb')]
print(''.join(status), sorted(os.environ.items()), sys.argv, os.getcwd(), os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid(), os.umask(0))
print([(n, resource.getrlimit(getattr(resource, n))) for n in dir(resource) if n.startswith('RLIMIT_')])
print([signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGURG, signal.SIGCHLD, signal.SIGHUP)])
for fd in sorted(os.listdir('/proc/self/fd'), key=int):
    try: print(fd, os.fstat(int(fd)).st_mode, os.get_blocking(int(fd)))
    except OSError: pass
`

func launchedLikeAny(t *testing.T, s *suite) {
	cmd := cell.Command{Argv: []string{"/usr/bin/python3", "-c", aboutItself, "a b", ""}, Env: []string{path, "A=\xff", "B=x=y"}, Dir: "/var"}
	plain := s.open(t).exec(cmd)
	plain.succeeds(t)
	x := s.open(t)
	x.launches = true
	x.exec(cmd).same(t, plain)
	x.exec(cmd).same(t, plain) // which has no pipes past the guest
}

func (o outcome) same(t *testing.T, want outcome) {
	t.Helper()
	o.succeeds(t)
	if diff := cmp.Diff(want.stdout, o.stdout); diff != "" {
		t.Errorf("executed (-) and launched (+) differ:\n%s", diff)
	}
}

// launcherHasNoRights looks at a launcher that waits.
func launcherHasNoRights(t *testing.T, s *suite) {
	x := s.open(t)
	p, err := x.cell.BeginLauncher(x.ctx)
	if err != nil {
		t.Fatal(describe(err))
	}
	if err := p.Ready(x.ctx); err != nil {
		t.Fatal(describe(err))
	}
	x.sh(`for p in /proc/[0-9]*; do
	test "$(tr '\0' ' ' < $p/cmdline | cut -d ' ' -f 2)" = -launch && grep -E '^(Uid|Gid|Groups|Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)' $p/status | tr -d '\n\t '
done; true`).prints(t, "Uid:1000100010001000Gid:1000100010001000Groups:"+
		"CapInh:0000000000000000CapPrm:0000000000000000CapEff:0000000000000000CapAmb:0000000000000000NoNewPrivs:1")
}
