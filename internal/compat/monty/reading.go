package monty

import (
	"math"
	"math/big"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/value"
)

// maxNodes bounds the nodes of a message: each takes far more room than on the
// wire.
const maxNodes = 2_000_000

// readArena reads the values of a message.
func (v version) readArena(message []byte) (*graph.Graph, error) {
	g := &graph.Graph{}
	err := fields(message, func(x field) error {
		if !x.is(2) {
			return nil
		}
		body, err := x.message()
		if err != nil {
			return err
		}
		if len(g.Nodes) >= maxNodes {
			return fatalf("more than %d values in a message", maxNodes)
		}
		n, err := v.readNode(body)
		if err != nil {
			return err
		}
		for _, at := range n.Items {
			if int64(at) >= int64(len(g.Nodes)) {
				return fatalf("value %d holds value %d, which is not before it", len(g.Nodes), at)
			}
		}
		g.Nodes = append(g.Nodes, n)
		return nil
	})
	return g, err
}

// ref is a value of a message, which must be there.
func ref(g *graph.Graph, node uint32) (graph.Ref, error) {
	if int64(node) >= int64(len(g.Nodes)) {
		return graph.Ref{}, fatalf("value %d of %d", node, len(g.Nodes))
	}
	return graph.Ref{Graph: g, Root: node}, nil
}

func (v version) readNode(message []byte) (graph.Node, error) {
	n := graph.Node{Kind: kindless}
	err := fields(message, func(x field) error {
		read, err := v.nodeField(x)
		n = read
		return err
	})
	if err == nil && n.Kind == kindless {
		err = fatalf("a value without a kind")
	}
	return n, err
}

// kindless marks a node that was not read.
const kindless graph.Kind = 255

func (v version) nodeField(x field) (graph.Node, error) {
	switch x.number {
	case nodeEllipsis:
		return graph.Node{Kind: graph.Ellipsis}, nil
	case nodeNone:
		return graph.Node{Kind: graph.None}, nil
	case nodeNotImplemented:
		return graph.Node{Kind: graph.NotImplemented}, nil
	case nodeBool:
		return graph.Node{Kind: graph.Bool, Int: int64(min(x.word, 1))}, nil
	case nodeInt:
		return graph.Node{Kind: graph.Int, Int: x.signed()}, nil
	case nodeFloat:
		return graph.Node{Kind: graph.Float, Float: x.float()}, nil
	case nodeBytes:
		b, err := x.message()
		return graph.Node{Kind: graph.Bytes, Text: string(b)}, err
	case nodeStr, nodeBuiltin, nodePath, nodeDecimal:
		s, err := x.text()
		return graph.Node{Kind: textKinds[x.number], Text: s}, err
	}
	body, err := x.message()
	if err != nil {
		return graph.Node{}, err
	}
	return readObject(x.number, body)
}

var textKinds = map[protowire.Number]graph.Kind{
	nodeStr: graph.Str, nodeBuiltin: graph.Builtin, nodePath: graph.Path, nodeDecimal: graph.Decimal,
}

var listKinds = map[protowire.Number]graph.Kind{
	nodeList: graph.List, nodeTuple: graph.Tuple, nodeSet: graph.Set, nodeFrozenSet: graph.FrozenSet,
}

// readObject reads the kinds that are messages.
func readObject(number protowire.Number, body []byte) (n graph.Node, err error) {
	switch number {
	case nodeBig:
		n, err = readBig(body)
	case nodeList, nodeTuple, nodeSet, nodeFrozenSet:
		n.Kind = listKinds[number]
		err = fields(body, func(x field) error { n.Items, err = x.indexes(n.Items); return err })
	case nodeNamedTuple:
		n, err = readNamedTuple(body)
	case nodeDict:
		n.Kind = graph.Dict
		err = fields(body, func(x field) error { return readPair(x, &n) })
	case nodeDate, nodeTime, nodeDateTime, nodeTimedelta:
		n, err = readMoment(number, body)
	case nodeZone, nodeException, nodeFunction:
		n, err = readNaming(number, body)
	case nodeType:
		n, err = readType(body)
	case nodeFile:
		n, err = readFile(body)
	case nodeInstance, nodeModule:
		n, err = readHosted(number, body)
	default:
		return n, unsupported(number)
	}
	return n, err
}

// refused is a request that is well formed and cannot be done: an exception in
// the session, not the end of the connection.
type refused struct{ class, message string }

func (r refused) Error() string { return r.class + ": " + r.message }

func unsupported(number protowire.Number) error {
	what := map[protowire.Number]string{
		31: "a complex number",
		10: "a UUID", nodeRepr: "a repr", nodeCycle: "a cycle",
	}[number]
	if what == "" {
		return fatalf("a value of the unknown kind %d", number)
	}
	return refused{"TypeError", what + " cannot enter this sandbox"}
}

func readBig(body []byte) (graph.Node, error) {
	n := graph.Node{Kind: graph.Big, Big: new(big.Int)}
	negative := false
	err := fields(body, func(x field) error {
		switch x.number {
		case 1:
			negative = x.word != 0
		case 2:
			b, err := x.message()
			n.Big.SetBytes(b)
			return err
		}
		return nil
	})
	if negative {
		n.Big.Neg(n.Big)
	}
	if n.Big.IsInt64() {
		return graph.Node{Kind: graph.Int, Int: n.Big.Int64()}, err
	}
	return n, err
}

func readNamedTuple(body []byte) (graph.Node, error) {
	n := graph.Node{Kind: graph.NamedTuple}
	err := fields(body, func(x field) (err error) {
		switch x.number {
		case 1:
			n.Text, err = x.text()
		case 2:
			var name string
			name, err = x.text()
			n.Names = append(n.Names, name)
		case 3:
			n.Items, err = x.indexes(n.Items)
		}
		return err
	})
	if err == nil && len(n.Names) != len(n.Items) {
		err = fatalf("a named tuple of %d names and %d values", len(n.Names), len(n.Items))
	}
	return n, err
}

func readPair(x field, n *graph.Node) error {
	body, err := x.message()
	if err != nil {
		return err
	}
	var pair [2]uint32
	err = fields(body, func(x field) error {
		if x.number == 1 || x.number == 2 {
			pair[x.number-1] = x.index()
		}
		return nil
	})
	n.Items = append(n.Items, pair[:]...)
	return err
}

// readNaming reads what is a name or a number, and another text.
func readNaming(number protowire.Number, body []byte) (graph.Node, error) {
	n := graph.Node{Kind: map[protowire.Number]graph.Kind{
		nodeZone: graph.Zone, nodeException: graph.Exception, nodeFunction: graph.Function,
	}[number]}
	err := fields(body, func(x field) (err error) {
		switch {
		case x.is(1) && number == nodeZone:
			n.Int = int64(int32(x.word))
		case x.is(2) && number == nodeZone, x.is(1):
			n.Text, err = x.text()
		case x.is(2):
			var more string
			more, err = x.text()
			n.Names = []string{more}
		}
		return err
	})
	if n.Kind == graph.Zone && (n.Int <= -86400 || n.Int >= 86400) {
		err = fatalf("a zone of %d seconds", n.Int)
	}
	return n, err
}

func readType(body []byte) (graph.Node, error) {
	n := graph.Node{Kind: graph.BuiltinType}
	origin := uint64(0)
	err := fields(body, func(x field) (err error) {
		switch x.number {
		case 1:
			n.Text, err = x.text()
		case 2:
			n.Host, err = readUUID(x)
		case 3:
			origin = x.word
		case 4:
			n.Data = x.word != 0
		case 5:
			err = readPairs(x, &n)
		}
		return err
	})
	switch {
	case err != nil || origin == typeBuiltin:
	case origin == typeHost && n.Host != "":
		n.Kind = graph.Class
	case origin == typeSandbox && n.Host != "":
		n.Kind, n.Items = graph.Class, nil
		if comeBack(&n); n.Host != "" {
			err = refused{"TypeError", "a class of another session cannot enter this one"}
		}
	default:
		err = refused{"TypeError", "a class of no known origin cannot enter this sandbox"}
	}
	return n, err
}

// fileModes are the modes of open files.
var fileModes = []string{"r", "rb", "r+", "rb+", "w", "wb", "w+", "wb+", "a", "ab", "a+", "ab+"}

func readFile(body []byte) (graph.Node, error) {
	n := graph.Node{Kind: graph.File, Names: []string{""}}
	err := fields(body, func(x field) (err error) {
		switch x.number {
		case 1:
			n.Text, err = x.text()
		case 2:
			n.Names[0], err = x.text()
		case 3:
			n.Int = int64(min(x.word, math.MaxInt64))
		}
		return err
	})
	if err == nil && !slices.Contains(fileModes, n.Names[0]) {
		err = fatalf("a file that is open in the mode %.20q", n.Names[0])
	}
	return n, err
}

// readHosted reads an instance of a class of the client, or a module of it. They
// differ in what comes first: the class, or the name.
func readHosted(number protowire.Number, body []byte) (graph.Node, error) {
	n := graph.Node{Kind: graph.Module}
	first := func(x field) (err error) {
		n.Text, err = x.text()
		return err
	}
	if number == nodeInstance {
		n = graph.Node{Kind: graph.Instance, Items: []uint32{0}}
		first = func(x field) error {
			n.Items[0] = x.index()
			return nil
		}
	}
	err := fields(body, func(x field) (err error) {
		switch x.number {
		case 1:
			err = first(x)
		case 2:
			n.Host, err = readUUID(x)
		case 3:
			err = readPairs(x, &n)
		}
		return err
	})
	if err == nil && n.Host == "" {
		err = fatalf("an instance or a module without an identity")
	}
	if n.Kind == graph.Instance {
		comeBack(&n)
	}
	return n, err
}

// readPairs reads names and values.
func readPairs(x field, n *graph.Node) error {
	body, err := x.message()
	if err != nil {
		return err
	}
	return fields(body, func(x field) error { return readPair(x, n) })
}

// readMoment reads a date, a time or what lies between.
func readMoment(number protowire.Number, body []byte) (graph.Node, error) {
	n := graph.Node{Kind: graph.Moment}
	var v [10]int64
	aware := false
	name := protowire.Number(map[protowire.Number]int{nodeTime: 6, nodeDateTime: 9}[number])
	err := fields(body, func(x field) (err error) {
		if x.number < 1 || int(x.number) >= len(v) {
			return nil
		}
		if x.number == name {
			n.Text, err = x.text()
			return err
		}
		v[x.number] = int64(int32(x.word))
		aware = aware || x.number == name-1
		return nil
	})
	if err != nil {
		return n, err
	}
	switch number {
	case nodeDate:
		n.Time = value.Date{Year: int(v[1]), Month: time.Month(v[2]), Day: int(v[3])}
	case nodeTimedelta:
		n.Time = value.Timedelta{Days: int(v[1]), Seconds: int(v[2]), Microseconds: int(v[3])}
	case nodeTime:
		n.Time = value.TimeOfDay{Clock: since(v[1:5]), Aware: aware, Offset: time.Duration(v[5]) * time.Second}
	case nodeDateTime:
		if v[1] < 1 || v[1] > 9999 {
			return n, fatalf("a year of %d", v[1])
		}
		wall := time.Date(int(v[1]), time.Month(v[2]), int(v[3]), 0, 0, 0, 0, time.UTC)
		if int64(wall.Month()) != v[2] || int64(wall.Day()) != v[3] {
			return n, fatalf("a date that there is not")
		}
		n.Time = value.DateTime{Wall: wall.Add(since(v[4:8])), Aware: aware, Offset: time.Duration(v[8]) * time.Second}
	}
	if !slices.ContainsFunc(v[:], func(n int64) bool { return n > math.MaxInt32 }) {
		if _, err := value.Normalize(value.Type{Kind: value.KindAny}, n.Time); err == nil {
			return n, nil
		}
	}
	return n, fatalf("a time that there is not")
}

// since is a time of the day, of hours, minutes, seconds and microseconds.
func since(v []int64) time.Duration {
	return time.Duration(v[0])*time.Hour + time.Duration(v[1])*time.Minute + time.Duration(v[2])*time.Second + time.Duration(v[3])*time.Microsecond
}
