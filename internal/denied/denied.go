// Package denied has an api.Service that refuses everything, for those that
// offer a part of one.
package denied

import (
	"context"
	"io"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Service refuses everything. Whoever offers only a part of an api.Service
// embeds it and overrides the methods of that part, so that a new method of the
// interface is refused until somebody decides about it.
type Service struct {
	// Refuse makes the error of what was asked for, such as "start runs".
	Refuse func(what string) *api.Error
}

var _ api.Service = Service{}

func (s Service) Submit(context.Context, api.Submission) (*api.Run, error) {
	return nil, s.Refuse("start runs")
}

func (s Service) Wait(context.Context, string) (*api.Result, error) {
	return nil, s.Refuse("wait for runs")
}

func (s Service) Run(context.Context, string) (*api.Run, error) { return nil, s.Refuse("see runs") }

func (s Service) RunTask(context.Context, string) (*api.Task, error) {
	return nil, s.Refuse("see the tasks of runs")
}

func (s Service) Runs(context.Context, api.RunQuery) (api.RunPage, error) {
	return api.RunPage{}, s.Refuse("list runs")
}

func (s Service) Events(context.Context, string, int64) iter.Seq2[api.Event, error] {
	return failing[api.Event](s.Refuse("follow runs"))
}

func (s Service) Logs(context.Context, string, int64, bool) iter.Seq2[api.LogEntry, error] {
	return failing[api.LogEntry](s.Refuse("read logs"))
}

// failing is a stream that begins with its error.
func failing[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

func (s Service) Cancel(context.Context, string, string) error { return s.Refuse("cancel runs") }

func (s Service) Resume(context.Context, string, api.ResumeOptions) (*api.Run, error) {
	return nil, s.Refuse("resume runs")
}

func (s Service) Resolve(context.Context, string, api.Resolution) (*api.Run, error) {
	return nil, s.Refuse("say what became of runs")
}

func (s Service) Rerun(context.Context, string, api.RerunOptions) (*api.Run, error) {
	return nil, s.Refuse("rerun runs")
}

func (s Service) Prompt(context.Context, *api.Task) (string, error) {
	return "", s.Refuse("describe tasks")
}

// Evaluate implements api.Evaluations.
func (s Service) Evaluate(context.Context, api.Evaluation) (*api.Result, error) {
	return nil, s.Refuse("evaluate orchestrators")
}

func (s Service) Check(context.Context, *api.Task) ([]api.Problem, error) {
	return nil, s.Refuse("check tasks")
}

func (s Service) Deploy(context.Context, api.Deployment) ([]api.TaskVersion, error) {
	return nil, s.Refuse("deploy tasks")
}

func (s Service) Tasks(context.Context) ([]api.TaskVersion, error) {
	return nil, s.Refuse("list deployed tasks")
}

func (s Service) Task(context.Context, string) (*api.TaskVersion, error) {
	return nil, s.Refuse("see deployed tasks")
}

func (s Service) Versions(context.Context, string) ([]api.TaskVersion, error) {
	return nil, s.Refuse("see deployed tasks")
}

func (s Service) Rollback(context.Context, string, int) (*api.TaskVersion, error) {
	return nil, s.Refuse("roll tasks back")
}

func (s Service) RemoveTask(context.Context, string) error {
	return s.Refuse("remove tasks")
}

func (s Service) Environments(context.Context) ([]api.Environment, error) {
	return nil, s.Refuse("list environments")
}

func (s Service) Environment(context.Context, string) (*api.Environment, error) {
	return nil, s.Refuse("see environments")
}

func (s Service) PutBlob(context.Context, io.Reader) (string, int64, error) {
	return "", 0, s.Refuse("store bytes")
}

func (s Service) OpenBlob(context.Context, string) (io.ReadCloser, int64, error) {
	return nil, 0, s.Refuse("read bytes")
}

func (s Service) PutTree(context.Context, string) (value.Dir, error) {
	return value.Dir{}, s.Refuse("name directories of the host")
}

func (s Service) ExportTree(context.Context, value.Dir, string) error {
	return s.Refuse("have directories packed; read the blob of the manifest, and those that it names")
}

func (s Service) ExplainCache(context.Context, string) (*api.CacheExplanation, error) {
	return nil, s.Refuse("look into the cache")
}

func (s Service) ClearCache(context.Context, string) (int, error) {
	return 0, s.Refuse("clear the cache")
}

func (s Service) BuildImage(context.Context, api.ImageSpec, func(api.Progress)) (*api.ImageInfo, error) {
	return nil, s.Refuse("build images")
}

func (s Service) Images(context.Context) ([]api.ImageInfo, error) {
	return nil, s.Refuse("list images")
}

func (s Service) Image(context.Context, string) (*api.ImageInfo, error) {
	return nil, s.Refuse("see images")
}

func (s Service) RemoveImage(context.Context, string) error { return s.Refuse("remove images") }

func (s Service) PushImage(context.Context, string, string, string, func(api.Progress)) (string, error) {
	return "", s.Refuse("push images")
}

func (s Service) SetSecret(context.Context, string, []byte) error { return s.Refuse("store secrets") }

func (s Service) Secrets(context.Context) ([]string, error) { return nil, s.Refuse("list secrets") }

func (s Service) RemoveSecret(context.Context, string) error { return s.Refuse("remove secrets") }

func (s Service) Workers(context.Context) ([]api.Worker, error) { return nil, s.Refuse("list workers") }

func (s Service) Nodes(context.Context) ([]api.Node, error) { return nil, s.Refuse("list nodes") }

func (s Service) DrainNode(context.Context, string) error { return s.Refuse("stop nodes") }

func (s Service) ListMCPTools(context.Context, api.MCPServer) ([]api.Task, error) {
	return nil, s.Refuse("list the tools of MCP servers")
}

func (s Service) Prune(context.Context, api.PruneRequest) (*api.Pruned, error) {
	return nil, s.Refuse("remove what is kept")
}

func (s Service) Retention(context.Context) (*api.Retention, error) {
	return nil, s.Refuse("see how long things are kept")
}

func (s Service) Doctor(context.Context, bool) ([]api.Finding, error) {
	return nil, s.Refuse("examine the host")
}

func (s Service) Cells(context.Context) ([]api.LiveCell, error) {
	return nil, s.Refuse("see the cells of other runs")
}

func (s Service) KeepWarm(context.Context, api.WarmRequest) (*api.WarmPool, error) {
	return nil, s.Refuse("keep cells warm")
}

func (s Service) WarmPools(context.Context) ([]api.WarmPool, error) {
	return nil, s.Refuse("see the cells that are kept warm")
}

// Close implements api.Service: there is nothing to close.
func (Service) Close() error { return nil }
