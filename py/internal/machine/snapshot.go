package machine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math/big"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/code"
)

// The format of snapshots is described in docs/SNAPSHOT.md.

// snapshotMagic begins every snapshot; its last byte is the number of the
// format.
const snapshotMagic = "GBX\x01"

// keyedBytes is the length of the HMAC-SHA256 that ends a snapshot with a key.
const keyedBytes = sha256.Size

// The errors of Load.
var (
	ErrCorrupt  = errors.New("snapshot: the data is corrupt")
	ErrKey      = errors.New("snapshot: it was not made with this key")
	ErrFormat   = errors.New("snapshot: it has a format that this version does not know")
	ErrProgram  = errors.New("snapshot: it belongs to another program, or to one with other tools or inputs")
	ErrSnapshot = errors.New("snapshot: the instance is running")
)

// Snapshot returns the state of an instance that is not running. With a key
// that is not empty it ends with an HMAC-SHA256 of the rest, without which Load
// with that key refuses it.
func (m *Machine) Snapshot(key []byte) ([]byte, error) {
	if m.status == Running && !m.stopped() {
		return nil, ErrSnapshot
	}
	s := saver{m: m, b: make([]byte, 0, max(192, m.saved+m.saved/8))}
	s.begin()
	s.b = append(s.b, snapshotMagic...)
	s.b = binary.LittleEndian.AppendUint64(s.b, m.program.digest())
	s.machine()
	s.drain()
	if s.err != nil {
		return nil, s.err
	}
	m.saved = len(s.b)
	if len(key) > 0 {
		s.b = append(s.b, tag(key, s.b)...)
	}
	return s.b, nil
}

// stopped reports whether the instance stands between two instructions.
func (m *Machine) stopped() bool { return m.ctx == nil && len(m.frames) > 0 }

func tag(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(data)
	return h.Sum(nil)
}

// Load makes an instance of p of a snapshot, which may come from anyone: what
// it makes is an instance that a program could have made, or an error. Its
// values are charged to limits.Memory.
//
// Without a key nothing says that the values, File, Dir and DataFrame included,
// are those that an instance had. Load does not notice that a snapshot is
// loaded twice.
func Load(p *Program, data, key []byte, limits Limits, host Host) (*Machine, error) {
	if len(key) > 0 {
		n := len(data) - keyedBytes
		if n < 0 || !hmac.Equal(data[n:], tag(key, data[:n])) {
			return nil, ErrKey
		}
		data = data[:n]
	}
	if len(data) < len(snapshotMagic)+8 || string(data[:3]) != snapshotMagic[:3] {
		return nil, ErrCorrupt
	}
	if data[3] != snapshotMagic[3] {
		return nil, ErrFormat
	}
	data = data[len(snapshotMagic):]
	if binary.LittleEndian.Uint64(data) != p.digest() {
		return nil, ErrProgram
	}
	l := loader{m: newMachine(p, limits, host), in: data[8:]}
	l.objects = make([]Value, 0, 8+len(l.in)/24)
	return l.load()
}

// sum is the digest of a module's code, made when it is first needed.
type sum struct {
	once  sync.Once
	value uint64
}

// digest identifies the program: its code, that of the prelude, its inputs and
// its tools.
func (p *Program) digest() uint64 {
	p.sum.once.Do(func() {
		h := sha256.New()
		fmt.Fprintf(h, "%x %x %q", p.Main.digest(), known.prelude.code.digest(), p.Inputs)
		for _, t := range p.Tools {
			fmt.Fprintf(h, "%q", t.Signature())
		}
		p.sum.value = binary.LittleEndian.Uint64(h.Sum(nil))
	})
	return p.sum.value
}

// digest identifies the code of a module: the places where its frames can
// stand and what they would do from there.
func (mod *Module) digest() uint64 {
	mod.sum.once.Do(func() {
		h := sha256.New()
		for _, feed := range mod.feeds {
			fmt.Fprintf(h, "%x ", feed.digest())
		}
		fmt.Fprintf(h, "%q %q", mod.code.Source, mod.code.Globals)
		for _, c := range mod.code.Codes {
			digestCode(h, c)
		}
		mod.sum.value = binary.LittleEndian.Uint64(h.Sum(nil))
	})
	return mod.sum.value
}

func digestCode(h hash.Hash, c *code.Code) {
	fmt.Fprintf(h, "%q %d %d %d %d %d %d %d %q", c.QualName, c.Flags, c.PosOnly, c.Pos, c.KwOnly, c.Locals, c.Regs, len(c.Captures), c.Params)
	words := make([]byte, 0, 4*len(c.Instrs))
	for _, i := range c.Instrs {
		words = binary.LittleEndian.AppendUint32(words, uint32(i))
	}
	h.Write(words)
	h.Write(c.Tops)
	fmt.Fprint(h, c.Handlers, c.Handling)
	for _, k := range c.Consts {
		digestConst(h, k)
	}
}

func digestConst(h hash.Hash, k any) {
	switch k := k.(type) {
	case *code.Code:
		fmt.Fprintf(h, "code %d", k.Index)
	case *big.Int:
		fmt.Fprintf(h, "%x", k.Bytes())
	case code.Tuple:
		fmt.Fprintf(h, "tuple %d", len(k))
		for _, item := range k {
			digestConst(h, item)
		}
	default:
		fmt.Fprintf(h, "%T %v;", k, k)
	}
}

// The tags that begin a value. Tags from tagSmall on are ints.
const (
	tagUnbound = iota
	tagNone
	tagFalse
	tagTrue
	tagInt        // zigzag varint
	tagFloat      // eight bytes
	tagSeen       // an object that occurred before: its number
	tagEllipsis   //
	tagNotImpl    // NotImplemented
	tagTool       // its index
	tagBuiltin    // a built-in object that occurs for the first time: its id
	tagKnown      // a built-in object that occurred before: its number among these
	tagEmptyTuple // the empty tuple
	tagPrelude    // the module of the prelude
	tagStr        // text
	tagConst      // a str that belongs to a program: text
	tagBytes      // its content
	tagBig        // sign and magnitude
	tagLost       // before a key: its hash is not known any more
	tagObject     // + kind: an object whose content follows when its turn comes
	tagSmall      = tagObject + int(KindCount)
	smallMin      = -8
	smallCount    = 256 - tagSmall
)

// savedState says what follows the digest.
type savedState uint8

const (
	savedReady savedState = iota
	savedStopped
	savedWaiting
	savedDone
	savedFailed
	savedCount
)

// The ways to fail.
const (
	failedLimit = iota
	failedException
	failedRaise
	failedText
)

// frameWhat says what a frame runs.
const (
	frameModule = iota
	frameFunction
	frameGenerator
)

// The origin of the code of a module.
const (
	moduleMain = iota
	moduleBundled
	moduleNative
)

// used is what an instance used, in the order of the format.
func (m *Machine) used() []int64 {
	return []int64{m.steps, m.peak, int64(m.elapsed / time.Microsecond), int64(m.serials), int64(m.wait.serial)}
}
