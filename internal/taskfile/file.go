// Package taskfile reads tools and deploy files: YAML that describes tasks and
// what they have in common. It is strict: what it does not know is an error
// with its place.
package taskfile

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/regular"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// maxFile bounds a file of tasks, and maxCode the source that a task names.
const (
	maxFile = yamlfile.MaxSize
	maxCode = 64 << 20 // bytes
)

// File is what a tools or deploy file says.
type File struct {
	Name      string             // of the environment; may be empty
	Tasks     []api.Task         // in the order of the file, under their short names; then the tools of MCP servers
	Schedules []api.ScheduleSpec // the same, with the short names of tasks
	Hooks     []api.HookSpec     // the same
	Source    string             // the text
}

// Options say where a file is and what it may refer to.
type Options struct {
	Path string // of the file; in messages, and what a task's file is relative to
	// ReadFile returns the source that a task names, at most limit bytes. Nil
	// refuses such tasks.
	ReadFile func(path string, limit int64) ([]byte, error)
	// Lookup returns a deployed task by NAME@VERSION. Nil refuses such tools.
	Lookup func(ref string) (*api.Task, error)
	// ListTools returns the tools of an MCP server as tasks. It is called for several
	// servers at once. Nil refuses files that name any.
	ListTools func(server api.MCPServer) ([]api.Task, error)
}

// Service is the part of one that files refer to.
type Service interface {
	Task(ctx context.Context, ref string) (*api.TaskVersion, error)
	api.MCP
}

// Read reads the file at path, and asks the MCP servers that it names for their
// tools. Errors are *api.Error, invalid_task for what is wrong in the file.
func Read(ctx context.Context, path string, service Service) (*File, error) {
	text, err := readRegular(path, maxFile)
	if err != nil {
		return nil, api.Errorf(api.InvalidTask, "read %s: %w", path, err).WithHint("name a YAML file that describes tasks, of at most 1 MiB").
			WithDetails(api.Details{Field: "file", Got: path})
	}
	lookup := func(ref string) (*api.Task, error) {
		version, err := service.Task(ctx, ref)
		if err != nil {
			return nil, err
		}
		return version.Task, nil
	}
	list := func(server api.MCPServer) ([]api.Task, error) { return service.ListMCPTools(ctx, server) }
	return Parse(text, Options{Path: path, ReadFile: readRegular, Lookup: lookup, ListTools: list})
}

var errTooLarge = errors.New("it is too large")

// readRegular reads a regular file of at most limit bytes.
func readRegular(path string, limit int64) ([]byte, error) {
	file, err := regular.Open(regular.Host{}, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = errTooLarge
	}
	return text, err
}

// node is a part of the tree.
type node = yamlfile.Node

// reader turns a tree into tasks.
type reader struct {
	*yamlfile.Reader
	options Options
}

var hints = yamlfile.Hints{
	Empty:  "describe tasks under tasks: {NAME: {...}}",
	Large:  "split it, or name sources with file instead of writing them here",
	Shared: "write the value out, or put what tasks share under environment",
}

// Parse reads the text of a file. Errors are *api.Error.
func Parse(text []byte, o Options) (*File, error) {
	r := &reader{&yamlfile.Reader{Path: o.Path, Text: text, Hints: hints}, o}
	root, err := r.Tree()
	if err != nil {
		return nil, err
	}
	file := r.file(root)
	if r.Err != nil {
		return nil, r.Err
	}
	file.Source = string(text)
	return file, nil
}

// file reads the top of the tree.
func (r *reader) file(root node) *File {
	f := &File{}
	var common, tasks, servers, schedules, hooks node
	r.Object(root, "a file of tasks", yamlfile.Fields{
		"name":        func(n node) { f.Name = r.taskName(n) },
		"environment": func(n node) { common = n },
		"tasks":       func(n node) { tasks = n },
		"mcp":         func(n node) { servers = n },
		"schedules":   func(n node) { schedules = n },
		"hooks":       func(n node) { hooks = n },
	})
	if r.Err == nil && tasks == nil && servers == nil {
		r.Fail(root, "there are no tasks").WithHint("describe them under tasks: {NAME: {...}}, or name servers of tools under mcp")
	}
	if r.Err != nil {
		return nil
	}
	f.Tasks = r.tasks(r.environment(common), tasks, servers)
	f.Schedules = r.schedules(schedules, f.Tasks)
	f.Hooks = r.hooks(hooks, f.Tasks)
	return f
}

// Deployment asks for versions of all tasks, for schedules and hooks; the name of the
// environment becomes the beginning of their names.
func (f *File) Deployment() api.Deployment {
	d := api.Deployment{Environment: f.Name, Source: f.Source, Tasks: append([]api.Task(nil), f.Tasks...), Schedules: f.deployedSchedules(), Hooks: f.deployedHooks()}
	for i := range d.Tasks {
		d.Tasks[i].Name = f.deployedName(d.Tasks[i].Name)
	}
	return d
}

// source reads the code that a task names by a path relative to the file.
func (r *reader) source(n node) (text, name string) {
	path := r.Str(n)
	if r.Err != nil {
		return "", ""
	}
	if r.options.ReadFile == nil {
		r.Fail(n, "files cannot be read here").WithHint("write the source under code")
		return "", ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(r.Path), path)
	}
	code, err := r.options.ReadFile(path, maxCode)
	if err != nil {
		r.Fail(n, "read the source of the task: %s", err).WithHint("give a path relative to %s", filepath.Dir(r.Path))
		return "", ""
	}
	return string(code), filepath.Base(path)
}
