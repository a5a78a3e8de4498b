package scope

import (
	"context"
	"io"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// denied is a service that refuses everything. Scope overrides the methods that
// a cell may use, so that a new method of the interface is refused until it
// gets a rule.
type denied struct{}

var _ api.Service = denied{}

func refused(format string, args ...any) *api.Error {
	return api.Errorf(api.Unauthorized, "the code of a cell cannot "+format, args...).
		WithHint("a cell can start runs below its own, with what its own task has, and follow those; ask for everything else from outside of cells")
}

func (denied) Submit(context.Context, api.Submission) (*api.Run, error) {
	return nil, refused("start runs")
}

func (denied) Wait(context.Context, string) (*api.Result, error) {
	return nil, refused("wait for runs")
}

func (denied) Run(context.Context, string) (*api.Run, error) { return nil, refused("see runs") }

func (denied) RunTask(context.Context, string) (*api.Task, error) {
	return nil, refused("see the task of a run, but of its own and of those that it started with tasks of its own")
}

func (denied) Runs(context.Context, api.RunQuery) (api.RunPage, error) {
	return api.RunPage{}, refused("list runs, but those that it started: name its own run as the parent")
}

func (denied) Events(context.Context, string, int64) iter.Seq2[api.Event, error] {
	return failing[api.Event](refused("follow runs"))
}

func (denied) Logs(context.Context, string, int64, bool) iter.Seq2[api.LogEntry, error] {
	return failing[api.LogEntry](refused("read logs"))
}

// failing is a stream that begins with its error.
func failing[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

func (denied) Cancel(context.Context, string, string) error { return refused("cancel runs") }

func (denied) Resume(context.Context, string, api.ResumeOptions) (*api.Run, error) {
	return nil, refused("resume runs")
}

func (denied) Resolve(context.Context, string, api.Resolution) (*api.Run, error) {
	return nil, refused("say what became of runs")
}

func (denied) Rerun(context.Context, string, api.RerunOptions) (*api.Run, error) {
	return nil, refused("rerun runs")
}

func (denied) Prompt(context.Context, *api.Task) (string, error) {
	return "", refused("describe tasks")
}

func (denied) Check(context.Context, *api.Task) ([]api.Problem, error) {
	return nil, refused("check tasks")
}

func (denied) Deploy(context.Context, api.Deployment) ([]api.TaskVersion, error) {
	return nil, refused("deploy tasks")
}

func (denied) Tasks(context.Context) ([]api.TaskVersion, error) {
	return nil, refused("list deployed tasks")
}

func (denied) Task(context.Context, string) (*api.TaskVersion, error) {
	return nil, refused("see deployed tasks")
}

func (denied) Versions(context.Context, string) ([]api.TaskVersion, error) {
	return nil, refused("see deployed tasks")
}

func (denied) Rollback(context.Context, string, int) (*api.TaskVersion, error) {
	return nil, refused("roll tasks back")
}

func (denied) RemoveTask(context.Context, string) error {
	return refused("remove tasks")
}

func (denied) Environments(context.Context) ([]api.Environment, error) {
	return nil, refused("list environments")
}

func (denied) Environment(context.Context, string) (*api.Environment, error) {
	return nil, refused("see environments")
}

func (denied) PutBlob(context.Context, io.Reader) (string, int64, error) {
	return "", 0, refused("store bytes")
}

func (denied) OpenBlob(context.Context, string) (io.ReadCloser, int64, error) {
	return nil, 0, refused("read bytes")
}

func (denied) PutTree(context.Context, string) (value.Dir, error) {
	return value.Dir{}, refused("name directories of the host")
}

func (denied) ExportTree(context.Context, value.Dir, string) error {
	return refused("have directories packed; read the blob of the manifest, and those that it names")
}

func (denied) ExplainCache(context.Context, string) (*api.CacheExplanation, error) {
	return nil, refused("look into the cache")
}

func (denied) ClearCache(context.Context, string) (int, error) { return 0, refused("clear the cache") }

func (denied) BuildImage(context.Context, api.ImageSpec, func(api.Progress)) (*api.ImageInfo, error) {
	return nil, refused("build images")
}

func (denied) Images(context.Context) ([]api.ImageInfo, error) { return nil, refused("list images") }

func (denied) Image(context.Context, string) (*api.ImageInfo, error) {
	return nil, refused("see images")
}

func (denied) RemoveImage(context.Context, string) error { return refused("remove images") }

func (denied) PushImage(context.Context, string, string, string, func(api.Progress)) (string, error) {
	return "", refused("push images")
}

func (denied) SetSecret(context.Context, string, []byte) error { return refused("store secrets") }

func (denied) Secrets(context.Context) ([]string, error) { return nil, refused("list secrets") }

func (denied) RemoveSecret(context.Context, string) error { return refused("remove secrets") }

func (denied) Workers(context.Context) ([]api.Worker, error) { return nil, refused("list workers") }

func (denied) Prune(context.Context, api.PruneRequest) (*api.Pruned, error) {
	return nil, refused("remove what is kept")
}

func (denied) Doctor(context.Context, bool) ([]api.Finding, error) {
	return nil, refused("examine the host")
}

func (denied) KeepWarm(context.Context, api.WarmRequest) (*api.WarmPool, error) {
	return nil, refused("keep cells warm")
}

func (denied) WarmPools(context.Context) ([]api.WarmPool, error) {
	return nil, refused("see the cells that are kept warm")
}

func (denied) Close() error { return nil }
