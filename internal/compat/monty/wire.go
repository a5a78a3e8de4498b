package monty

import (
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// The messages are few and small, so they are read and written field by field:
// no code is generated, and nothing is decoded that is not used.

// field is one field of a message.
type field struct {
	number protowire.Number
	wire   protowire.Type
	word   uint64 // of a varint or a fixed number
	bytes  []byte // of everything else
}

// fields calls f for each field of a message, in their order.
func fields(message []byte, f func(field) error) error {
	for len(message) > 0 {
		number, wire, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fatalf("a message that is no protobuf: %v", protowire.ParseError(n))
		}
		message = message[n:]
		x := field{number: number, wire: wire}
		switch wire {
		case protowire.VarintType:
			x.word, n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			x.word, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			x.bytes, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, wire, message)
		}
		if n < 0 {
			return fatalf("field %d is cut off: %v", number, protowire.ParseError(n))
		}
		message = message[n:]
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

// message returns the content of a field that is one.
func (x field) message() ([]byte, error) {
	if x.wire != protowire.BytesType {
		return nil, fatalf("field %d is no message", x.number)
	}
	return x.bytes, nil
}

// text returns the content of a field that is a string.
func (x field) text() (string, error) {
	if x.wire != protowire.BytesType || !utf8.Valid(x.bytes) {
		return "", fatalf("field %d is no text", x.number)
	}
	return string(x.bytes), nil
}

func (x field) signed() int64   { return protowire.DecodeZigZag(x.word) }
func (x field) float() float64  { return math.Float64frombits(x.word) }
func (x field) index() uint32   { return uint32(min(x.word, math.MaxUint32)) }
func (x field) is(v int32) bool { return int32(x.number) == v }

// indexes appends numbers that may be packed.
func (x field) indexes(to []uint32) ([]uint32, error) {
	if x.wire == protowire.VarintType {
		return append(to, x.index()), nil
	}
	for b := x.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return nil, fatalf("field %d is cut off", x.number)
		}
		to = append(to, uint32(min(v, math.MaxUint32)))
		b = b[n:]
	}
	return to, nil
}

// The functions below write fields. What has its default is left out by
// those that end in Set.

func number(n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
}

func numberSet(n protowire.Number, v uint64) []byte {
	if v == 0 {
		return nil
	}
	return number(n, v)
}

func bytesOf(n protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), b)
}

func text(n protowire.Number, s string) []byte { return bytesOf(n, []byte(valid(s))) }

func textSet(n protowire.Number, s string) []byte {
	if s == "" {
		return nil
	}
	return text(n, s)
}

// packed is a field of numbers.
func packed(n protowire.Number, items []uint32) []byte {
	if len(items) == 0 {
		return nil
	}
	var b []byte
	for _, i := range items {
		b = protowire.AppendVarint(b, uint64(i))
	}
	return bytesOf(n, b)
}

// signedNumber is an int32 field, whose negative numbers take ten bytes.
func signedNumber(n protowire.Number, v int64) []byte { return number(n, uint64(v)) }

func float(n protowire.Number, v float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, n, protowire.Fixed64Type), math.Float64bits(v))
}

// join puts fields one after another.
func join(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// valid makes text that may have lone surrogates fit for protobuf.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
