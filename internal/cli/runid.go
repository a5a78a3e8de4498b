package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// latestRun is what the newest run that no other one started can be called.
const latestRun = "latest"

// A whole id is "run-" and 24 characters; of a beginning, so many are needed
// that it is no slip of the finger.
const (
	idPrefix       = "run-"
	wholeID        = len(idPrefix) + 24
	shortestPrefix = 3
	maxCandidates  = 5
)

// runID returns the id of the run that a person calls so: by its id, by the
// beginning of it that no other run has, with or without "run-", or latest.
func runID(ctx context.Context, service api.Service, name string) (string, error) {
	if name == latestRun {
		page, err := service.Runs(ctx, api.RunQuery{Top: true, Limit: 1})
		if err == nil && len(page.Runs) == 0 {
			err = api.Errorf(api.NotFound, "there is no run yet")
		}
		if err != nil {
			return "", err
		}
		return page.Runs[0].ID, nil
	}
	prefix := name
	if !strings.HasPrefix(prefix, idPrefix) {
		prefix = idPrefix + prefix
	}
	if len(prefix) >= wholeID || len(prefix) < len(idPrefix)+shortestPrefix {
		return name, nil
	}
	return begun(ctx, service, name, prefix)
}

// begun finds the one run whose id begins with prefix.
func begun(ctx context.Context, service api.Service, name, prefix string) (string, error) {
	page, err := service.Runs(ctx, api.RunQuery{IDPrefix: prefix, Limit: maxCandidates + 1})
	switch {
	case err != nil:
		return "", err
	case len(page.Runs) == 0:
		return name, nil // what looks it up says that it is not there
	case len(page.Runs) == 1:
		return page.Runs[0].ID, nil
	}
	var candidates strings.Builder
	for _, run := range page.Runs[:min(len(page.Runs), maxCandidates)] {
		fmt.Fprintf(&candidates, "\n%s  %s, %s", run.ID, taskOf(&run), clock(run.Created))
	}
	if len(page.Runs) > maxCandidates || page.Next != "" {
		candidates.WriteString("\n...")
	}
	return "", usage("the ids of several runs begin with %s:%s", name, candidates.String()).hint("write more of the id")
}

// withRun calls f with a service and the id of the run that is called so.
func (c *cli) withRun(ctx context.Context, name string, f func(service api.Service, id string) error) error {
	return c.with(ctx, func(service api.Service) error {
		id, err := runID(ctx, service, name)
		if err != nil {
			return err
		}
		return f(service, id)
	})
}
