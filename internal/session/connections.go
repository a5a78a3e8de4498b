package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// The bounds of what is kept of a session's connections: the newest ones.
const (
	maxConnections = 1000
	maxLine        = 4 << 10 // bytes; names, paths and reasons come clipped from the proxy
)

// connections are the newest connections of a session. They are lines of JSON in a file,
// so that they outlive its cell and the process that holds it.
type connections struct {
	path string

	mu   sync.Mutex
	file *os.File // nil until one is added
	list []api.Connection
	read bool // list has what is in the file
	kept int  // lines of the file
	cut  bool // the last of them has no end
}

// add notes a connection. When twice as many as are kept are in the file, it is written
// anew.
func (c *connections) add(made api.Connection) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(); err != nil {
		return err
	}
	c.list = append(c.list, made)
	if over := len(c.list) - maxConnections; over > 0 {
		c.list = slices.Delete(c.list, 0, over)
	}
	if c.kept >= 2*maxConnections {
		return c.rewrite()
	}
	c.kept++
	return json.NewEncoder(c.file).Encode(made)
}

// open reads what an earlier process has noted, and adds to its file.
func (c *connections) open() (err error) {
	if c.file != nil {
		return nil
	}
	if err := c.load(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	if c.file, err = os.OpenFile(c.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil || !c.cut {
		return err
	}
	c.cut = false
	_, err = c.file.WriteString("\n")
	return err
}

// rewrite leaves only what is kept in the file.
func (c *connections) rewrite() error {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, made := range c.list {
		if err := lines.Encode(made); err != nil {
			return err
		}
	}
	next := c.path + ".next"
	if err := os.WriteFile(next, text.Bytes(), 0o600); err != nil {
		return err
	}
	if err := os.Rename(next, c.path); err != nil {
		return err
	}
	c.kept = len(c.list)
	c.close()
	return c.open()
}

// load reads the file once. A line that a crash has cut is left out.
func (c *connections) load() error {
	if c.read {
		return nil
	}
	f, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		c.read = true
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 2*maxConnections*maxLine))
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		c.kept++
		c.cut = line[len(line)-1] != '\n'
		var made api.Connection
		if json.Unmarshal(line, &made) == nil {
			c.list = append(c.list, made)
		}
	}
	c.list = slices.Delete(c.list, 0, max(0, len(c.list)-maxConnections))
	c.read = true
	return nil
}

// newest returns them, the oldest first.
func (c *connections) newest() ([]api.Connection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return nil, err
	}
	return slices.Clone(c.list), nil
}

// close lets the file go; what is added later opens it again. The caller holds mu.
func (c *connections) close() {
	if c.file != nil {
		c.file.Close()
		c.file = nil
	}
}

// leave lets the file go.
func (c *connections) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.close()
}

// SessionConnections implements api.Sessions.
func (s *Service) SessionConnections(ctx context.Context, id string) ([]api.Connection, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	l := s.live[r.ID]
	s.mu.Unlock()
	made := s.keep.connectionsOf(r.ID)
	if l != nil {
		made = l.connections
	}
	list, err := made.newest()
	if err != nil {
		return nil, api.Errorf(api.Internal, "reading the connections of session %s: %w", id, err)
	}
	return list, nil
}

// noteConnection keeps a connection of the session's programs. They are not held up where
// that fails: the policy holds all the same.
func (l *live) noteConnection(made api.Connection) {
	if err := l.connections.add(made); err != nil {
		l.service.config.Logger.Warn("keeping a connection of a session", "session", l.id, "error", err)
	}
}

// connectionsDir is where those of all sessions are, below the saved states.
const connectionsDir = "connections"

func (k *keep) connectionsOf(id string) *connections {
	return &connections{path: filepath.Join(k.dir, connectionsDir, id)}
}

// sweepConnections removes those of sessions that are forgotten.
func (s *Service) sweepConnections(ctx context.Context) error {
	dir := s.keep.path(connectionsDir)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return saving(err)
	}
	for _, entry := range entries {
		_, err := s.config.Journal.LoadSession(ctx, entry.Name())
		if errors.Is(err, journal.ErrNotFound) {
			err = os.Remove(filepath.Join(dir, entry.Name()))
		}
		if err != nil {
			return saving(err)
		}
	}
	return nil
}
