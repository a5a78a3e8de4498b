package guest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// maxWatches bounds the directories that are watched in a cell.
const maxWatches = 8192

// watchedFor is what is reported of a watched directory.
const watchedFor = unix.IN_CREATE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// watcher watches a directory, or a tree of them, for one channel.
type watcher struct {
	files     *filesystem
	top       string
	recursive bool
	file      *os.File
	count     *atomic.Int64 // of all watchers
	queue     *eventQueue

	dirs     map[int32]string // by watch, relative to top; "." is top
	reported map[string]bool  // entries of new directories that were found before their events
}

// watch reports changes until the channel ends, or the directory is gone.
func (g *server) watch(request wire.Watch, ch *wire.Channel) wire.Done {
	w, err := g.newWatcher(request)
	if err != nil {
		return doneWith(fileFailure(err))
	}
	w.queue.push(wire.Event{Type: wire.EventWatched})
	go func() {
		<-ch.Over()
		w.file.SetReadDeadline(time.Now())
	}()
	go w.run()
	return doneWith(w.queue.send(ch))
}

func (g *server) newWatcher(request wire.Watch) (*watcher, error) {
	files, err := g.filesystem(request.As)
	if err != nil {
		return nil, err
	}
	top, err := files.resolve(request.Path.Path)
	if err != nil {
		return nil, err
	}
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, err
	}
	w := &watcher{
		files: files, top: top, recursive: request.Recursive, file: os.NewFile(uintptr(fd), "inotify"), count: &g.watches,
		queue: newEventQueue(), dirs: make(map[int32]string), reported: make(map[string]bool),
	}
	if err := files.user.as(func() error { return w.add(".", false) }); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *watcher) close() {
	w.file.Close()
	w.count.Add(-int64(len(w.dirs)))
	w.dirs = nil
}

// add watches a directory, and those below it. With report, what is in them is
// reported: it was made before anybody watched.
func (w *watcher) add(dir string, report bool) error {
	if w.count.Add(1) > maxWatches {
		w.count.Add(-1)
		return failure{wire.CodeLimit, "path", "too many directories are watched in this cell"}
	}
	at := filepath.Join(w.top, dir)
	mask := uint32(watchedFor)
	if dir != "." {
		mask |= unix.IN_DONT_FOLLOW
	}
	if err := mayRead(at); err != nil {
		w.count.Add(-1)
		return err
	}
	raw, err := w.file.SyscallConn()
	if err != nil {
		return err
	}
	wd := -1
	controlErr := raw.Control(func(fd uintptr) { wd, err = unix.InotifyAddWatch(int(fd), at, mask) })
	if err = errors.Join(controlErr, err); err != nil {
		w.count.Add(-1)
		return &os.PathError{Op: "watch", Path: at, Err: err}
	}
	if _, known := w.dirs[int32(wd)]; known {
		w.count.Add(-1)
	}
	w.dirs[int32(wd)] = dir
	if !w.recursive && !report {
		return nil
	}
	return w.addBelow(dir, report)
}

// mayRead returns an error unless the directory may be read: the kernel of a cell
// does not ask for that.
func mayRead(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return f.Close()
}

// addBelow watches the directories in one. Those that are gone again, or that
// the user may not look into, are left out.
func (w *watcher) addBelow(dir string, report bool) error {
	entries, err := os.ReadDir(filepath.Join(w.top, dir))
	if err != nil {
		return ignoreHidden(err)
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if report {
			w.reported[name] = true
			w.report(wire.EventCreate, name)
			if hasContent(entry) {
				w.report(wire.EventWrite, name)
			}
		}
		if !entry.IsDir() {
			continue
		}
		if err := ignoreHidden(w.add(name, report)); err != nil {
			return err
		}
	}
	return nil
}

// hasContent reports whether somebody has written to a file before it was watched.
func hasContent(entry fs.DirEntry) bool {
	info, err := entry.Info()
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

func ignoreHidden(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	return err
}

// run takes events as they come, whether the host takes them or not: the kernel of
// a cell keeps any number of those that wait.
func (w *watcher) run() {
	defer w.close()
	buf := make([]byte, 64<<10)
	for {
		n, err := w.file.Read(buf)
		if err == nil {
			err = w.files.user.as(func() error { return w.take(buf[:n]) })
		}
		if err != nil {
			w.queue.end(watchFailure(err))
			return
		}
	}
}

// errTopGone says that there is no directory to watch any more.
var errTopGone = errors.New("the watched directory is gone")

func watchFailure(err error) error {
	if errors.Is(err, errTopGone) || errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return fileFailure(err)
}

// take reports the events in data.
func (w *watcher) take(data []byte) error {
	for len(data) >= unix.SizeofInotifyEvent {
		event, rest, err := nextEvent(data)
		if err != nil {
			return err
		}
		data = rest
		if err := w.event(event); err != nil {
			return err
		}
	}
	clear(w.reported)
	return nil
}

func (w *watcher) event(event inotifyEvent) error {
	if event.mask&unix.IN_Q_OVERFLOW != 0 {
		w.queue.lose()
		return w.rescan()
	}
	dir, known := w.dirs[event.watch]
	switch {
	case !known:
		return nil
	case event.mask&unix.IN_IGNORED != 0:
		delete(w.dirs, event.watch)
		w.count.Add(-1)
		return nil
	case event.mask&(unix.IN_DELETE_SELF|unix.IN_MOVE_SELF) != 0:
		if dir == "." {
			w.queue.push(wire.Event{Type: wire.EventRemove, Path: "."})
			return errTopGone
		}
		return nil
	case event.name == "":
		return nil // its parent says it too
	}
	return w.entryEvent(path.Join(dir, event.name), event.mask)
}

// entryEvent reports what happened to an entry of a watched directory.
func (w *watcher) entryEvent(name string, mask uint32) error {
	isDir := mask&unix.IN_ISDIR != 0
	switch {
	case mask&(unix.IN_CREATE|unix.IN_MOVED_TO) != 0:
		if w.reported[name] {
			delete(w.reported, name)
			return nil
		}
		w.report(wire.EventCreate, name)
		if isDir && w.recursive {
			return ignoreHidden(w.add(name, true))
		}
	case mask&unix.IN_MOVED_FROM != 0:
		w.report(wire.EventRename, name)
		if isDir {
			w.dropBelow(name)
		}
	case mask&unix.IN_DELETE != 0:
		w.report(wire.EventRemove, name)
	case mask&unix.IN_MODIFY != 0:
		w.report(wire.EventWrite, name)
	case mask&unix.IN_ATTRIB != 0:
		w.report(wire.EventChmod, name)
	}
	return nil
}

// dropBelow watches a directory that was moved away no more.
func (w *watcher) dropBelow(name string) {
	raw, err := w.file.SyscallConn()
	if err != nil {
		return
	}
	for watch, dir := range w.dirs {
		if dir != name && !isBelow(dir, name) {
			continue
		}
		raw.Control(func(fd uintptr) { unix.InotifyRmWatch(int(fd), uint32(watch)) })
		delete(w.dirs, watch)
		w.count.Add(-1)
	}
}

func isBelow(dir, top string) bool {
	return len(dir) > len(top) && dir[:len(top)] == top && dir[len(top)] == '/'
}

// rescan watches the directories that were made while events were lost.
func (w *watcher) rescan() error {
	if !w.recursive {
		return nil
	}
	return w.addBelow(".", false)
}

func (w *watcher) report(kind, name string) {
	if w.queue.full() {
		w.queue.lose()
		return
	}
	info, _ := w.files.lstat(filepath.Join(w.top, name))
	w.queue.push(wire.Event{Type: kind, Path: wire.Text(name), Info: info})
}

// sendEvent sends one event; attributes that would make it too large are left out.
func sendEvent(ch *wire.Channel, event wire.Event) error {
	data, err := json.Marshal(event)
	if err == nil && len(data) > wire.MaxRecord && event.Info != nil {
		event.Info.Attributes = nil
		data, err = json.Marshal(event)
	}
	if err != nil {
		return err
	}
	_, err = ch.Write(wire.AppendRecord(nil, wire.Record{Kind: wire.RecordEvent, Data: data}))
	return err
}
