package cell

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// WatchFiles yields changes in a directory, and with recursive in those below it:
// first FilesWatched, from which on none is missed. It ends when the directory is
// gone. Where more happen than are taken, FilesOverflow takes their place.
func (c *Cell) WatchFiles(ctx context.Context, path string, recursive bool, o api.FileOptions) iter.Seq2[api.FileEvent, error] {
	return func(yield func(api.FileEvent, error) bool) {
		ch, err := c.mux.Open(wire.KindWatch, wire.Watch{Path: pathOf(path, o), Recursive: recursive})
		if err != nil {
			yield(api.FileEvent{}, c.refused(ctx, err))
			return
		}
		defer ch.Close(wire.Done{})
		defer c.closeWith(ctx, ch)()
		records := bufio.NewReaderSize(ch, wire.MaxRecord)
		for {
			event, err := nextFileEvent(records)
			if errors.Is(err, io.EOF) {
				if err = c.endOf(ctx, ch); err == nil {
					return
				}
			} else if err != nil {
				err = c.refused(ctx, err)
			}
			if !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// nextFileEvent trusts nothing of what a guest says has happened.
func nextFileEvent(from io.Reader) (api.FileEvent, error) {
	record, err := wire.ReadRecord(from)
	if err != nil {
		return api.FileEvent{}, err
	}
	var event wire.Event
	if record.Kind != wire.RecordEvent {
		return api.FileEvent{}, fmt.Errorf("record of kind %d in place of an event", record.Kind)
	}
	if err := json.Unmarshal(record.Data, &event); err != nil {
		return api.FileEvent{}, fmt.Errorf("event: %w", err)
	}
	return decodeFileEvent(event)
}

func decodeFileEvent(event wire.Event) (api.FileEvent, error) {
	switch event.Type {
	case wire.EventWatched, wire.EventCreate, wire.EventWrite, wire.EventRemove, wire.EventRename, wire.EventChmod, wire.EventOverflow:
	default:
		return api.FileEvent{}, fmt.Errorf("event of unknown type %.20q", event.Type)
	}
	if len(event.Path) > 2*maxPath {
		return api.FileEvent{}, fmt.Errorf("event of a path of %d bytes", len(event.Path))
	}
	decoded := api.FileEvent{Type: event.Type, Path: string(event.Path)}
	if event.Info == nil {
		return decoded, nil
	}
	info, err := decodeFileInfo(event.Info)
	decoded.Info = info
	return decoded, err
}
