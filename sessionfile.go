package glovebox

import (
	"bytes"
	"context"
	"io"

	"github.com/glovebox-dev/glovebox/api"
)

// FileInfo describes a file of a session.
type FileInfo = api.FileInfo

// ReadFile returns the bytes of a file of the session, of at most 64 MiB; Open
// reads larger ones. A path that is not absolute starts at the directory of the
// session.
func (s *Session) ReadFile(ctx context.Context, path string) ([]byte, error) {
	r, err := s.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var text bounded
	if _, err := io.Copy(&text, r); err != nil {
		return nil, api.AsError(err)
	}
	return text.Bytes(), nil
}

// Open returns the bytes of a file of the session as they come.
func (s *Session) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	r, _, err := s.service.ReadFile(ctx, s.id, path, 0, 0, api.FileOptions{})
	return r, err
}

// WriteFile writes a file of the session, and makes the directories above it. A
// file that is there is replaced.
func (s *Session) WriteFile(ctx context.Context, path string, content []byte) error {
	return s.Write(ctx, path, bytes.NewReader(content))
}

// Write is WriteFile of what a reader gives.
func (s *Session) Write(ctx context.Context, path string, content io.Reader) error {
	_, err := s.service.WriteFile(ctx, s.id, path, content, api.WriteOptions{})
	return err
}

// Stat describes a file of the session.
func (s *Session) Stat(ctx context.Context, path string) (*FileInfo, error) {
	return s.service.StatFile(ctx, s.id, path, api.FileOptions{})
}

// List lists a directory of the session.
func (s *Session) List(ctx context.Context, path string) ([]FileInfo, error) {
	return s.service.ListFiles(ctx, s.id, path, 0, api.FileOptions{})
}

// MakeDir makes a directory in the session, and those above it.
func (s *Session) MakeDir(ctx context.Context, path string) error {
	_, err := s.service.MakeDir(ctx, s.id, path, api.FileOptions{})
	return err
}

// Move moves a file or a tree within the session.
func (s *Session) Move(ctx context.Context, from, to string) error {
	_, err := s.service.MoveFile(ctx, s.id, from, to, api.FileOptions{})
	return err
}

// Remove removes a file or a tree of the session, if it is there.
func (s *Session) Remove(ctx context.Context, path string) error {
	return s.service.RemoveFile(ctx, s.id, path, api.FileOptions{})
}

// Upload unpacks a tar archive in a directory of the session, which is made if it
// must be.
func (s *Session) Upload(ctx context.Context, path string, archive io.Reader) error {
	return s.service.UploadTree(ctx, s.id, path, archive, api.FileOptions{})
}

// Download returns a file or a directory of the session as a tar archive. Its names
// come from the cell, so they are to be kept below one directory where it is unpacked.
func (s *Session) Download(ctx context.Context, path string) (io.ReadCloser, error) {
	return s.service.DownloadTree(ctx, s.id, path, api.FileOptions{})
}
