package machine

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"hash/crc32"
	"io"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// zlibError is zlib.error.
var zlibError = moduleException("error", "zlib.error", "Exception")

const (
	deflaterBytes = 1 << 20  // about what a compressor takes
	inflaterBytes = 64 << 10 // and a decompressor
	inflatePart   = 32 << 10 // bytes that are decompressed between two payments
	deflateWork   = 16       // units that a compressed byte takes, at most
)

// defineZlib defines the module zlib, and _gzip for the module gzip.
func defineZlib(r *registry) {
	r.nativeModule("zlib", func(mod *moduleMaker) {
		mod.class("error", zlibError)
		mod.define("MAX_WBITS", Int(15))
		mod.define("DEFLATED", Int(8))
		mod.define("Z_DEFAULT_COMPRESSION", Int(-1))
		mod.define("Z_BEST_COMPRESSION", Int(9))
		mod.define("Z_BEST_SPEED", Int(1))
		mod.define("Z_NO_COMPRESSION", Int(0))
		mod.counted("crc32", 1, 2, checksum(0, func(sum uint32, part []byte) uint32 { return crc32.Update(sum, crc32.IEEETable, part) }))
		mod.counted("adler32", 1, 2, checksum(1, adler32))
		mod.function("compress", zlibCompress)
		mod.function("decompress", zlibDecompress)
	})
	r.nativeModule("_gzip", func(mod *moduleMaker) {
		mod.counted("compress", 3, 3, gzipCompress)
		mod.counted("decompress", 1, 1, gzipDecompress)
	})
}

// checksum is a function of bytes and of the sum of what came before.
func checksum(start int64, update func(sum uint32, part []byte) uint32) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		data, err := bytesLike(a.v[0])
		if err != nil {
			return Value{}, err
		}
		sum := uint32(start)
		if len(a.v) > 1 {
			v := plain(a.v[1])
			if !isIntegral(v) {
				return Value{}, raise.Type("'%s' object cannot be interpreted as an integer", typeName(v))
			}
			if sum = uint32(v.n); v.big() != nil {
				sum = lowBits(v)
			}
		}
		var buffer [4096]byte
		for data != "" {
			n := copy(buffer[:], data)
			if err := m.Work(n); err != nil {
				return Value{}, err
			}
			sum, data = update(sum, buffer[:n]), data[n:]
		}
		return Int(int64(sum)), nil
	}
}

// lowBits are the 32 lowest bits of an int that is big.
func lowBits(v Value) uint32 {
	b := v.big().v
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
func zlibCompress(m *Machine, a Args) (Value, error) {
	v, err := a.bind("compress", 1, "data", "level", "wbits")
	if err != nil {
		return Value{}, err
	}
	level, err := m.boundInt(v[1], -1)
	if err != nil {
		return Value{}, err
	}
	if level < -1 || level > 9 {
		return Value{}, badZlib("Bad compression level")
	}
	wbits, err := m.boundInt(v[2], 15)
	if err != nil {
		return Value{}, err
	}
	return m.deflated(v[0], func(out io.Writer) (io.WriteCloser, error) {
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
func gzipCompress(m *Machine, a Args) (Value, error) {
	level, err := m.boundInt(a.v[1], 9)
	if err != nil {
		return Value{}, err
	}
	if level < -1 || level > 9 {
		return Value{}, badZlib("Bad compression level")
	}
	mtime, err := m.boundInt(a.v[2], 0)
	if err != nil {
		return Value{}, err
	}
	v, err := m.deflated(a.v[0], func(out io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(out, int(level)) })
	if err != nil {
		return Value{}, err
	}
	b := []byte(v.bytes().b)
	putBits(b[4:8], uint64(mtime), false)
	return m.bytes(string(b))
}

// deflated is what a compressor makes of bytes.
func (m *Machine) deflated(v Value, open func(out io.Writer) (io.WriteCloser, error)) (Value, error) {
	data, err := bytesLike(v)
	if err != nil {
		return Value{}, err
	}
	if err := m.Alloc(deflaterBytes + 2*len(data)); err != nil {
		return Value{}, err
	}
	var out bytes.Buffer
	w, err := open(&out)
	if err != nil {
		return Value{}, err
	}
	for data != "" {
		n := min(len(data), inflatePart)
		if err := m.Work(deflateWork * n); err != nil {
			return Value{}, err
		}
		if _, err := io.WriteString(w, data[:n]); err != nil {
			return Value{}, err
		}
		data = data[n:]
	}
	if err := w.Close(); err != nil {
		return Value{}, err
	}
	return m.bytes(out.String())
}

// zlibDecompress is zlib.decompress.
func zlibDecompress(m *Machine, a Args) (Value, error) {
	v, err := a.bind("decompress", 1, "data", "wbits", "bufsize")
	if err != nil {
		return Value{}, err
	}
	wbits, err := m.boundInt(v[1], 15)
	if err != nil {
		return Value{}, err
	}
	data, err := bytesLike(v[0])
	if err != nil {
		return Value{}, err
	}
	zipped := strings.HasPrefix(data, "\x1f\x8b")
	return m.inflated(data, func(in io.Reader) (io.Reader, error) {
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

func gzipDecompress(m *Machine, a Args) (Value, error) {
	data, err := bytesLike(a.v[0])
	if err != nil {
		return Value{}, err
	}
	return m.inflated(data, func(in io.Reader) (io.Reader, error) { return gzip.NewReader(in) })
}

// inflated is what a decompressor makes of bytes. It pays part by part, so that
// a small text that stands for a huge one ends at the limit.
func (m *Machine) inflated(data string, open func(in io.Reader) (io.Reader, error)) (Value, error) {
	if err := m.Alloc(inflaterBytes); err != nil {
		return Value{}, err
	}
	r, err := open(strings.NewReader(data))
	if err != nil {
		return Value{}, inflateError(err)
	}
	var out []byte
	part := make([]byte, inflatePart)
	for {
		n, err := r.Read(part)
		if paid := m.Work(2*n + 1); paid != nil {
			return Value{}, paid
		}
		if len(out)+n > cap(out) {
			if paid := m.Alloc(3 * (len(out) + n)); paid != nil {
				return Value{}, paid
			}
			out = append(make([]byte, 0, 2*(len(out)+n)), out...)
		}
		out = append(out, part[:n]...)
		if err == io.EOF {
			return m.bytes(string(out))
		}
		if err != nil {
			return Value{}, inflateError(err)
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
