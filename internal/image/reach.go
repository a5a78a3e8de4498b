package image

import (
	"context"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// maxRefused is how many hosts are named that a step was kept from.
const maxRefused = 8

// reach is the network of one step, and what the step was kept from.
type reach struct {
	b       *build
	network api.Network
	mu      sync.Mutex
	refused []string // hosts that the step may not reach and tried to
	failed  string   // why a host that it may reach could not be reached, the last one
}

func (b *build) reach(kind string) *reach { return &reach{b: b, network: b.network(kind)} }

// serve gives the network to a cell, with the indexes that are relayed to it.
func (r *reach) serve() (func(context.Context, net.Conn), error) {
	next, err := r.b.s.config.Egress(r.network, r.audit)
	if err != nil {
		return nil, err
	}
	return newRelay(r.b.indexes, r.b.s.client, next), nil
}

func (r *reach) audit(conn api.Connection) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if conn.Allowed && conn.Reason != "" {
		r.failed = conn.Host + ": " + conn.Reason
	}
	if conn.Allowed || conn.Host == "" || len(r.refused) == maxRefused {
		return
	}
	host := conn.Host
	if conn.Port != 80 && conn.Port != 443 {
		host = net.JoinHostPort(host, strconv.Itoa(conn.Port))
	}
	if !slices.Contains(r.refused, host) {
		r.refused = append(r.refused, host)
	}
}

// explain adds to the error of a step which hosts it was kept from.
func (r *reach) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return api.Errorf(api.Canceled, "image build: %w", context.Cause(ctx))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e := api.AsError(err)
	switch {
	case e.Code != api.BuildFailed && e.Code != api.IndexUnavailable:
		return err
	case len(r.refused) == 0 && r.failed == "":
		return err
	case len(r.refused) == 0:
		return e.WithHint("the step could not reach %s; try again when it can be reached from here", r.failed)
	}
	hosts := slices.DeleteFunc(slices.Clone(r.refused), r.b.s.neverReached)
	if len(hosts) == 0 {
		return e.WithHint("the step tried to reach %s, which no build and no cell can; bring such files in as inputs or in a base image",
			strings.Join(r.refused, ", "))
	}
	return e.WithHint("the step tried to reach %s; %s", strings.Join(hosts, ", "), r.allowHint(hosts))
}

// refusal is the error of a step that ended well but was kept from a host, so
// that the image would lack something. Nil if there is none.
func (r *reach) refusal(command string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	hosts := slices.DeleteFunc(slices.Clone(r.refused), r.b.s.neverReached)
	if len(hosts) == 0 {
		return nil
	}
	return api.Errorf(api.BuildFailed, "command %q was refused a connection to %s, though it ended with status 0", oneLine(command), strings.Join(hosts, ", ")).
		WithDetails(api.Details{Field: "image.commands", Got: command})
}

// allowHint says how the hosts can be had that a step was kept from.
func (r *reach) allowHint(hosts []string) string {
	if r.network.Public {
		return "private addresses are reached by no build and no cell; bring such files in as inputs or in a base image"
	}
	named := strings.Join(hosts, ",")
	if slices.ContainsFunc(hosts, r.b.unnamable) { // an address, which only all of the network includes
		named = "public"
	}
	if r.b.s.config.Network.Public {
		if n := r.b.order.spec.Network; n != nil && len(n.Allow) > 0 && named != "public" {
			named = strings.Join(append(slices.Clone(n.Allow), hosts...), ",")
		}
		quoted := `"` + strings.ReplaceAll(named, ",", `", "`) + `"`
		return "allow it: --build-network " + named + ", or network=[" + quoted + "] of with_commands or ImageConfig in Python"
	}
	return "builds reach package indexes and " + networkText(r.b.s.config.Network) +
		" here; ask the operator of this engine to allow it: glovebox serve --build-network " +
		strings.Join(append(slices.Clone(r.b.s.config.Network.Allow), named), ",")
}
