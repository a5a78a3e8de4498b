package num

import "math"

// Half returns the bits of the float of 16 bits that is nearest to x, and
// whether there is one.
func Half(x float64) (bits uint16, ok bool) {
	b := math.Float64bits(x)
	sign := uint16(b>>48) & 0x8000
	switch {
	case math.IsNaN(x):
		return sign | 0x7e00, true
	case math.IsInf(x, 0):
		return sign | 0x7c00, true
	case x == 0:
		return sign, true
	}
	fraction, exponent := math.Frexp(math.Abs(x)) // in [0.5, 1)
	var n uint32
	if exponent < -13 { // subnormal
		n = uint32(math.RoundToEven(math.Ldexp(math.Abs(x), 24)))
	} else {
		n = uint32(math.RoundToEven(math.Ldexp(fraction, 11))) + uint32(exponent+13)<<10
	}
	if n >= 0x7c00 {
		return 0, false
	}
	return sign | uint16(n), true
}

// FromHalf is the float of 16 bits with these bits.
func FromHalf(bits uint16) float64 {
	fraction, exponent := float64(bits&0x3ff), int(bits>>10&0x1f)
	x := math.Ldexp(fraction, -24)
	switch {
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		x = math.NaN()
	case exponent > 0:
		x = math.Ldexp(fraction+1024, exponent-25)
	}
	if bits&0x8000 != 0 {
		return -x
	}
	return x
}
