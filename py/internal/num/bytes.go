package num

import (
	"math/big"
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// ToBytes returns n.to_bytes(length, byteorder, signed=signed).
func ToBytes(m budget.Meter, n *big.Int, length int64, order string, signed bool) ([]byte, error) {
	little, err := littleEndian(order)
	if err != nil {
		return nil, err
	}
	if length < 0 {
		return nil, raise.Value("length argument must be non-negative")
	}
	if n.Sign() < 0 && !signed {
		return nil, raise.Overflow("can't convert negative int to unsigned")
	}
	if signedBits(n, signed) > 8*min(length, MaxBits) {
		return nil, raise.Overflow("int too big to convert")
	}
	if err := pay(m, length); err != nil {
		return nil, err
	}
	data := make([]byte, length)
	if n.Sign() < 0 {
		modulus := new(big.Int).Lsh(one, 8*uint(min(length, int64(words(n)+1)*wordBits/8)))
		for i := range data {
			data[i] = 0xff
		}
		tail := modulus.Add(modulus, n).Bytes()
		copy(data[max(0, len(data)-len(tail)):], tail)
	} else {
		n.FillBytes(data)
	}
	if little {
		slices.Reverse(data)
	}
	return data, nil
}

// signedBits returns the bits that n takes, with one for its sign if signed.
func signedBits(n *big.Int, signed bool) int64 {
	if !signed || n.Sign() == 0 {
		return int64(n.BitLen())
	}
	if n.Sign() < 0 {
		if n = new(big.Int).Not(n); n.Sign() == 0 {
			return 0 // CPython lets -1 fit into no bytes at all
		}
	}
	return int64(n.BitLen()) + 1
}

// pay pays for a result of so many bytes that is written once.
func pay(m budget.Meter, length int64) error {
	if err := m.Alloc(int(length)); err != nil {
		return err
	}
	return spend(m, int(length))
}

// FromBytes returns int.from_bytes(data, byteorder, signed=signed).
func FromBytes(m budget.Meter, data []byte, order string, signed bool) (*big.Int, error) {
	little, err := littleEndian(order)
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBits/8+8 {
		return nil, errTooLarge()
	}
	if err := pay(m, int64(Size(8*len(data)))); err != nil {
		return nil, err
	}
	if little {
		data = slices.Clone(data)
		slices.Reverse(data)
	}
	z := new(big.Int).SetBytes(data)
	if signed && len(data) > 0 && data[0] >= 0x80 {
		z.Sub(z, new(big.Int).Lsh(one, 8*uint(len(data))))
	}
	return capped(z)
}

func littleEndian(order string) (bool, error) {
	if order != "little" && order != "big" {
		return false, raise.Value("byteorder must be either 'little' or 'big'")
	}
	return order == "little", nil
}
