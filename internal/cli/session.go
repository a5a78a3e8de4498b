package cli

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
)

const sessionHelp = `Keep cells, and use them: run commands and code in them, copy files in and out,
reach their ports, pause and fork them.

A session lives in the process that holds its cell. So all that needs a cell is
asked of a server: the one that GLOVEBOX_URL names, or else the one that
glovebox serve runs for this home. Without one, ls, show, events, usage, kill and
snapshot ls and rm work on what is kept, and glovebox shell has a session in
its own process.

A session is named by its id, by the beginning of it that no other one has, or by
latest: the newest that has not ended.`

func (c *cli) sessionCommand() *cobra.Command {
	cmd := group("session", "Keep cells, and use them: commands, code, files, ports",
		c.sessionNew(), reader(c.sessionList()), reader(c.sessionShow()), c.sessionExec(), c.sessionShell(), c.sessionRun(), c.sessionCopy(),
		c.sessionPorts(), c.sessionPort(), c.sessionFork(), c.sessionPause(), c.sessionResume(), c.sessionSnapshot(), c.sessionKill(),
		reader(c.sessionEvents()), reader(c.sessionUsage()), reader(c.sessionConnections()), c.sessionContext())
	cmd.Long = sessionHelp
	return cmd
}

// serverSocket is where glovebox serve listens for a home without --listen.
const serverSocket = "server/glovebox.sock"

// findServer takes the server of the home, if one answers and no other is named.
func (c *cli) findServer() {
	if c.remote || os.Getenv(serverVariable) != "" {
		return
	}
	dir, err := home.Find("", os.Getenv)
	if err != nil {
		return
	}
	path := dir.Below(serverSocket)
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return
	}
	_ = conn.Close()
	c.remote, c.server = true, "unix://"+path
}

// withSessions calls f with the sessions of the server, or of this process.
func (c *cli) withSessions(ctx context.Context, f func(api.Sessions) error) error {
	c.findServer()
	return c.with(ctx, func(service api.Service) error { return f(service) })
}

// withCells is withSessions for what needs a cell that stays.
func (c *cli) withCells(ctx context.Context, f func(api.Sessions) error) error {
	if c.findServer(); !c.remote {
		return usage("there is no server that could hold the session: it lives in a process that stays").
			hint("start one with: glovebox serve, or name one in %s; glovebox shell needs none", serverVariable)
	}
	return c.withSessions(ctx, f)
}

// withSession is withCells with the id of the session that is called so.
func (c *cli) withSession(ctx context.Context, name string, f func(s api.Sessions, id string) error) error {
	return c.withCells(ctx, func(s api.Sessions) error {
		id, err := sessionID(ctx, s, name)
		if err != nil {
			return err
		}
		return f(s, id)
	})
}

// withKept is withSessions with the id of the session that is called so.
func (c *cli) withKept(ctx context.Context, name string, f func(s api.Sessions, id string) error) error {
	return c.withSessions(ctx, func(s api.Sessions) error {
		id, err := sessionID(ctx, s, name)
		if err != nil {
			return err
		}
		return f(s, id)
	})
}

const (
	wholeSessionID = 20   // an id of so many characters is no beginning of one
	searchedPages  = 10   // of sessions, for the beginning of an id
	pageOfSessions = 1000 // which is as many as there can be in a page
)

// alive are the states of sessions that have not ended.
var alive = []api.SessionState{api.SessionStarting, api.SessionRunning, api.SessionPausing, api.SessionPaused, api.SessionResuming}

// sessionID returns the id of the session that a person calls so: by its id, by
// the beginning of it that no other session has, or latest.
func sessionID(ctx context.Context, s api.Sessions, name string) (string, error) {
	if name == latestRun {
		page, err := s.Sessions(ctx, api.SessionQuery{State: alive, Limit: 1})
		if err == nil && len(page.Sessions) == 0 {
			err = api.Errorf(api.NotFound, "there is no session that has not ended").WithHint("start one with: glovebox session new")
		}
		if err != nil {
			return "", err
		}
		return page.Sessions[0].ID, nil
	}
	if len(name) >= wholeSessionID || len(name) < shortestPrefix {
		return name, nil
	}
	found, err := sessionsBegun(ctx, s, name)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return name, nil // what looks it up says that it is not there
	case len(found) == 1 || found[0].ID == name:
		return found[0].ID, nil
	}
	var candidates strings.Builder
	for _, session := range found[:min(len(found), maxCandidates)] {
		fmt.Fprintf(&candidates, "\n%s  %s, %s", session.ID, session.State, clock(session.Created))
	}
	if len(found) > maxCandidates {
		candidates.WriteString("\n...")
	}
	return "", usage("the ids of several sessions begin with %s:%s", name, candidates.String()).hint("write more of the id")
}

// sessionsBegun finds the sessions whose ids begin so, one that is called so first.
func sessionsBegun(ctx context.Context, s api.Sessions, prefix string) (found []api.Session, err error) {
	q := api.SessionQuery{Limit: pageOfSessions}
	for range searchedPages {
		page, err := s.Sessions(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, session := range page.Sessions {
			if session.ID == prefix {
				return []api.Session{session}, nil
			}
			if strings.HasPrefix(session.ID, prefix) {
				found = append(found, session)
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	return found, nil
}

// completeSession completes the first argument with ids of sessions.
func (c *cli) completeSession() cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, stop := context.WithTimeout(cmd.Context(), completionTime)
		defer stop()
		var ids []string
		err := c.withSessions(ctx, func(s api.Sessions) error {
			page, err := s.Sessions(ctx, api.SessionQuery{State: alive, Limit: maxCompletions})
			for _, session := range page.Sessions {
				ids = append(ids, session.ID)
			}
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(slices.Clip(ids), begun), cobra.ShellCompDirectiveNoFileComp
	}
}
