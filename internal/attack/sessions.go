package attack

import (
	"context"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack/programs"
)

func sessionCases() []Case {
	return []Case{
		{Name: "H06_another_session", Area: Sessions, Tries: "find files and processes of another session", Attack: anotherSession},
		{Name: "O01_link_in_a_session", Area: Sessions, Tries: "have the client of a session read a file of this host, by a link in the cell", Attack: linkInASession},
		{Name: "R10_daemons_of_a_session", Area: Sessions, Tries: "outlive a session that was killed", Attack: daemonsOfASession},
	}
}

// daemon leaves a process of five seconds behind that has its argument in its command line.
const daemon = `
import os, subprocess, sys
p = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(5)", sys.argv[1]], start_new_session=True,
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
`

// anotherSession leaves a file and a process in one session, and looks for them in
// another.
func anotherSession(ctx context.Context, b *Bench) (err error) {
	trace := newCanary()
	first, err := b.Open(ctx)
	if err != nil {
		return err
	}
	defer first.Close()
	if _, err := first.Exec(ctx, false, daemon+"import tempfile; open(tempfile.gettempdir() + '/' + sys.argv[1], 'w').close()", trace); err != nil {
		return err
	}
	return b.inSession(ctx, false, programs.Program{Code: `
import glob, sys, tempfile
text = sys.argv[1][:-1].encode() # so that this process is none of those
for path in glob.glob(tempfile.gettempdir() + "/*"):
    if text in path.encode(): print(path)
for path in glob.glob("/proc/[0-9]*/cmdline"):
    try: text + sys.argv[2].encode() in open(path, "rb").read() and print(path)
    except OSError: pass
`}, trace[:len(trace)-1]+"-", trace[len(trace)-1:])
}

// linkInASession reads by links to the canary, which is not in the cell.
func linkInASession(ctx context.Context, b *Bench) error {
	session, err := b.Open(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	where, err := session.Exec(ctx, false, fmt.Sprintf("import os; os.symlink(%q, 'link'); print(os.path.abspath('link'))", b.canary))
	if err != nil {
		return err
	}
	for _, path := range []string{strings.TrimSpace(where), b.canary, "../../../../../../../.." + b.canary} {
		text, err := session.Read(ctx, path)
		if strings.Contains(text, b.content) {
			return broken("the client of the session read %s of this host", b.canary)
		}
		if err == nil {
			return fmt.Errorf("the session has a file %s, which it should not have", path)
		}
		if api.AsError(err).Code != api.NotFound {
			return err
		}
	}
	return nil
}

func daemonsOfASession(ctx context.Context, b *Bench) error {
	before := b.Processes()
	session, err := b.Open(ctx)
	if err != nil {
		return err
	}
	_, err = session.Exec(ctx, false, daemon, newCanary())
	if err := session.Close(); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	return b.gone(ctx, before)
}
