package monty

import (
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// eventKind is the number of an event's field in ChildEvent.
type eventKind int32

const (
	eventPrint          eventKind = 1
	eventFunctionCall   eventKind = 2
	eventOSCall         eventKind = 3
	eventNameLookup     eventKind = 4
	eventResolveFutures eventKind = 5
	eventComplete       eventKind = 6
	eventError          eventKind = 7
	eventTypingError    eventKind = 8
	eventDump           eventKind = 9
	eventOK             eventKind = 10
	eventFatal          eventKind = 11
	eventShutdown       eventKind = 12
)

type event struct {
	kind     eventKind
	body     []byte
	begun    bool // the first answer for a session
	restored bool // the answer to a Load
}

// frame writes an event that ends a turn, with the figures of the session.
func (e event) frame(s *session) []byte {
	b := bytesOf(protowire.Number(e.kind), e.body)
	if s == nil {
		return b
	}
	feed := s.spent()
	l := s.config.limits
	b = append(b, numberSet(20, asMicros(s.total+feed))...)
	if l.counted {
		b = append(b, number(22, l.suspensions)...)
	}
	if e.restored {
		b = append(b, text(23, s.config.script)...)
	}
	if e.begun {
		b = append(b, textSet(28, s.stored)...)
	}
	b = append(b, numberSet(24, asMicros(feed))...)
	if l.feed > 0 {
		b = append(b, number(25, asMicros(l.feed))...)
	}
	if l.turn > 0 {
		b = append(b, number(26, asMicros(l.turn))...)
	}
	if l.sleeps {
		b = append(b, number(27, asMicros(l.sleep))...)
	}
	return b
}

func asMicros(d time.Duration) uint64 { return uint64(d / time.Microsecond) }
