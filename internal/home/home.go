// Package home is the home directory of Glovebox: where it is, what lies where
// in it, who may use it, and which processes do.
//
// # Layout
//
//	glovebox.db       journal, cache and catalog, unless they are elsewhere
//	journal           where they are then
//	home.id           tells this home from others to a database elsewhere; on nodes it,
//	                  blobs, secrets, logs, sessions and keys are links to what they share
//	blobs/            files by their content, unless they are elsewhere
//	blobs.place       where they are then
//	blobs.cache/      those of them that are at hand then
//	images/           images of cells
//	secrets/          encrypted secrets and their key
//	snapshot.key      authenticates snapshots of orchestrators
//	dump.key          authenticates sessions that clients of Monty's protocol save
//	session.key       authenticates sessions to clients of other protocols
//	runs/, logs/      files and logs of runs
//	sessions/         saved states of sessions
//	downloads/        files of runs on servers
//	server/           the socket of a server and its temporary files
//	server.lock       held by the one server of the home
//	processes/        one locked file for each process that works here
//	processes.lock    held while a process enters
//
// # Who may use it
//
// A home belongs to one user, and nobody else may write to it: they could
// replace an image or a key. [Dir.Prepare] refuses a home of which this does not
// hold. On Windows, where a home only keeps downloads, the permissions of the
// user's profile protect it.
//
// # Presence
//
// Any number of processes may work on a home. Each holds a lock on a file of its
// own in processes/, and the kernel releases it when the process dies, however
// it dies. So others can tell a live owner of runs from a dead one, and the
// first process to [Enter] an abandoned home cleans up before anyone else can
// enter.
package home

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/glovebox-dev/glovebox/api"
)

// Dir is the path of a home.
type Dir string

// Below returns the path of a file or directory of the home.
func (d Dir) Below(name string) string { return filepath.Join(string(d), name) }

// Database is the file with journal, cache and catalog.
func (d Dir) Database() string { return d.Below("glovebox.db") }

// HasDatabase reports whether there is that file.
func (d Dir) HasDatabase() bool {
	_, err := os.Lstat(d.Database())
	return err == nil
}

// Blobs is the directory with the blobs, and BlobCache with those that are at hand of
// blobs elsewhere.
func (d Dir) Blobs() string     { return d.Below("blobs") }
func (d Dir) BlobCache() string { return d.Below("blobs.cache") }

// Runs is the directory where files of runs are laid out.
func (d Dir) Runs() string { return d.Below("runs") }

// Logs is the directory with the logs of runs.
func (d Dir) Logs() string { return d.Below("logs") }

// Sessions is the directory with what is saved of sessions.
func (d Dir) Sessions() string { return d.Below("sessions") }

// Templates is the directory with the templates of E2B's clients, in a file of each node.
func (d Dir) Templates() string { return d.Below("templates") }

// Log is the log of one run.
func (d Dir) Log(run string) string { return filepath.Join(d.Logs(), run+".jsonl") }

// Downloads is where clients of servers put the files of runs. No engine uses
// it, because a server may work on the same home. Prune limits its age.
func (d Dir) Downloads() string { return d.Below("downloads") }

// Find returns the home: the directory asked for, else $GLOVEBOX_HOME, else
// glovebox in the XDG data directory, or on Windows in %LOCALAPPDATA%.
func Find(asked string, getenv func(string) string) (Dir, error) {
	if asked != "" {
		return absolute(asked)
	}
	if dir := getenv("GLOVEBOX_HOME"); dir != "" {
		if !filepath.IsAbs(dir) { // it would be another home in each working directory
			return "", api.Errorf(api.RequestInvalid, "GLOVEBOX_HOME is %s, which is no absolute path", dir).
				WithHint("set it to an absolute path").WithDetails(api.Details{Field: "GLOVEBOX_HOME", Expected: "an absolute path", Got: dir})
		}
		return Dir(filepath.Clean(dir)), nil
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return Dir(filepath.Join(data, "glovebox")), nil
	}
	if data := getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(data) {
		return Dir(filepath.Join(data, "glovebox")), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return Dir(filepath.Join(home, ".local", "share", "glovebox")), nil
	}
	return "", api.Errorf(api.IsolationUnavailable, "there is no place for images and secrets: neither GLOVEBOX_HOME nor HOME is set").
		WithHint("set GLOVEBOX_HOME to a directory of your own")
}

func absolute(dir string) (Dir, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", api.Errorf(api.Internal, "find the home directory %s: %w", dir, err)
	}
	return Dir(path), nil
}

// Prepare creates the home for this user alone, and refuses one that others
// could write to.
func (d Dir) Prepare() error {
	dir := string(d)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Error(dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return Error(dir, err)
	}
	if !info.IsDir() {
		return unsafeHome(dir, "is not a directory", "remove it, or set GLOVEBOX_HOME")
	}
	return checkOwner(dir, info)
}

func unsafeHome(dir, problem, remedy string) error {
	return api.Errorf(api.IsolationUnavailable, "the home directory %s %s", dir, problem).WithHint("%s", remedy).
		WithDetails(api.Details{Field: "GLOVEBOX_HOME", Expected: "a directory that only its owner, this user, can write to", Got: dir})
}
