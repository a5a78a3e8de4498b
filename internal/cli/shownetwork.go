package cli

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// maxShownConnections bounds the lines for people; --json has all.
const maxShownConnections = 20

// connections returns what a run that has ended tried on the network. They are in its
// result, which exists for a failed one too.
func connections(ctx context.Context, service api.Service, run *api.Run, task *api.Task) []api.Connection {
	if !run.Status.Ended() || task.Network.None() {
		return nil
	}
	result, _ := service.Wait(ctx, run.ID) // its error is that of the run, which is shown
	if result == nil {
		return nil
	}
	return result.Network
}

// showNetwork prints the last connections, one a line.
func showNetwork(b *bytes.Buffer, all []api.Connection) {
	if len(all) == 0 {
		return
	}
	b.WriteString("connections\n")
	if more := len(all) - maxShownConnections; more > 0 {
		fmt.Fprintf(b, "  %d before these; --json has all\n", more)
		all = all[more:]
	}
	for _, c := range all {
		fmt.Fprintf(b, "  %s  %s\n", clock(c.Time), connectionLine(c))
	}
}

// connectionLine says where a connection or a request went, and what became of it. What
// a program wrote is kept on its line.
func connectionLine(c api.Connection) string {
	words := []string{fmt.Sprintf("%s:%d", onLine(c.Host), c.Port)}
	if c.Method != "" {
		words = []string{onLine(c.Method), words[0] + onLine(c.Path), strconv.Itoa(c.Status)}
	}
	words = append(words, fmt.Sprintf("%s in, %s out", quantity.FormatSize(c.BytesIn), quantity.FormatSize(c.BytesOut)))
	if len(c.Secrets) > 0 {
		words = append(words, "with "+strings.Join(c.Secrets, ", "))
	}
	if c.Reason != "" {
		words = append(words, "("+onLine(c.Reason)+")")
	}
	if !c.Allowed {
		words = append(words, "refused")
	}
	return strings.Join(words, "  ")
}

// onLine keeps text of a program on its line.
func onLine(text string) string {
	return visible(strings.NewReplacer("\n", " ", "\r", " ").Replace(text))
}
