package server

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

type sessionExecArgs struct {
	sessionArgs
	Command    string            `json:"command" jsonschema:"a command line for sh"`
	Dir        string            `json:"dir,omitempty" jsonschema:"where it starts; empty is the directory of the session"`
	Env        map[string]string `json:"env,omitempty" jsonschema:"environment variables of this command"`
	User       string            `json:"user,omitempty" jsonschema:"whom it runs as, such as root; empty is the user of the session"`
	Stdin      string            `json:"stdin,omitempty" jsonschema:"text for its standard input"`
	TimeLimit  float64           `json:"time_limit_s,omitempty" jsonschema:"seconds after which it is ended; 0 is 300, and without bound in the background"`
	Background bool              `json:"background,omitempty" jsonschema:"leave it running, such as a server, and return its pid; write its output to a file to read it later"`
}

func (s *Server) addExec() {
	add(s, &mcp.Tool{
		Name: "session_exec", Annotations: isolated("Run a shell command in a session"),
		Description: "Run a shell command in a session (a kept sandbox): its files and processes stay. Returns stdout, stderr and the exit code.",
	}, s.sessionExec)
}

// execView is what a model sees of a command in a session.
type execView struct {
	PID      int      `json:"pid,omitempty" jsonschema:"the number of the process in its session"`
	Running  bool     `json:"running,omitempty" jsonschema:"it runs in the background"`
	ExitCode *int     `json:"exit_code,omitempty" jsonschema:"how it ended, as a shell counts it"`
	Signal   string   `json:"signal,omitempty" jsonschema:"the signal that ended it"`
	TimedOut bool     `json:"timed_out,omitempty" jsonschema:"it was ended because its time was over"`
	Stdout   string   `json:"stdout,omitempty" jsonschema:"what it printed to standard output"`
	Stderr   string   `json:"stderr,omitempty" jsonschema:"what it printed to standard error"`
	Cut      []string `json:"cut,omitempty" jsonschema:"what was left out of this answer"`
}

func (v *execView) failed() bool { return v.ExitCode != nil && *v.ExitCode != 0 }

func (v *execView) content() []mcp.Content {
	var b strings.Builder
	switch {
	case v.Running:
		fmt.Fprintf(&b, "it runs in the background as process %d\n", v.PID)
	case v.TimedOut:
		b.WriteString("timeout: its time was over\nhint: raise time_limit_s, or run it in the background\n")
	case v.failed():
		fmt.Fprintf(&b, "exit code %d %s\n", *v.ExitCode, v.Signal)
	}
	for _, part := range []struct{ title, text string }{{"stdout", v.Stdout}, {"stderr", v.Stderr}} {
		if part.text != "" {
			fmt.Fprintf(&b, "%s:\n%s\n", part.title, strings.TrimRight(part.text, "\n"))
		}
	}
	for _, c := range v.Cut {
		fmt.Fprintf(&b, "left out: %s\n", c)
	}
	if b.Len() == 0 {
		b.WriteString("it printed nothing, exit code 0")
	}
	return []mcp.Content{&mcp.TextContent{Text: b.String()}}
}

func (s *Server) sessionExec(ctx context.Context, req *mcp.CallToolRequest, a sessionExecArgs) (*execView, error) {
	spec := api.ProcessSpec{Argv: []string{"sh", "-c", a.Command}, Dir: a.Dir, Env: a.Env, User: a.User, Stdin: a.Stdin != "", Timeout: seconds(a.TimeLimit)}
	if spec.Timeout == 0 && !a.Background {
		spec.Timeout = seconds(defaultTimeLimit)
	}
	progress := report(ctx, req)
	defer progress.stop()
	lines := progress.writer()
	v, out, pid := &execView{}, map[string]*printed{"stdout": {}, "stderr": {}}, 0
	for e, err := range s.service.StartProcess(ctx, a.Session, spec) {
		if err != nil {
			return nil, s.end(ctx, a.Session, pid, err)
		}
		switch e.Type {
		case api.ProcessStarted:
			pid, v.PID = e.PID, e.PID
			go s.input(ctx, a.Session, pid, a.Stdin)
			if a.Background {
				v.Running = true
				return v, nil
			}
		case api.ProcessOutput:
			out[e.Stream].add(e.Data)
			if lines != nil {
				_, _ = lines.Write(e.Data) // it cannot fail
			}
		case api.ProcessExited:
			v.ExitCode, v.Signal, v.TimedOut = &e.Exit.Status, e.Exit.Signal, e.Exit.TimedOut
		}
	}
	v.Stdout, v.Stderr = v.stream("stdout", out["stdout"]), v.stream("stderr", out["stderr"])
	return v, nil
}

func (v *execView) stream(name string, p *printed) string {
	kept, left := p.text()
	if left > 0 {
		v.Cut = append(v.Cut, fmt.Sprintf("%d bytes in the middle of %s; write it to a file, and page through that with file_read", left, name))
	}
	return kept
}

// input gives a process its standard input, and ends that. A process need not
// read it.
func (s *Server) input(ctx context.Context, session string, pid int, text string) {
	if text == "" {
		return
	}
	ref := api.ProcessRef{PID: pid}
	if err := s.service.WriteInput(ctx, session, ref, []byte(text)); err == nil {
		_ = s.service.CloseInput(ctx, session, ref) // it has ended meanwhile
	}
}

// end ends a process whose client does not wait for it any more.
func (s *Server) end(ctx context.Context, session string, pid int, err error) error {
	if ctx.Err() == nil || pid == 0 {
		return err
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	if err := s.service.SignalProcess(last, session, api.ProcessRef{PID: pid}, "SIGKILL", true); err != nil {
		s.logger.Warn("a process could not be ended", "session", session, "pid", pid, "error", err)
	}
	return api.Errorf(api.Canceled, "the call was canceled, and process %d with it", pid)
}
