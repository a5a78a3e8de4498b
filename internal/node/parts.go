package node

import (
	"context"
	"io"
	"iter"
	"net"

	"github.com/glovebox-dev/glovebox/api"
)

// StartProcess implements api.Processes.
func (s *Sessions) StartProcess(ctx context.Context, session string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	return follow(ctx, s, session, func(there api.Sessions) iter.Seq2[api.ProcessEvent, error] {
		return there.StartProcess(ctx, session, spec)
	})
}

// FollowProcess implements api.Processes.
func (s *Sessions) FollowProcess(ctx context.Context, session string, p api.ProcessRef, from int64) iter.Seq2[api.ProcessEvent, error] {
	return follow(ctx, s, session, func(there api.Sessions) iter.Seq2[api.ProcessEvent, error] {
		return there.FollowProcess(ctx, session, p, from)
	})
}

// Processes implements api.Processes.
func (s *Sessions) Processes(ctx context.Context, session string) ([]api.Process, error) {
	return at(ctx, s, session, func(there api.Sessions) ([]api.Process, error) { return there.Processes(ctx, session) })
}

// WriteInput implements api.Processes.
func (s *Sessions) WriteInput(ctx context.Context, session string, p api.ProcessRef, data []byte) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.WriteInput(ctx, session, p, data) })
}

// CloseInput implements api.Processes.
func (s *Sessions) CloseInput(ctx context.Context, session string, p api.ProcessRef) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.CloseInput(ctx, session, p) })
}

// SignalProcess implements api.Processes.
func (s *Sessions) SignalProcess(ctx context.Context, session string, p api.ProcessRef, signal string, tree bool) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.SignalProcess(ctx, session, p, signal, tree) })
}

// ResizeTerminal implements api.Processes.
func (s *Sessions) ResizeTerminal(ctx context.Context, session string, p api.ProcessRef, size api.TerminalSize) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.ResizeTerminal(ctx, session, p, size) })
}

// StatFile implements api.SessionFiles.
func (s *Sessions) StatFile(ctx context.Context, session, path string, o api.FileOptions) (*api.FileInfo, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.FileInfo, error) { return there.StatFile(ctx, session, path, o) })
}

// ListFiles implements api.SessionFiles.
func (s *Sessions) ListFiles(ctx context.Context, session, path string, depth int, o api.FileOptions) ([]api.FileInfo, error) {
	return at(ctx, s, session, func(there api.Sessions) ([]api.FileInfo, error) { return there.ListFiles(ctx, session, path, depth, o) })
}

// MakeDir implements api.SessionFiles.
func (s *Sessions) MakeDir(ctx context.Context, session, path string, o api.FileOptions) (*api.FileInfo, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.FileInfo, error) { return there.MakeDir(ctx, session, path, o) })
}

// MoveFile implements api.SessionFiles.
func (s *Sessions) MoveFile(ctx context.Context, session, from, to string, o api.FileOptions) (*api.FileInfo, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.FileInfo, error) { return there.MoveFile(ctx, session, from, to, o) })
}

// RemoveFile implements api.SessionFiles.
func (s *Sessions) RemoveFile(ctx context.Context, session, path string, o api.FileOptions) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.RemoveFile(ctx, session, path, o) })
}

// opened is a file that is read, and what it is.
type opened struct {
	io.ReadCloser
	info *api.FileInfo
}

// ReadFile implements api.SessionFiles.
func (s *Sessions) ReadFile(ctx context.Context, session, path string, offset, limit int64, o api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	file, err := at(ctx, s, session, func(there api.Sessions) (opened, error) {
		r, info, err := there.ReadFile(ctx, session, path, offset, limit, o)
		return opened{r, info}, err
	})
	return file.ReadCloser, file.info, err
}

// WriteFile implements api.SessionFiles.
func (s *Sessions) WriteFile(ctx context.Context, session, path string, content io.Reader, o api.WriteOptions) (*api.FileInfo, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.FileInfo, error) {
		return there.WriteFile(ctx, session, path, content, o)
	})
}

// WatchFiles implements api.SessionFiles.
func (s *Sessions) WatchFiles(ctx context.Context, session, path string, recursive bool, o api.FileOptions) iter.Seq2[api.FileEvent, error] {
	return follow(ctx, s, session, func(there api.Sessions) iter.Seq2[api.FileEvent, error] {
		return there.WatchFiles(ctx, session, path, recursive, o)
	})
}

// DownloadTree implements api.SessionFiles.
func (s *Sessions) DownloadTree(ctx context.Context, session, path string, o api.FileOptions) (io.ReadCloser, error) {
	return at(ctx, s, session, func(there api.Sessions) (io.ReadCloser, error) { return there.DownloadTree(ctx, session, path, o) })
}

// UploadTree implements api.SessionFiles.
func (s *Sessions) UploadTree(ctx context.Context, session, path string, archive io.Reader, o api.FileOptions) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.UploadTree(ctx, session, path, archive, o) })
}

// SessionUser implements api.SessionFiles.
func (s *Sessions) SessionUser(ctx context.Context, session, name string) (*api.User, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.User, error) { return there.SessionUser(ctx, session, name) })
}

// DialPort implements api.Ports.
func (s *Sessions) DialPort(ctx context.Context, session string, port int) (net.Conn, error) {
	return at(ctx, s, session, func(there api.Sessions) (net.Conn, error) { return there.DialPort(ctx, session, port) })
}

// OpenPort implements api.Ports.
func (s *Sessions) OpenPort(ctx context.Context, session string, port int, o api.PortOptions) (*api.Port, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.Port, error) { return there.OpenPort(ctx, session, port, o) })
}

// ClosePort implements api.Ports.
func (s *Sessions) ClosePort(ctx context.Context, session string, port int) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.ClosePort(ctx, session, port) })
}

// NewContext implements api.Contexts.
func (s *Sessions) NewContext(ctx context.Context, session string, spec api.ContextSpec) (*api.Context, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.Context, error) { return there.NewContext(ctx, session, spec) })
}

// Contexts implements api.Contexts.
func (s *Sessions) Contexts(ctx context.Context, session string) ([]api.Context, error) {
	return at(ctx, s, session, func(there api.Sessions) ([]api.Context, error) { return there.Contexts(ctx, session) })
}

// RunCode implements api.Contexts.
func (s *Sessions) RunCode(ctx context.Context, session string, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	return follow(ctx, s, session, func(there api.Sessions) iter.Seq2[api.CodeEvent, error] { return there.RunCode(ctx, session, r) })
}

// InterruptContext implements api.Contexts.
func (s *Sessions) InterruptContext(ctx context.Context, session, id string) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.InterruptContext(ctx, session, id) })
}

// RestartContext implements api.Contexts.
func (s *Sessions) RestartContext(ctx context.Context, session, id string) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.RestartContext(ctx, session, id) })
}

// RemoveContext implements api.Contexts.
func (s *Sessions) RemoveContext(ctx context.Context, session, id string) error {
	return s.tell(ctx, session, func(there api.Sessions) error { return there.RemoveContext(ctx, session, id) })
}
