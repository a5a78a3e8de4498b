package guest

import (
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// maxLog is how much of its output is kept of a process, in bytes, and
// pieceCost what a piece of it counts on top, so that tiny ones cost no more
// memory than large ones.
const (
	maxLog    = 1 << 20
	pieceCost = 64
)

// outputLog keeps the end of what a process has written, all streams in their
// order. A place in it is an offset: how many bytes were written before. While
// somebody follows it, who writes waits rather than that something is cut for
// the slowest follower; while nobody does, the oldest bytes go.
type outputLog struct {
	mu        sync.Mutex
	changed   *sync.Cond
	pieces    []logPiece
	size      int
	end       int64
	followers map[*follower]struct{}
	ended     bool // the process has; what its children write may still come
	forgotten bool // nothing is kept any more
}

type logPiece struct {
	offset int64
	stream wire.RecordKind
	data   []byte
}

func (p logPiece) end() int64 { return p.offset + int64(len(p.data)) }

func newOutputLog() *outputLog {
	l := &outputLog{followers: make(map[*follower]struct{})}
	l.changed = sync.NewCond(&l.mu)
	return l
}

// add keeps a copy of data, of MaxRecord bytes at most, and waits for room.
func (l *outputLog) add(stream wire.RecordKind, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.makeRoom() {
		l.changed.Wait()
	}
	if l.forgotten || len(data) == 0 {
		return
	}
	l.end += int64(len(data))
	l.size += len(data)
	l.changed.Broadcast()
	last := len(l.pieces) - 1
	if last >= 0 && l.pieces[last].stream == stream && len(l.pieces[last].data)+len(data) <= wire.MaxRecord {
		l.pieces[last].data = append(l.pieces[last].data, data...)
		return
	}
	l.size += pieceCost
	l.pieces = append(l.pieces, logPiece{l.end - int64(len(data)), stream, slices.Clone(data)})
}

// makeRoom drops the oldest pieces of a full log, as far as nobody waits for
// them. The caller holds mu.
func (l *outputLog) makeRoom() bool {
	for l.size >= maxLog && !l.forgotten {
		first := l.pieces[0]
		for f := range l.followers {
			if f.at < first.end() {
				return false
			}
		}
		l.pieces[0] = logPiece{}
		l.pieces = l.pieces[1:]
		l.size -= len(first.data) + pieceCost
	}
	return true
}

// start is the offset of the first byte that is kept. The caller holds mu.
func (l *outputLog) start() int64 {
	if len(l.pieces) == 0 {
		return l.end
	}
	return l.pieces[0].offset
}

// finish says that the process has ended. Followers get what it has written so
// far, and then its end.
func (l *outputLog) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	for f := range l.followers {
		f.last = l.end
	}
	l.changed.Broadcast()
}

// forget drops what is kept, now and later. Who still follows gets what it was
// to get.
func (l *outputLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgotten = true
	if len(l.followers) == 0 {
		l.pieces = nil
	}
	l.changed.Broadcast()
}

// state returns how much was written, and how much memory the log takes.
func (l *outputLog) state() (end int64, size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end, l.size
}

// follower is somebody who follows a log.
type follower struct {
	log  *outputLog
	at   int64
	last int64 // where it ends; -1 while that is not known
	gone bool
}

// follow begins to follow from an offset on, or from now on if that is negative.
// Lost bytes before that are kept no more.
func (l *outputLog) follow(from int64) (f *follower, lost int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if from < 0 || from > l.end {
		from = l.end
	}
	f = &follower{log: l, at: max(from, l.start()), last: -1}
	if l.ended {
		f.last = l.end
	}
	l.followers[f] = struct{}{}
	return f, f.at - from
}

// next waits for what comes next. Nothing means that there is no more.
func (f *follower) next() (stream wire.RecordKind, data []byte) {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	for !f.gone && f.at == f.log.end && f.at != f.last {
		f.log.changed.Wait()
	}
	if f.gone || f.at == f.last {
		return 0, nil
	}
	piece := f.log.find(f.at)
	data = piece.data[f.at-piece.offset:]
	if f.last >= 0 {
		data = data[:min(int64(len(data)), f.last-f.at)]
	}
	f.at += int64(len(data))
	f.log.changed.Broadcast()
	return piece.stream, data
}

// find returns the piece with an offset. The caller holds mu.
func (l *outputLog) find(offset int64) logPiece {
	i, _ := slices.BinarySearchFunc(l.pieces, offset, func(p logPiece, offset int64) int {
		if p.end() <= offset {
			return -1
		}
		return 1
	})
	return l.pieces[i]
}

// leave lets the log go on without the follower.
func (f *follower) leave() {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.gone = true
	delete(f.log.followers, f)
	if f.log.forgotten && len(f.log.followers) == 0 {
		f.log.pieces = nil
	}
	f.log.changed.Broadcast()
}
