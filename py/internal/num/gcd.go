package num

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// gcdWords is the size up to which math/big finds a divisor within one stretch.
const gcdWords = 600

// GcdBig returns the greatest common divisor of a and b, which is not negative.
func GcdBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if err := m.Alloc(Size(max(a.BitLen(), b.BitLen()))); err != nil {
		return nil, err
	}
	g, _, err := gcdExt(m, natural(a), natural(b))
	return g, err
}

// LcmBig returns the least common multiple of a and b, which is not negative.
func LcmBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if a.Sign() == 0 || b.Sign() == 0 {
		return new(big.Int), nil
	}
	g, err := GcdBig(m, a, b)
	if err != nil {
		return nil, err
	}
	q, _, err := divide(m, natural(a), g)
	if err != nil {
		return nil, err
	}
	return MulBig(m, q, natural(b))
}

// gcdExt returns the greatest common divisor g of two naturals, and an x with
// a*x = g modulo b. Long numbers are brought down by Lehmer's method until
// math/big can take them.
func gcdExt(m budget.Meter, a, b *big.Int) (g, x *big.Int, err error) {
	// Throughout, u = a*s and v = a*t modulo b.
	u, v := a, b
	s, t := big.NewInt(1), new(big.Int)
	for words(u) > gcdWords || words(v) > gcdWords {
		if v.Sign() == 0 {
			return u, s, nil
		}
		if u, v, s, t, err = reduce(m, u, v, s, t); err != nil {
			return nil, nil, err
		}
	}
	w := max(words(u), words(v))
	if err := spend(m, 8*w*w+300); err != nil {
		return nil, nil, err
	}
	p, q := new(big.Int), new(big.Int)
	g = new(big.Int).GCD(p, q, u, v)
	if p, err = mul(m, p, s); err != nil {
		return nil, nil, err
	}
	if q, err = mul(m, q, t); err != nil {
		return nil, nil, err
	}
	return g, p.Add(p, q), nil
}

// reduce makes one step of Lehmer's method: some steps of Euclid's on the
// leading bits alone where these decide, and of one division otherwise.
func reduce(m budget.Meter, u, v, s, t *big.Int) (u2, v2, s2, t2 *big.Int, err error) {
	if u.Cmp(v) < 0 {
		return v, u, t, s, nil
	}
	c := leadingSteps(u, v)
	if c.b == 0 {
		q, r, err := divide(m, u, v)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		qt, err := mul(m, q, t)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		return v, r, t, qt.Sub(s, qt), nil
	}
	if err := spend(m, 12*(words(u)+words(s)+words(t))+200); err != nil {
		return nil, nil, nil, nil, err
	}
	u2, v2 = combine(c.a, u, c.b, v), combine(c.c, u, c.d, v)
	return u2, v2, combine(c.a, s, c.b, t), combine(c.c, s, c.d, t), nil
}

// cofactors of one step: u becomes a*u + b*v, and v becomes c*u + d*v.
type cofactors struct{ a, b, c, d int64 }

// leadingSteps returns what Euclid's method does to u and v as far as their 62
// leading bits tell (Knuth, The Art of Computer Programming 2, algorithm L).
func leadingSteps(u, v *big.Int) cofactors {
	drop := uint(u.BitLen() - 62)
	x := new(big.Int).Rsh(u, drop).Int64()
	y := new(big.Int).Rsh(v, drop).Int64()
	k := cofactors{1, 0, 0, 1}
	for y+k.c != 0 && y+k.d != 0 {
		q := (x + k.a) / (y + k.c)
		if q != (x+k.b)/(y+k.d) {
			break
		}
		k.a, k.c = k.c, k.a-q*k.c
		k.b, k.d = k.d, k.b-q*k.d
		x, y = y, x-q*y
	}
	return k
}

func combine(p int64, x *big.Int, q int64, y *big.Int) *big.Int {
	z := new(big.Int).Mul(big.NewInt(p), x)
	return z.Add(z, new(big.Int).Mul(big.NewInt(q), y))
}
