package monty

import (
	"encoding/binary"
	"fmt"
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
