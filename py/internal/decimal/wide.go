package decimal

import "math/bits"

// wide is a natural number of two words: enough for quotients of 28 digits and
// for what rounding them needs, without memory of its own.
type wide struct{ hi, lo uint64 }

// widePowers are the powers of ten of two words.
var widePowers = func() (all [39]wide) {
	all[0] = wide{lo: 1}
	for i := range all[1:] {
		all[i+1], _ = all[i].times(wide{lo: 10})
	}
	return all
}()

func (a wide) isZero() bool { return a.hi|a.lo == 0 }

func (a wide) less(b wide) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

// compare returns -1, 0 or 1.
func (a wide) compare(b wide) int {
	switch {
	case a == b:
		return 0
	case a.less(b):
		return -1
	}
	return 1
}

// plus returns a + b, and false when that is too large.
func (a wide) plus(b wide) (wide, bool) {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, carry := bits.Add64(a.hi, b.hi, carry)
	return wide{hi, lo}, carry == 0
}

// minus returns a - b, of which b is not the larger one.
func (a wide) minus(b wide) wide {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return wide{hi, lo}
}

// times returns a * b, and false when that is too large.
func (a wide) times(b wide) (wide, bool) {
	p := a.product(b)
	return wide{p[1], p[0]}, p[2]|p[3] == 0
}

// product returns a * b, its lowest word first.
func (a wide) product(b wide) (p [4]uint64) {
	p[1], p[0] = bits.Mul64(a.lo, b.lo)
	if a.hi|b.hi == 0 {
		return p
	}
	h1, l1 := bits.Mul64(a.hi, b.lo)
	h2, l2 := bits.Mul64(a.lo, b.hi)
	h3, l3 := bits.Mul64(a.hi, b.hi)
	var c1, c2 uint64
	p[1], c1 = bits.Add64(p[1], l1, 0)
	p[1], c2 = bits.Add64(p[1], l2, 0)
	p[2], c1 = bits.Add64(h1, h2, c1)
	p[3] = h3 + c1
	p[2], c1 = bits.Add64(p[2], l3, c2)
	p[3] += c1
	return p
}

// over returns a / y and the rest.
func (a wide) over(y uint64) (q wide, rest uint64) {
	if a.hi != 0 {
		q.hi, rest = a.hi/y, a.hi%y
	}
	q.lo, rest = bits.Div64(rest, a.lo, y)
	return q, rest
}

// divideWords returns n / y and the rest, and false when the quotient is too large.
func divideWords(n [4]uint64, y uint64) (q wide, rest uint64, ok bool) {
	if n[3] != 0 || n[2] >= y {
		return wide{}, 0, false
	}
	q.hi, rest = bits.Div64(n[2], n[1], y)
	q.lo, rest = bits.Div64(rest, n[0], y)
	return q, rest, true
}

// digits returns the number of decimal digits; zero has one.
func (a wide) digits() int64 {
	if a.hi == 0 {
		return smallDigits(a.lo)
	}
	k := (64 + bits.Len64(a.hi)) * 1233 >> 12 // of log10(2), near enough
	if a.less(widePowers[k]) {
		k--
	}
	return int64(k) + 1
}

// scaled is a * 10**by, and false when that is too large.
func (a wide) scaled(by int64) (wide, bool) {
	if by == 0 {
		return a, true
	}
	if by < 0 || by >= int64(len(widePowers)) {
		return wide{}, false
	}
	return a.times(widePowers[by])
}

// drop divides by 10**n, where n is not negative.
func (a wide) drop(n int64) (wide, loss) {
	const most = int64(len(smallPowers)) - 1
	switch {
	case n == 0:
		return a, exact
	case n > 2*most: // all digits, and more than half a unit away
		return wide{}, belowHalf
	}
	var low, rest uint64
	if n > most {
		a, low = a.over(smallPowers[most])
		n -= most
	}
	a, rest = a.over(smallPowers[n])
	switch middle := smallPowers[n] / 2; {
	case rest == 0 && low == 0:
		return a, nothing
	case rest < middle:
		return a, belowHalf
	case rest > middle || low > 0:
		return a, aboveHalf
	}
	return a, half
}

// stripped takes zeros from the end, but at most so many, and says how many.
func (a wide) stripped(most int64) (wide, int64) {
	taken := int64(0)
	for _, n := range [...]int64{16, 16, 8, 4, 2, 1} {
		if n > most-taken {
			continue
		}
		if q, rest := a.over(smallPowers[n]); rest == 0 {
			a, taken = q, taken+n
		}
	}
	return a, taken
}
