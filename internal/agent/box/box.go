// Package box runs a coding agent, which is a program of its own such as Claude
// Code, in a session: its project goes in as files, and what it changed comes
// out as changes that somebody judges before they are made on this host.
//
//	Find -> Agent         which program, how it is installed, what it reaches
//	Open -> Project       the files of a directory that go into the cell
//	Start -> Box          a session with both in it
//	Box.Command           what the agent is started with there
//	Box.Changes           what became of the project, as far as it differs
//	Changes.Apply         makes some of them in the directory
//	Job.Task              the same without a session: files in, files out
//
// All that comes out of the cell is hostile: names, contents, links, modes and
// sizes. Nothing of it is used as a path of this host but through an os.Root.
package box

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Job is one work of an agent.
type Job struct {
	Agent   Agent
	Project *Project // nil is an empty directory
	// Prompt is what the agent shall do. Without one it asks on its terminal.
	Prompt  string
	Options Options
	// Installed says that the image of the session has the program of the agent.
	Installed bool
	// Session is the rest of the session: its limits, labels, and what it reaches
	// beside the model of the agent. Without an image it has that of the agent.
	Session api.SessionSpec
}

// Options are what the agent is started with. Empty ones are its own defaults.
type Options struct {
	Model   string // as the agent spells it
	BaseURL string // of another server that speaks as the agent's does
	Key     string // the stored secret that is the key of the model; empty is one named as the variable
	// Asks has the host ask the model in the place of the agent, whose cell then has
	// neither the key nor a network. BaseURL and Key are in it.
	Asks     *api.Asks
	Tools    []string // of its own that it may use, as it spells them; nil is all
	MaxTurns int      // questions to the model; 0 is without bound
	MaxCost  float64  // US dollars, as the agent counts them; 0 is without bound
	JSON     bool     // it reports what it does as lines of JSON
}

// Box is an agent's session. The caller ends the session.
type Box struct {
	ID       string // of the session
	sessions api.Sessions
	job      Job
	dir      string // of the project in the cell
	user     string // of the session
	home     string // of the agent in the cell
}

// Start starts a session with the project in it.
func Start(ctx context.Context, sessions api.Sessions, job Job) (*Box, error) {
	spec, err := job.Spec()
	if err != nil {
		return nil, err
	}
	made, err := sessions.NewSession(ctx, spec)
	if err != nil {
		return nil, err
	}
	b := &Box{ID: made.ID, sessions: sessions, job: job, dir: made.Spec.Dir, user: made.Spec.User}
	return b, b.fill(ctx)
}

// fill puts in what the agent finds when it starts.
func (b *Box) fill(ctx context.Context) error {
	if err := b.putProject(ctx); err != nil {
		return err
	}
	if err := b.makeHome(ctx); err != nil {
		return err
	}
	return b.prepare(ctx, "making a repository of the project", commitProject)
}

// otherHome is the home in an image whose user has none of its own: what an agent
// keeps there is no part of the project.
const otherHome = "/tmp/home"

func (b *Box) makeHome(ctx context.Context) error {
	user, err := b.sessions.SessionUser(ctx, b.ID, b.user)
	if err != nil {
		return err
	}
	if b.home = user.Home; b.home == b.dir || b.home == "" || b.home == "/" {
		b.home = otherHome
	}
	for _, file := range b.job.Agent.home(b.dir) {
		o := api.WriteOptions{Mode: 0o600}
		if _, err := b.sessions.WriteFile(ctx, b.ID, path.Join(b.home, file.path), strings.NewReader(file.text), o); err != nil {
			return err
		}
	}
	if b.job.Agent.script == "" {
		return nil
	}
	return b.prepare(ctx, "the settings of the agent", b.job.Agent.script, text(b.dir))
}

// prepare runs a short script in the cell.
func (b *Box) prepare(ctx context.Context, what, script string, args ...string) error {
	argv := append([]string{"sh", "-c", script, "sh"}, args...)
	var log strings.Builder
	exit, err := b.follow(ctx, api.ProcessSpec{Argv: argv, Dir: b.dir, Env: b.env()}, func(e api.ProcessEvent) error {
		log.Write(e.Data[:min(len(e.Data), maxReport-log.Len())])
		return nil
	})
	if err == nil && exit.Status != 0 {
		err = api.Errorf(api.Internal, "%s: a script in the cell ended with status %d: %s", what, exit.Status, strings.TrimSpace(log.String()))
	}
	return err
}

// maxReport bounds what is kept of the output of a script of ours, in bytes.
const maxReport = 4 << 10

func (b *Box) putProject(ctx context.Context) error {
	if b.job.Project == nil {
		return nil
	}
	r, w := io.Pipe()
	packed := make(chan error, 1)
	go func() {
		err := b.job.Project.pack(ctx, w)
		packed <- err
		w.CloseWithError(err)
	}()
	err := b.sessions.UploadTree(ctx, b.ID, b.dir, r, api.FileOptions{})
	r.CloseWithError(io.ErrClosedPipe)
	if own := <-packed; own != nil && !errors.Is(own, io.ErrClosedPipe) {
		return own // why the upload ended
	}
	return err
}

// commitProject makes a repository of the project, so that git diff in the cell
// shows the work of the agent. An image without git has none.
const commitProject = `command -v git >/dev/null || exit 0
git init -q && git add -A && git -c user.name=glovebox -c user.email= -c commit.gpgsign=false commit -q --allow-empty -m 'the project as it was copied in'`

// follow runs a program to its end.
func (b *Box) follow(ctx context.Context, spec api.ProcessSpec, output func(api.ProcessEvent) error) (*api.ProcessExit, error) {
	var process api.ProcessRef
	for e, err := range b.sessions.StartProcess(ctx, b.ID, spec) {
		switch {
		case err != nil:
			return nil, err
		case e.Type == api.ProcessStarted:
			process.PID = e.PID
		case e.Exit != nil:
			return e.Exit, nil
		default:
			if err := output(e); err != nil {
				return nil, err
			}
		}
	}
	return nil, api.Errorf(api.Internal, "process %d of session %s has no end", process.PID, b.ID)
}

func (b *Box) env() map[string]string { return map[string]string{"HOME": b.home} }

// Command is what starts the agent in the session.
func (b *Box) Command() api.ProcessSpec {
	return api.ProcessSpec{Argv: b.job.Agent.argv(b.job.Prompt, b.job.Options), Env: b.env(), Dir: b.dir}
}

// Asks reports whether the agent asks on its terminal what to do.
func (b *Box) Asks() bool { return b.job.Prompt == "" }
