package server

import "context"

// Local reports whether the request of ctx came by a Unix socket, and so from
// a process of the same user on this host.
func Local(ctx context.Context) bool { return isLocal(ctx) }
