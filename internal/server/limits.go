package server

import "time"

// Limits bound what clients can make the server hold. Zero fields take the
// defaults.
type Limits struct {
	JSON        int64         // bytes of a JSON body
	Bodies      int64         // bytes of all JSON bodies in progress; at least JSON
	Blob        int64         // bytes of an uploaded blob
	Secret      int64         // bytes of a secret
	Hook        int64         // bytes of a message to a hook
	Requests    int           // answered at the same time
	Streams     int           // open at the same time: events, logs, waits, transfers, builds, workers
	Connections int           // open at the same time on one listener
	Header      time.Duration // for the header of a request
	Idle        time.Duration // between requests on one connection
	Stall       time.Duration // in which a client neither sends nor takes anything
	Heartbeat   time.Duration // between comments in a quiet stream
	Drain       time.Duration // for requests under way when the server stops
}

func (l Limits) withDefaults() Limits {
	l.JSON = or(l.JSON, 64<<20)
	return Limits{
		JSON: l.JSON, Bodies: max(or(l.Bodies, 4*l.JSON), l.JSON), Blob: or(l.Blob, 16<<30), Secret: or(l.Secret, 1<<20), Hook: or(l.Hook, 1<<20),
		Requests: or(l.Requests, 256), Streams: or(l.Streams, 4096), Connections: or(l.Connections, 8192),
		Header: or(l.Header, 10*time.Second), Idle: or(l.Idle, 30*time.Second), Stall: or(l.Stall, 30*time.Second),
		Heartbeat: or(l.Heartbeat, 15*time.Second), Drain: or(l.Drain, 30*time.Second),
	}
}

func or[T int | int64 | time.Duration](v, def T) T {
	if v > 0 {
		return v
	}
	return def
}
