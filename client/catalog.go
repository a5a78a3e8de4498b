package client

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// get is ask for what can be asked for at any time.
func (c *Client) get(ctx context.Context, path string, out any) error {
	return c.ask(ctx, request{method: http.MethodGet, path: path, repeat: true}, out)
}

// Deploy makes versions of tasks.
func (c *Client) Deploy(ctx context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	var out struct {
		Tasks []api.TaskVersion `json:"tasks"`
	}
	d.Tasks = append([]api.Task{}, d.Tasks...) // none is an empty list, which the server judges
	err := c.askJSON(ctx, request{method: http.MethodPost, path: "/v1/deployments"}, d, &out)
	return out.Tasks, err
}

// Tasks lists the current version of every task.
func (c *Client) Tasks(ctx context.Context) ([]api.TaskVersion, error) {
	var out struct {
		Tasks []api.TaskVersion `json:"tasks"`
	}
	err := c.get(ctx, "/v1/tasks", &out)
	return out.Tasks, err
}

// Task returns NAME or NAME@VERSION.
func (c *Client) Task(ctx context.Context, ref string) (*api.TaskVersion, error) {
	name, err := segment("task", ref)
	if err != nil {
		return nil, err
	}
	var v api.TaskVersion
	if err := c.get(ctx, "/v1/tasks"+name, &v); err != nil {
		return nil, err
	}
	return &v, nil
}

// Versions lists the versions of a task.
func (c *Client) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	s, err := segment("task", name)
	if err != nil {
		return nil, err
	}
	var out struct {
		Versions []api.TaskVersion `json:"versions"`
	}
	err = c.get(ctx, "/v1/tasks"+s+"/versions", &out)
	return out.Versions, err
}

// Rollback makes an older version the current one.
func (c *Client) Rollback(ctx context.Context, name string, version int) (*api.TaskVersion, error) {
	s, err := segment("task", name)
	if err != nil {
		return nil, err
	}
	in := struct {
		Version int `json:"version"`
	}{version}
	var v api.TaskVersion
	r := request{method: http.MethodPost, path: "/v1/tasks" + s + "/rollback", repeat: true}
	if err := c.askJSON(ctx, r, in, &v); err != nil {
		return nil, err
	}
	return &v, nil
}

// RemoveTask takes a task off the list. Its versions stay.
func (c *Client) RemoveTask(ctx context.Context, name string) error {
	s, err := segment("task", name)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/tasks" + s}, nil)
}

// Environments lists the current version of every environment.
func (c *Client) Environments(ctx context.Context) ([]api.Environment, error) {
	var out struct {
		Environments []api.Environment `json:"environments"`
	}
	err := c.get(ctx, "/v1/environments", &out)
	return out.Environments, err
}

// Environment returns NAME or NAME@VERSION.
func (c *Client) Environment(ctx context.Context, ref string) (*api.Environment, error) {
	name, err := segment("environment", ref)
	if err != nil {
		return nil, err
	}
	var e api.Environment
	if err := c.get(ctx, "/v1/environments"+name, &e); err != nil {
		return nil, err
	}
	return &e, nil
}
