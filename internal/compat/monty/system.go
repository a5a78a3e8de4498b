package monty

import (
	"context"
	"fmt"
	"path"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/py/graph"
)

// directory is where paths begin that are not absolute.
func (s *session) directory() string {
	if s.cwd == "" {
		return "/"
	}
	return s.cwd
}

// fileName is the one name that the session itself has.
const fileName = "__file__"

// tellFile answers for that name if the code stands at it.
func (s *session) tellFile(ctx context.Context) error {
	for _, a := range s.py.Asks() {
		if a.Kind != py.AskName || a.Name != fileName {
			continue
		}
		g := &graph.Graph{Nodes: []graph.Node{{Kind: graph.Str, Text: s.file}}}
		return s.py.Resume(ctx, py.Return(a.ID, graph.Ref{Graph: g}))
	}
	return nil
}

// pathCalls are the calls of the system that have a path alone.
var pathCalls = map[string]protowire.Number{
	"exists": 2, "is_file": 3, "is_dir": 4, "is_symlink": 5, "read_text": 6, "read_bytes": 7, "stat": 8, "iterdir": 9,
	"resolve": 10, "absolute": 11, "unlink": 12, "rmdir": 13,
}

// dataCalls are those that have a path, and a text or bytes.
var dataCalls = map[string]protowire.Number{
	"write_text": 14, "append_text": 15, "write_bytes": 16, "append_bytes": 17, "open": 18, "rename": 20,
}

// The other calls.
const (
	osMkdir   protowire.Number = 19
	osGetenv  protowire.Number = 21
	osEnviron protowire.Number = 22
	osToday   protowire.Number = 23
	osNow     protowire.Number = 24
	osUrandom protowire.Number = 25
	osTime    protowire.Number = 26
	osImport  protowire.Number = 31
	osScan    protowire.Number = 33
)

// clientNames are the calls that have no path, as clients know them.
var clientNames = map[string]string{
	"getenv": "os.getenv", "environ": "os.environ", "today": "date.today", "now": "datetime.now", "urandom": "os.urandom", "time": "time.time",
}

// systemCall is the event of a call of the system.
func (s *session) systemCall(a py.Ask) event {
	arg := func(i int) graph.Node {
		if i >= len(a.Args) {
			return graph.Node{}
		}
		return a.Graph.Nodes[a.Args[i]]
	}
	var call, values []byte
	first := arg(0).Text
	switch {
	case pathCalls[a.Name] != 0:
		call = text(pathCalls[a.Name], first)
	case a.Name == "rename":
		call = bytesOf(dataCalls[a.Name], join(text(1, first), text(2, arg(1).Text)))
	case dataCalls[a.Name] != 0:
		call = bytesOf(dataCalls[a.Name], join(text(1, first), bytesOf(2, []byte(arg(1).Text))))
	case a.Name == "mkdir":
		call = bytesOf(osMkdir, join(text(1, first), flag(2, arg(1).Int != 0), flag(3, arg(2).Int != 0)))
	case a.Name == "scan":
		call = bytesOf(osScan, scanOf(a.Graph, a.Args))
	case a.Name == "getenv" && len(a.Args) == 2:
		call = bytesOf(osGetenv, join(text(1, first), numberSet(2, uint64(a.Args[1]))))
		values = bytesOf(50, s.wire.arena(a.Graph))
	case a.Name == "time":
		call = bytesOf(osTime, text(1, first))
	case a.Name == "import":
		call = bytesOf(osImport, text(1, first))
	case a.Name == "today":
		call = bytesOf(osToday, nil)
	case a.Name == "now":
		call = bytesOf(osNow, zoneOf(arg(0)))
	case a.Name == "urandom":
		call = bytesOf(osUrandom, numberSet(1, uint64(arg(0).Int)))
	default:
		call = bytesOf(osEnviron, nil)
	}
	return event{kind: eventOSCall, body: join(numberSet(1, a.ID-1), call, values, position(52, a.Place))}
}

// clean is a path without what leads nowhere. No path stays none.
func clean(p string) string {
	if p == "" {
		return p
	}
	return path.Clean(p)
}

// scanOf is the argument of a call for a tree of files: its path, how deep it
// goes, whether links are followed, and the pattern of a glob with what that is
// matched by.
func scanOf(g *graph.Graph, args []uint32) []byte {
	if len(args) != 6 {
		return nil
	}
	arg := func(i int) graph.Node { return g.Nodes[args[i]] }
	b := text(1, arg(0).Text)
	if depth := arg(1); depth.Kind == graph.Int {
		b = append(b, number(2, uint64(depth.Int))...)
	}
	b = append(b, flag(3, arg(2).Int != 0)...)
	for _, part := range arg(3).Items {
		b = append(b, text(4, g.Nodes[part].Text)...)
	}
	if exact := arg(4); exact.Kind == graph.Bool {
		b = append(b, number(5, uint64(exact.Int))...)
	}
	return append(b, flag(6, arg(5).Int != 0)...)
}

// zoneOf is the zone of a time that is asked for, or nothing.
func zoneOf(n graph.Node) []byte {
	if n.Kind != graph.Zone {
		return nil
	}
	return bytesOf(1, join(signedNumber(1, n.Int), textSet(2, n.Text)))
}

// unhandled is the exception of a call of the system that the client leaves.
func (s *session) unhandled(id uint64) (class, message string) {
	for _, a := range s.py.Asks() {
		if a.ID != id || a.Kind != py.AskSystem {
			continue
		}
		if a.Name == "import" && len(a.Args) > 0 {
			return "ModuleNotFoundError", fmt.Sprintf("No module named '%s'", a.Graph.Nodes[a.Args[0]].Text)
		}
		if name := clientNames[a.Name]; name != "" {
			return "RuntimeError", fmt.Sprintf("'%s' is not supported in this environment", name)
		}
		if len(a.Args) > 0 {
			return "PermissionError", fmt.Sprintf("Permission denied: '%s'", clean(a.Graph.Nodes[a.Args[0]].Text))
		}
	}
	return "RuntimeError", "the call is not supported in this environment"
}
