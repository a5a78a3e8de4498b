package attack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack/programs"
	"github.com/glovebox-dev/glovebox/value"
)

// Target is what is attacked.
type Target interface {
	// Run executes a program once, in a cell of its own. The error is how it ended.
	Run(ctx context.Context, j Job) (Outcome, error)
	// Open makes a session.
	Open(ctx context.Context) (Session, error)
	// Evaluate executes restricted Python, and returns what it printed.
	Evaluate(ctx context.Context, code string, limits api.OrchestratorLimits) (string, error)
	// Serve serves the HTTP API until stop is called, or refuses to. Without a token
	// it lets in whoever comes.
	Serve(ctx context.Context, listen, token string) (address string, stop func(), err error)
	// SetSecret stores the secret that jobs with one are given.
	SetSecret(ctx context.Context, value string) error
	// Processes lists the processes of this host in which programs of the target run.
	Processes() []string
	// Kept is the directory of everything that the target writes.
	Kept() string
}

// Job is a program, and what it is given.
type Job struct {
	Code      string // Python, as written. OUT of its environment is the path of its output
	Arguments []string
	Output    string // the type of its output; empty is none
	Network   api.Network
	Resources api.Resources
	Limits    api.RunLimits
	Timeout   time.Duration
	Secret    bool // whether KEY of its environment has the secret
}

// Outcome is what a program gave.
type Outcome struct {
	Stdout, Stderr string
	Output         string // of a File or a Dir its path
	CPU            time.Duration
}

// Session is a cell that is kept.
type Session interface {
	// Exec executes a program, as root of the cell if asked to, and returns what it
	// printed. A program that fails is an error with the end of what it said.
	Exec(ctx context.Context, root bool, code string, arguments ...string) (string, error)
	// Read reads a file as the client of the session.
	Read(ctx context.Context, path string) (string, error)
	Close() error
}

// Bench has what the cases share: the target, one session of it, and what is on this
// host for them to find. Close removes it.
type Bench struct {
	Target

	dir     string  // of this host, with the canary
	canary  string  // the path of a file, readable for everybody
	content string  // what is in that file, in the environment of nothing
	session Session // opened by the first case that wants one
}

// NewBench makes a bench below the directory for temporary files.
func NewBench(target Target) (*Bench, error) {
	dir, err := os.MkdirTemp("", "glovebox-canary-")
	if err != nil {
		return nil, api.AsError(err)
	}
	b := &Bench{Target: target, dir: dir, canary: filepath.Join(dir, "canary"), content: newCanary()}
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(b.canary, []byte(b.content), 0o644)); err != nil {
		return nil, errors.Join(api.AsError(err), b.Close())
	}
	return b, nil
}

// Close ends what the cases share.
func (b *Bench) Close() error {
	var err error
	if b.session != nil {
		err = b.session.Close()
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}

// inSession executes a program in the session of all cases.
func (b *Bench) inSession(ctx context.Context, root bool, p programs.Program, arguments ...string) error {
	if b.session == nil {
		session, err := b.Open(ctx)
		if err != nil {
			return err
		}
		b.session = session
	}
	printed, err := b.session.Exec(ctx, root, p.Code, arguments...)
	if err != nil {
		return err
	}
	if printed != p.Want {
		return broken("as %s of the cell it found: %s", map[bool]string{true: "root", false: "a user"}[root], strings.TrimSpace(printed))
	}
	return nil
}

// byBoth executes a program as the user and as root of the cell.
func (b *Bench) byBoth(ctx context.Context, p programs.Program, arguments ...string) error {
	if err := b.inSession(ctx, false, p, arguments...); err != nil {
		return err
	}
	return b.inSession(ctx, true, p, arguments...)
}

// refused executes a job that has to fail with one of these codes.
func (b *Bench) refused(ctx context.Context, j Job, codes ...api.Code) error {
	out, err := b.Run(ctx, j)
	if err == nil {
		return broken("the run ended well, and gave %q and the output %q", head(out.Stdout), head(out.Output))
	}
	for _, code := range codes {
		if errors.Is(err, code) {
			return nil
		}
	}
	return fmt.Errorf("the run ended in another way than expected: %w", err)
}

// head is the beginning of what a program wrote.
func head(s string) string { return value.Shorten(s, 100) }
