package denied

import (
	"context"
	"io"
	"iter"
	"net"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

var _ api.Sessions = Service{}

func (s Service) NewSession(context.Context, api.SessionSpec) (*api.Session, error) {
	return nil, s.Refuse("start sessions")
}

func (s Service) Session(context.Context, string) (*api.Session, error) {
	return nil, s.Refuse("see sessions")
}

func (s Service) Sessions(context.Context, api.SessionQuery) (api.SessionPage, error) {
	return api.SessionPage{}, s.Refuse("list sessions")
}

func (s Service) ChangeSession(context.Context, string, api.SessionChange) (*api.Session, error) {
	return nil, s.Refuse("change sessions")
}

func (s Service) KillSession(context.Context, string) error { return s.Refuse("kill sessions") }

func (s Service) PauseSession(context.Context, string, api.PauseOptions) (*api.Session, error) {
	return nil, s.Refuse("pause sessions")
}

func (s Service) ResumeSession(context.Context, string) (*api.Session, error) {
	return nil, s.Refuse("resume sessions")
}

func (s Service) ForkSession(context.Context, string, api.ForkOptions) ([]api.Fork, error) {
	return nil, s.Refuse("fork sessions")
}

func (s Service) SessionEvents(context.Context, string, int64, bool) iter.Seq2[api.SessionEvent, error] {
	return failing[api.SessionEvent](s.Refuse("follow sessions"))
}

func (s Service) SessionUsage(context.Context, string, time.Time, time.Time) ([]api.UsageSample, error) {
	return nil, s.Refuse("see what sessions use")
}

func (s Service) SessionConnections(context.Context, string) ([]api.Connection, error) {
	return nil, s.Refuse("see what sessions connect to")
}

func (s Service) NewSnapshot(context.Context, string, api.SnapshotOptions) (*api.Snapshot, error) {
	return nil, s.Refuse("take snapshots")
}

func (s Service) Snapshot(context.Context, string) (*api.Snapshot, error) {
	return nil, s.Refuse("see snapshots")
}

func (s Service) Snapshots(context.Context, string) ([]api.Snapshot, error) {
	return nil, s.Refuse("list snapshots")
}

func (s Service) SnapshotImage(context.Context, string, api.SnapshotImageOptions) (*api.ImageInfo, error) {
	return nil, s.Refuse("make images of snapshots")
}

func (s Service) RemoveSnapshot(context.Context, string) error { return s.Refuse("remove snapshots") }

func (s Service) StartProcess(context.Context, string, api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	return failing[api.ProcessEvent](s.Refuse("start commands in sessions"))
}

func (s Service) FollowProcess(context.Context, string, api.ProcessRef, int64) iter.Seq2[api.ProcessEvent, error] {
	return failing[api.ProcessEvent](s.Refuse("follow the commands of sessions"))
}

func (s Service) Processes(context.Context, string) ([]api.Process, error) {
	return nil, s.Refuse("list the commands of sessions")
}

func (s Service) WriteInput(context.Context, string, api.ProcessRef, []byte) error {
	return s.Refuse("write to the commands of sessions")
}

func (s Service) CloseInput(context.Context, string, api.ProcessRef) error {
	return s.Refuse("write to the commands of sessions")
}

func (s Service) SignalProcess(context.Context, string, api.ProcessRef, string, bool) error {
	return s.Refuse("send signals to the commands of sessions")
}

func (s Service) ResizeTerminal(context.Context, string, api.ProcessRef, api.TerminalSize) error {
	return s.Refuse("change the terminals of sessions")
}

func (s Service) StatFile(context.Context, string, string, api.FileOptions) (*api.FileInfo, error) {
	return nil, s.Refuse("see the files of sessions")
}

func (s Service) ListFiles(context.Context, string, string, int, api.FileOptions) ([]api.FileInfo, error) {
	return nil, s.Refuse("list the files of sessions")
}

func (s Service) MakeDir(context.Context, string, string, api.FileOptions) (*api.FileInfo, error) {
	return nil, s.Refuse("change the files of sessions")
}

func (s Service) MoveFile(context.Context, string, string, string, api.FileOptions) (*api.FileInfo, error) {
	return nil, s.Refuse("change the files of sessions")
}

func (s Service) RemoveFile(context.Context, string, string, api.FileOptions) error {
	return s.Refuse("change the files of sessions")
}

func (s Service) ReadFile(context.Context, string, string, int64, int64, api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	return nil, nil, s.Refuse("read the files of sessions")
}

func (s Service) WriteFile(context.Context, string, string, io.Reader, api.WriteOptions) (*api.FileInfo, error) {
	return nil, s.Refuse("change the files of sessions")
}

func (s Service) WatchFiles(context.Context, string, string, bool, api.FileOptions) iter.Seq2[api.FileEvent, error] {
	return failing[api.FileEvent](s.Refuse("watch the files of sessions"))
}

func (s Service) DownloadTree(context.Context, string, string, api.FileOptions) (io.ReadCloser, error) {
	return nil, s.Refuse("read the files of sessions")
}

func (s Service) UploadTree(context.Context, string, string, io.Reader, api.FileOptions) error {
	return s.Refuse("change the files of sessions")
}

func (s Service) SessionUser(context.Context, string, string) (*api.User, error) {
	return nil, s.Refuse("see the users of sessions")
}

func (s Service) DialPort(context.Context, string, int) (net.Conn, error) {
	return nil, s.Refuse("reach the ports of sessions")
}

func (s Service) OpenPort(context.Context, string, int, api.PortOptions) (*api.Port, error) {
	return nil, s.Refuse("open the ports of sessions")
}

func (s Service) ClosePort(context.Context, string, int) error {
	return s.Refuse("close the ports of sessions")
}

func (s Service) NewContext(context.Context, string, api.ContextSpec) (*api.Context, error) {
	return nil, s.Refuse("start the contexts of sessions")
}

func (s Service) Contexts(context.Context, string) ([]api.Context, error) {
	return nil, s.Refuse("list the contexts of sessions")
}

func (s Service) RunCode(context.Context, string, api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	return failing[api.CodeEvent](s.Refuse("run code in sessions"))
}

func (s Service) InterruptContext(context.Context, string, string) error {
	return s.Refuse("interrupt the contexts of sessions")
}

func (s Service) RestartContext(context.Context, string, string) error {
	return s.Refuse("restart the contexts of sessions")
}

func (s Service) RemoveContext(context.Context, string, string) error {
	return s.Refuse("end the contexts of sessions")
}
