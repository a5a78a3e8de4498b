package egress

import (
	"fmt"
	"net/http"
	"strings"
)

// refusal says why a request goes no further. It is an answer to the program
// in the cell and the reason in the audit.
type refusal struct {
	status int
	reason string
	hint   string // empty where nothing helps
	audit  string // the reason in the audit, where it says more; otherwise empty
}

func denied(format string, args ...any) *refusal {
	return &refusal{status: http.StatusForbidden, reason: fmt.Sprintf(format, args...),
		hint: "the network policy of this run decides this; a retry will not help, ask for the host to be allowed"}
}

func badRequest(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, reason: fmt.Sprintf(format, args...)}
}

func unreachable(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadGateway, reason: fmt.Sprintf(format, args...)}
}

func exhausted(format string, args ...any) *refusal {
	return &refusal{status: http.StatusServiceUnavailable, reason: fmt.Sprintf(format, args...)}
}

// Error returns the reason.
func (r *refusal) Error() string { return r.reason }

// line is the body of the answer: one line, for a model to read.
func (r *refusal) line() string {
	text := "glovebox: " + r.reason
	if r.hint != "" {
		text += " (" + r.hint + ")"
	}
	return printable(text) + "\n"
}

// raw is the whole answer. Clients drop the body of an answer to CONNECT and
// show the status line, so the reason is there too.
func (r *refusal) raw() string {
	body := r.line()
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		r.status, printable(r.reason), len(body), body)
}

// printable keeps text on its line, whatever a name or an error held.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return ' '
		}
		return c
	}, text)
}
