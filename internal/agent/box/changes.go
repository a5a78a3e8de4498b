package box

import (
	"context"
	"errors"
	"os"

	"github.com/glovebox-dev/glovebox/api"
)

// Changes are what an agent made of its project. The caller closes them.
type Changes struct {
	List    []Change // by path
	LeftOut []LeftOut

	project *Project
	staged  string // a directory with the contents of new and modified files
}

// Change is one file or link that differs.
type Change struct {
	Path     string
	old, new entry
	content  string // a path of this host with the content, if new is a file
	// Conflict is why it cannot be made here, because the project is no longer what
	// was copied; empty if nothing is in its way.
	Conflict string
}

// Changes takes the project out of the cell.
func (b *Box) Changes(ctx context.Context) (*Changes, error) {
	archive, err := b.sessions.DownloadTree(ctx, b.ID, b.dir, api.FileOptions{User: "root"})
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	project := b.job.Project
	if project == nil {
		project = &Project{}
	}
	staged, err := os.MkdirTemp("", "glovebox-agent-")
	if err != nil {
		return nil, stagingError(err)
	}
	r := &receiver{project: project, staged: staged, seen: map[string]bool{}}
	if err := r.receive(ctx, archive); err != nil {
		return nil, errors.Join(err, os.RemoveAll(staged))
	}
	c := &Changes{List: r.changes(), LeftOut: r.leftOut, project: project, staged: staged}
	for i := range c.List {
		if project.root != nil {
			c.List[i].Conflict = c.conflict(&c.List[i], true)
		}
	}
	return c, nil
}

// Close removes what was taken out.
func (c *Changes) Close() error { return os.RemoveAll(c.staged) }

func stagingError(err error) error {
	return api.Errorf(api.StorageFull, "the work of the agent cannot be kept: %w", err)
}

// Verb is what became of the file: added, modified, deleted, or mode for one that
// can be executed now, or no longer.
func (c *Change) Verb() string {
	switch {
	case c.old.kind == absent:
		return "added"
	case c.new.kind == absent:
		return "deleted"
	case c.old.kind == c.new.kind && c.old.digest == c.new.digest && c.old.target == c.new.target:
		return "mode"
	}
	return "modified"
}

// Notes are what is to be seen in a change beside its lines.
func (c *Change) Notes() []string {
	var notes []string
	switch {
	case c.new.kind == link:
		notes = append(notes, "a link")
	case c.new.exec && !c.old.exec:
		notes = append(notes, "can be executed")
	case c.old.exec && c.new.kind == file && !c.new.exec:
		notes = append(notes, "can no longer be executed")
	}
	return notes
}

// Content is the path of the new content on this host, until the changes are
// closed; empty if there is none.
func (c *Change) Content() string { return c.content }

// Executable reports whether the new file can be executed.
func (c *Change) Executable() bool { return c.new.exec }
