package server

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// registerCatalog adds the routes of deployed tasks.
func (s *Server) registerCatalog() {
	deploy := operation(http.MethodPost, "/v1/deployments", "catalog", "deploy", "Make versions of tasks")
	deploy.DefaultStatus = http.StatusCreated
	route(s, traits{}, deploy, s.deploy)
	route(s, traits{}, operation(http.MethodGet, "/v1/tasks", "catalog", "listTasks", "The current version of every task"),
		func(ctx context.Context, _ *nothing) (*answer[tasksAnswer], error) {
			tasks, err := s.Service.Tasks(ctx)
			return answerWith(tasksAnswer{orEmpty(tasks)}, err)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/tasks/{ref}", "catalog", "getTask", "A version of a task, with the whole task"),
		func(ctx context.Context, in *RefPath) (*answer[*api.TaskVersion], error) {
			return answerWith(s.Service.Task(ctx, in.Ref))
		})
	route(s, traits{}, operation(http.MethodDelete, "/v1/tasks/{ref}", "catalog", "removeTask", "Take a task off the list, by its name; its versions stay"),
		func(ctx context.Context, in *RemovePath) (*nothing, error) {
			return &nothing{}, s.Service.RemoveTask(ctx, in.Ref)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/tasks/{name}/versions", "catalog", "listVersions", "All versions of a task, the newest first"),
		func(ctx context.Context, in *TaskPath) (*answer[versionsAnswer], error) {
			versions, err := s.Service.Versions(ctx, in.Name)
			return answerWith(versionsAnswer{orEmpty(versions)}, err)
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/tasks/{name}/rollback", "catalog", "rollback", "Make an older version the current one"), s.rollback)
	route(s, traits{}, operation(http.MethodGet, "/v1/environments", "catalog", "listEnvironments", "The current version of every environment"),
		func(ctx context.Context, _ *nothing) (*answer[environmentsAnswer], error) {
			environments, err := s.Service.Environments(ctx)
			return answerWith(environmentsAnswer{orEmpty(environments)}, err)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/environments/{ref}", "catalog", "getEnvironment", "A version of an environment"),
		func(ctx context.Context, in *RefPath) (*answer[*api.Environment], error) {
			return answerWith(s.Service.Environment(ctx, in.Ref))
		})
}

// The lists of the catalog.
type (
	tasksAnswer struct {
		Tasks []api.TaskVersion `json:"tasks"`
	}
	versionsAnswer struct {
		Versions []api.TaskVersion `json:"versions"`
	}
	environmentsAnswer struct {
		Environments []api.Environment `json:"environments"`
	}
)

func (s *Server) deploy(ctx context.Context, in *struct{ Body jsonBody[api.Deployment] }) (*answer[tasksAnswer], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	for i := range given.Tasks {
		if err := checkTask(&given.Tasks[i], isLocal(ctx)); err != nil {
			return nil, err
		}
	}
	tasks, err := s.Service.Deploy(ctx, *given)
	return answerWith(tasksAnswer{orEmpty(tasks)}, err)
}

type rollbackBody struct {
	Version int `json:"version" doc:"The version that NAME alone shall mean" required:"true" minimum:"1" maximum:"1000000000"`
}

type rollbackInput struct {
	TaskPath
	Body jsonBody[rollbackBody]
}

func (s *Server) rollback(ctx context.Context, in *rollbackInput) (*answer[*api.TaskVersion], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if given.Version < 1 {
		return nil, missing("version", "a version from 1")
	}
	return answerWith(s.Service.Rollback(ctx, in.Name, given.Version))
}
