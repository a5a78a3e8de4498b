package modules

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"hash/crc32"
	"io"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// zlibError is zlib.error.
var zlibError = machine.NewExceptionClass("error", "zlib.error", "Exception")

const (
	deflaterBytes = 1 << 20  // about what a compressor takes
	inflaterBytes = 64 << 10 // and a decompressor
	inflatePart   = 32 << 10 // bytes that are decompressed between two payments
	deflateWork   = 16       // units that a compressed byte takes, at most
)

// defineZlib defines the module zlib, and _gzip for the module gzip.
func defineZlib(r *machine.Registry) {
	r.Module("zlib", func(mod *machine.ModuleBuilder) {
		mod.Class("error", zlibError)
		mod.Define("MAX_WBITS", machine.Int(15))
		mod.Define("DEFLATED", machine.Int(8))
		mod.Define("Z_DEFAULT_COMPRESSION", machine.Int(-1))
		mod.Define("Z_BEST_COMPRESSION", machine.Int(9))
		mod.Define("Z_BEST_SPEED", machine.Int(1))
		mod.Define("Z_NO_COMPRESSION", machine.Int(0))
		mod.Counted("crc32", 1, 2, checksum(0, func(sum uint32, part []byte) uint32 { return crc32.Update(sum, crc32.IEEETable, part) }))
		mod.Counted("adler32", 1, 2, checksum(1, adler32))
		mod.Function("compress", zlibCompress)
		mod.Function("decompress", zlibDecompress)
	})
	r.Module("_gzip", func(mod *machine.ModuleBuilder) {
		mod.Counted("compress", 3, 3, gzipCompress)
		mod.Counted("decompress", 1, 1, gzipDecompress)
	})
}

// checksum is a function of bytes and of the sum of what came before.
func checksum(start int64, update func(sum uint32, part []byte) uint32) machine.NativeFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		data, err := bytesLike(a.Arg(0))
		if err != nil {
			return machine.Value{}, err
		}
		sum := uint32(start)
		if len(a.All()) > 1 {
			v := machine.Plain(a.Arg(1))
			if !machine.IsIntegral(v) {
				return machine.Value{}, raise.Type("'%s' object cannot be interpreted as an integer", machine.TypeName(v))
			}
			if sum = uint32(v.Int()); v.BigInt() != nil {
				sum = lowBits(v)
			}
		}
		var buffer [4096]byte
		for data != "" {
			n := copy(buffer[:], data)
			if err := m.Work(n); err != nil {
				return machine.Value{}, err
			}
			sum, data = update(sum, buffer[:n]), data[n:]
		}
		return machine.Int(int64(sum)), nil
	}
}

// lowBits are the 32 lowest bits of an int that is big.
func lowBits(v machine.Value) uint32 {
	b := v.BigInt()
	low := uint32(0)
	if words := b.Bits(); len(words) > 0 {
		low = uint32(words[0])
	}
	if b.Sign() < 0 {
		return -low
	}
	return low
}

func adler32(sum uint32, part []byte) uint32 {
	const mod = 65521
	a, b := sum&0xffff, sum>>16
	for _, c := range part {
		a = (a + uint32(c)) % mod
		b = (b + a) % mod
	}
	return b<<16 | a
}

// crcHQX is the sum of BinHex: CRC-CCITT.
func crcHQX(sum uint32, part []byte) uint32 {
	sum &= 0xffff
	for _, c := range part {
		sum ^= uint32(c) << 8
		for range 8 {
			sum <<= 1
			if sum > 0xffff {
				sum ^= 0x11021
			}
		}
	}
	return sum
}

func badZlib(format string, args ...any) error { return raise.New("zlib.error", format, args...) }

// zlibCompress is zlib.compress.
func zlibCompress(m *machine.Machine, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("compress", 1, "data", "level", "wbits")
	if err != nil {
		return machine.Value{}, err
	}
	level, err := m.OptionalInt(v[1], -1)
	if err != nil {
		return machine.Value{}, err
	}
	if level < -1 || level > 9 {
		return machine.Value{}, badZlib("Bad compression level")
	}
	wbits, err := m.OptionalInt(v[2], 15)
	if err != nil {
		return machine.Value{}, err
	}
	return deflated(m, v[0], func(out io.Writer) (io.WriteCloser, error) {
		switch {
		case wbits >= 9 && wbits <= 15:
			return zlib.NewWriterLevel(out, int(level))
		case wbits <= -9 && wbits >= -15:
			return flate.NewWriter(out, int(level))
		case wbits >= 25 && wbits <= 31:
			return gzip.NewWriterLevel(out, int(level))
		}
		return nil, raise.Value("Invalid initialization option")
	})
}

// gzipCompress is gzip.compress of bytes, a level and a time.
func gzipCompress(m *machine.Machine, a machine.Args) (machine.Value, error) {
	level, err := m.OptionalInt(a.Arg(1), 9)
	if err != nil {
		return machine.Value{}, err
	}
	if level < -1 || level > 9 {
		return machine.Value{}, badZlib("Bad compression level")
	}
	mtime, err := m.OptionalInt(a.Arg(2), 0)
	if err != nil {
		return machine.Value{}, err
	}
	v, err := deflated(m, a.Arg(0), func(out io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(out, int(level)) })
	if err != nil {
		return machine.Value{}, err
	}
	b := []byte(v.Bytes().Data())
	putBits(b[4:8], uint64(mtime), false)
	return m.Bytes(string(b))
}

// deflated is what a compressor makes of bytes.
func deflated(m *machine.Machine, v machine.Value, open func(out io.Writer) (io.WriteCloser, error)) (machine.Value, error) {
	data, err := bytesLike(v)
	if err != nil {
		return machine.Value{}, err
	}
	if err := m.Alloc(deflaterBytes + 2*len(data)); err != nil {
		return machine.Value{}, err
	}
	var out bytes.Buffer
	w, err := open(&out)
	if err != nil {
		return machine.Value{}, err
	}
	for data != "" {
		n := min(len(data), inflatePart)
		if err := m.Work(deflateWork * n); err != nil {
			return machine.Value{}, err
		}
		if _, err := io.WriteString(w, data[:n]); err != nil {
			return machine.Value{}, err
		}
		data = data[n:]
	}
	if err := w.Close(); err != nil {
		return machine.Value{}, err
	}
	return m.Bytes(out.String())
}

// zlibDecompress is zlib.decompress.
func zlibDecompress(m *machine.Machine, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("decompress", 1, "data", "wbits", "bufsize")
	if err != nil {
		return machine.Value{}, err
	}
	wbits, err := m.OptionalInt(v[1], 15)
	if err != nil {
		return machine.Value{}, err
	}
	data, err := bytesLike(v[0])
	if err != nil {
		return machine.Value{}, err
	}
	zipped := strings.HasPrefix(data, "\x1f\x8b")
	return inflated(m, data, func(in io.Reader) (io.Reader, error) {
		switch {
		case wbits <= -8 && wbits >= -15:
			return flate.NewReader(in), nil
		case wbits >= 24 && wbits <= 31, wbits >= 40 && wbits <= 47 && zipped:
			g, err := gzip.NewReader(in)
			if err == nil {
				g.Multistream(false)
			}
			return g, err
		case wbits >= 8 && wbits <= 15, wbits == 0, wbits >= 40 && wbits <= 47:
			return zlib.NewReader(in)
		}
		return nil, raise.Value("Invalid initialization option")
	})
}

func gzipDecompress(m *machine.Machine, a machine.Args) (machine.Value, error) {
	data, err := bytesLike(a.Arg(0))
	if err != nil {
		return machine.Value{}, err
	}
	return inflated(m, data, func(in io.Reader) (io.Reader, error) { return gzip.NewReader(in) })
}

// inflated is what a decompressor makes of bytes. It pays part by part, so that
// a small text that stands for a huge one ends at the limit.
func inflated(m *machine.Machine, data string, open func(in io.Reader) (io.Reader, error)) (machine.Value, error) {
	if err := m.Alloc(inflaterBytes); err != nil {
		return machine.Value{}, err
	}
	r, err := open(strings.NewReader(data))
	if err != nil {
		return machine.Value{}, inflateError(err)
	}
	var out []byte
	part := make([]byte, inflatePart)
	for {
		n, err := r.Read(part)
		if paid := m.Work(2*n + 1); paid != nil {
			return machine.Value{}, paid
		}
		if len(out)+n > cap(out) {
			if paid := m.Alloc(3 * (len(out) + n)); paid != nil {
				return machine.Value{}, paid
			}
			out = append(make([]byte, 0, 2*(len(out)+n)), out...)
		}
		out = append(out, part[:n]...)
		if err == io.EOF {
			return m.Bytes(string(out))
		}
		if err != nil {
			return machine.Value{}, inflateError(err)
		}
	}
}

// inflateError is what zlib says of a text that is not what it should be.
func inflateError(err error) error {
	var corrupt flate.CorruptInputError
	var known *raise.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return badZlib("Error -5 while decompressing data: incomplete or truncated stream")
	case errors.Is(err, zlib.ErrHeader), errors.Is(err, gzip.ErrHeader):
		return badZlib("Error -3 while decompressing data: incorrect header check")
	case errors.Is(err, zlib.ErrChecksum), errors.Is(err, gzip.ErrChecksum):
		return badZlib("Error -3 while decompressing data: incorrect data check")
	case errors.As(err, &corrupt):
		return badZlib("Error -3 while decompressing data: invalid data")
	}
	return badZlib("Error -2 while decompressing data: %v", err)
}
