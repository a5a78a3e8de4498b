package monty

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/value"
)

// The numbers of the fields of a node.
const (
	nodeEllipsis       = 1
	nodeNone           = 2
	nodeNotImplemented = 3
	nodeBool           = 4
	nodeInt            = 5
	nodeBig            = 6
	nodeFloat          = 7
	nodeStr            = 8
	nodeBytes          = 9
	nodeList           = 11
	nodeTuple          = 12
	nodeNamedTuple     = 13
	nodeDict           = 14
	nodeSet            = 15
	nodeFrozenSet      = 16
	nodeDate           = 17
	nodeTime           = 18
	nodeDateTime       = 19
	nodeTimedelta      = 20
	nodeZone           = 21
	nodeException      = 22
	nodeType           = 23
	nodeInstance       = 24
	nodeFunction       = 25
	nodeBuiltin        = 26
	nodePath           = 27
	nodeFile           = 28
	nodeRepr           = 29
	nodeCycle          = 30
	nodeModule         = 32
	nodeDecimal        = 33
)

// The origins of a type.
const (
	typeBuiltin = 1
	typeSandbox = 2
	typeHost    = 3
)

// clientTypes are the types, beside exceptions, that a client knows by name.
var clientTypes = []string{
	"type", "NoneType", "bool", "int", "float", "range", "slice", "str", "bytes", "list", "tuple", "dict", "set", "frozenset", "object",
	"property", "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "datetime.timezone", "collections.deque",
	"decimal.Decimal", "functools.partial",
}

// containers are the kinds that hold indexes alone.
var containers = map[graph.Kind]protowire.Number{
	graph.List: nodeList, graph.Tuple: nodeTuple, graph.Set: nodeSet, graph.FrozenSet: nodeFrozenSet,
}

// arena writes a graph. What a version cannot carry goes as its repr.
func (v version) arena(g *graph.Graph) []byte {
	if g == nil || len(g.Nodes) == 0 {
		return nil
	}
	b := number(1, uint64(len(g.Nodes)))
	for i := range g.Nodes {
		b = append(b, bytesOf(2, v.node(&g.Nodes[i]))...)
	}
	return b
}

func (v version) node(n *graph.Node) []byte {
	switch n.Kind {
	case graph.None:
		return bytesOf(nodeNone, nil)
	case graph.Ellipsis:
		return bytesOf(nodeEllipsis, nil)
	case graph.NotImplemented:
		return bytesOf(nodeNotImplemented, nil)
	case graph.Bool:
		return number(nodeBool, uint64(n.Int))
	case graph.Int:
		return number(nodeInt, protowire.EncodeZigZag(n.Int))
	case graph.Big:
		return bytesOf(nodeBig, join(sign(n.Big), bytesOf(2, n.Big.Bytes())))
	case graph.Float:
		return float(nodeFloat, n.Float)
	case graph.Str:
		return text(nodeStr, n.Text)
	case graph.Bytes:
		return bytesOf(nodeBytes, []byte(n.Text))
	case graph.Decimal:
		if !v.decimals {
			return text(nodeRepr, fmt.Sprintf("Decimal('%s')", n.Text))
		}
		return text(nodeDecimal, n.Text)
	case graph.List, graph.Tuple, graph.Set, graph.FrozenSet:
		return bytesOf(containers[n.Kind], packed(1, n.Items))
	case graph.Dict:
		return bytesOf(nodeDict, pairs(1, n.Items))
	case graph.Cycle:
		return text(nodeCycle, n.Text)
	}
	return object(n)
}

func sign(n *big.Int) []byte {
	if n.Sign() < 0 {
		return number(1, 1)
	}
	return nil
}

// object writes the rarer kinds.
func object(n *graph.Node) []byte {
	switch n.Kind {
	case graph.NamedTuple:
		b := text(1, n.Text)
		for _, name := range n.Names {
			b = append(b, text(2, name)...)
		}
		return bytesOf(nodeNamedTuple, join(b, packed(3, n.Items)))
	case graph.Moment:
		return moment(n)
	case graph.Zone:
		return bytesOf(nodeZone, join(signedNumber(1, n.Int), textSet(2, n.Text)))
	case graph.Exception:
		b := text(1, known(n.Classes))
		if len(n.Names) > 0 {
			b = append(b, text(2, n.Names[0])...)
		}
		return bytesOf(nodeException, b)
	case graph.BuiltinType:
		if !slices.Contains(clientTypes, n.Text) && !slices.Contains(plainClasses, n.Text) {
			return text(nodeRepr, fmt.Sprintf("<class '%s'>", n.Text))
		}
		return bytesOf(nodeType, join(text(1, n.Text), number(3, typeBuiltin)))
	case graph.Class:
		if n.Host != "" {
			return bytesOf(nodeType, join(text(1, n.Text), uuid(2, n.Host), number(3, typeHost), flag(4, n.Data), bytesOf(5, pairs(1, n.Items))))
		}
		return bytesOf(nodeType, join(text(1, n.Text), identity(2, n.ID), number(3, typeSandbox), flag(4, n.Data)))
	case graph.Instance:
		if n.Host != "" {
			return bytesOf(nodeInstance, join(number(1, uint64(n.Items[0])), uuid(2, n.Host), bytesOf(3, pairs(1, n.Items[1:]))))
		}
		return bytesOf(nodeInstance, join(number(1, uint64(n.Items[0])), identity(2, n.ID), bytesOf(3, pairs(1, n.Items[1:]))))
	case graph.Module:
		return bytesOf(nodeModule, join(text(1, n.Text), uuid(2, n.Host), bytesOf(3, pairs(1, n.Items))))
	case graph.Function:
		b := text(1, n.Text)
		if len(n.Names) > 0 {
			b = append(b, text(2, n.Names[0])...)
		}
		return bytesOf(nodeFunction, b)
	case graph.Builtin:
		return text(nodeBuiltin, n.Text)
	case graph.Path:
		return text(nodePath, n.Text)
	case graph.File:
		return bytesOf(nodeFile, join(text(1, n.Text), text(2, n.Names[0]), numberSet(3, uint64(n.Int))))
	}
	return text(nodeRepr, n.Text)
}

func flag(n protowire.Number, yes bool) []byte {
	if !yes {
		return nil
	}
	return number(n, 1)
}

// uuid is the identity of what the client defined.
func uuid(n protowire.Number, id string) []byte { return bytesOf(n, bytesOf(1, []byte(id))) }

func readUUID(x field) (string, error) {
	body, err := x.message()
	if err != nil {
		return "", err
	}
	id := ""
	err = fields(body, func(x field) error {
		b, err := x.message()
		id = string(b)
		return err
	})
	if err == nil && len(id) != 16 {
		err = fatalf("an identity of %d bytes", len(id))
	}
	return id, err
}

// identity is a Uuid made of the number of an object in its session.
func identity(n protowire.Number, id uint64) []byte {
	return uuid(n, string(binary.BigEndian.AppendUint64([]byte(ownIdentity), ownVariant|id&ownNumber)))
}

// An identity of an object of a session is eight bytes that make it a UUID, and a
// number.
const (
	ownIdentity = "glovebOx"
	ownVariant  = 0x80 << 56
	ownNumber   = 1<<56 - 1
)

// comeBack turns what a client sends with the identity of an object of the
// session into that object. Sessions and clients count apart, so a client has no
// such identities of its own.
func comeBack(n *graph.Node) {
	rest, ok := strings.CutPrefix(n.Host, ownIdentity)
	if !ok {
		return
	}
	id := []byte(n.Host)
	if n.Kind == graph.Instance {
		n.Text = fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
		n.Items = n.Items[:1]
	}
	n.ID, n.Host = binary.BigEndian.Uint64([]byte(rest))&ownNumber, ""
}

// pairs writes items that are a key and its value in turn.
func pairs(n protowire.Number, items []uint32) []byte {
	var b []byte
	for i := 0; i+1 < len(items); i += 2 {
		b = append(b, bytesOf(n, join(numberSet(1, uint64(items[i])), numberSet(2, uint64(items[i+1]))))...)
	}
	return b
}

func moment(n *graph.Node) []byte {
	switch x := n.Time.(type) {
	case value.Date:
		return bytesOf(nodeDate, day(x.Year, int(x.Month), x.Day))
	case value.Timedelta:
		return bytesOf(nodeTimedelta, join(signedNumber(1, int64(x.Days)), signedNumber(2, int64(x.Seconds)), signedNumber(3, int64(x.Microseconds))))
	case value.DateTime:
		w := x.Wall
		return bytesOf(nodeDateTime, join(day(w.Year(), int(w.Month()), w.Day()), clock(4, w), zone(8, x.Aware, x.Offset, n.Text)))
	case value.TimeOfDay:
		return bytesOf(nodeTime, join(clock(1, time.Time{}.Add(x.Clock)), zone(5, x.Aware, x.Offset, n.Text)))
	}
	return text(nodeRepr, "")
}

func day(year, month, day int) []byte {
	return join(number(1, uint64(year)), number(2, uint64(month)), number(3, uint64(day)))
}

// clock writes four fields from n on.
func clock(n protowire.Number, t time.Time) []byte {
	return join(numberSet(n, uint64(t.Hour())), numberSet(n+1, uint64(t.Minute())), numberSet(n+2, uint64(t.Second())),
		numberSet(n+3, uint64(t.Nanosecond()/1000)))
}

func zone(n protowire.Number, aware bool, offset time.Duration, name string) []byte {
	if !aware {
		return nil
	}
	return join(signedNumber(n, int64(offset/time.Second)), textSet(n+1, name))
}

// Reading.

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
