package text

import (
	"math"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// FloatHex is float.hex: 13 digits always, and 0x0. for what is subnormal.
func FloatHex(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return FloatRepr(f)
	}
	bits := math.Float64bits(f)
	sign, lead := "", byte('1')
	if bits>>63 != 0 {
		sign = "-"
	}
	exponent, fraction := int(bits>>52&0x7FF)-1023, bits&(1<<52-1)
	if f == 0 {
		return sign + "0x0.0p+0"
	}
	if exponent == -1023 {
		lead, exponent = '0', -1022
	}
	digits := strconv.FormatUint(1<<52|fraction, 16)[1:]
	plus := "+"
	if exponent < 0 {
		plus = ""
	}
	return sign + "0x" + string(lead) + "." + digits + "p" + plus + strconv.Itoa(exponent)
}

// FloatFromHex is float.fromhex.
func FloatFromHex(m budget.Meter, s Str) (float64, error) {
	t, err := StripSpace(m, Bytes(s.S), Both)
	if err != nil {
		return 0, err
	}
	if f, ok := special(t); ok {
		return f, nil
	}
	if err := work(m, times(4, len(t))); err != nil {
		return 0, err
	}
	h := hexFloat{}
	if !h.scan(t) {
		return 0, raise.Value("invalid hexadecimal floating-point string")
	}
	return h.value()
}

// hexFloat is the text of a hexadecimal float taken apart.
type hexFloat struct {
	negative        bool
	whole, fraction string
	exponent        int
}

func (h *hexFloat) scan(t string) bool {
	t, h.negative = cutSign(t)
	if len(t) >= 2 && t[0] == '0' && lowerByte(t[1]) == 'x' {
		t = t[2:]
	}
	h.whole, t = cutHex(t)
	if t != "" && t[0] == '.' {
		h.fraction, t = cutHex(t[1:])
	}
	if h.whole+h.fraction == "" {
		return false
	}
	if t == "" {
		return true
	}
	if lowerByte(t[0]) != 'p' {
		return false
	}
	t, negative := cutSign(t[1:])
	n, rest := cutDigits(t)
	if n <= 0 || rest != "" || strings.Contains(t, "_") {
		return false
	}
	e, err := strconv.Atoi(t)
	if err != nil || e > math.MaxInt32*64 {
		e = math.MaxInt32 * 64 // far beyond any float, and safe to add to
	}
	if h.exponent = e; negative {
		h.exponent = -e
	}
	return true
}

func cutHex(t string) (string, string) {
	i := 0
	for ; i < len(t); i++ {
		if d, ok := digitOf(t[i]); !ok || d > 15 {
			break
		}
	}
	return t[:i], t[i:]
}

// value rounds the digits to a float: the first 64 bits count, and whether any
// bit follows.
func (h *hexFloat) value() (float64, error) {
	whole := strings.TrimLeft(h.whole, "0")
	exponent := h.exponent + 4*len(whole)
	fraction := h.fraction
	if whole == "" {
		fraction = strings.TrimLeft(fraction, "0")
		exponent -= 4 * (len(h.fraction) - len(fraction))
	}
	digits := len(whole) + len(fraction)
	if digits == 0 {
		return h.sign(0), nil
	}
	var bits uint64
	rest := false
	for i := 0; i < digits; i++ {
		c := byte(0)
		if i < len(whole) {
			c = whole[i]
		} else {
			c = fraction[i-len(whole)]
		}
		d, _ := digitOf(c)
		if i < 15 {
			bits = bits<<4 | uint64(d)
		} else if d != 0 {
			rest = true
		}
	}
	kept := min(digits, 15)
	return h.round(bits, rest, exponent-4*kept)
}

// round returns bits*2**exponent, to which a little is to be added when rest.
func (h *hexFloat) round(bits uint64, rest bool, exponent int) (float64, error) {
	bits <<= 1
	if rest {
		bits |= 1
	}
	exponent = max(min(exponent-1, 4000), -4000)
	// Go's own reader of hexadecimal rounds once, to even.
	text := "0x" + strconv.FormatUint(bits, 16) + "p" + strconv.Itoa(exponent)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, raise.Overflow("hexadecimal value too large to represent as a float")
	}
	return h.sign(f), nil
}

func (h *hexFloat) sign(f float64) float64 {
	if h.negative {
		return -f
	}
	return f
}
