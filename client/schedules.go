package client

import (
	"context"
	"crypto/rand"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// Schedules lists all schedules by name.
func (c *Client) Schedules(ctx context.Context) ([]api.Schedule, error) {
	var out struct {
		Schedules []api.Schedule `json:"schedules"`
	}
	err := c.get(ctx, "/v1/schedules", &out)
	return out.Schedules, err
}

// Schedule returns a schedule with its next times and last starts.
func (c *Client) Schedule(ctx context.Context, name string) (*api.Schedule, error) {
	return c.schedule(ctx, http.MethodGet, name, "")
}

// PauseSchedule keeps a schedule from starting anything until it is resumed.
func (c *Client) PauseSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	return c.schedule(ctx, http.MethodPost, name, "/pause")
}

// ResumeSchedule continues a schedule with its next time.
func (c *Client) ResumeSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	return c.schedule(ctx, http.MethodPost, name, "/resume")
}

// schedule asks for something that can be asked for twice, and gets the schedule.
func (c *Client) schedule(ctx context.Context, method, name, what string) (*api.Schedule, error) {
	s, err := segment("schedule", name)
	if err != nil {
		return nil, err
	}
	var schedule api.Schedule
	if err := c.ask(ctx, request{method: method, path: "/v1/schedules" + s + what, repeat: true}, &schedule); err != nil {
		return nil, err
	}
	return &schedule, nil
}

// RunSchedule asks for a start now. Without a key it makes one, so that a lost
// answer makes no second run.
func (c *Client) RunSchedule(ctx context.Context, name, key string) (*api.ScheduledStart, error) {
	s, err := segment("schedule", name)
	if err != nil {
		return nil, err
	}
	if key == "" {
		key = rand.Text()
	}
	var start api.ScheduledStart
	r := request{method: http.MethodPost, path: "/v1/schedules" + s + "/run", header: http.Header{"Idempotency-Key": {key}}, repeat: true}
	if err := c.ask(ctx, r, &start); err != nil {
		return nil, err
	}
	return &start, nil
}

// RemoveSchedule forgets a schedule and its starts.
func (c *Client) RemoveSchedule(ctx context.Context, name string) error {
	s, err := segment("schedule", name)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/schedules" + s}, nil)
}
