package machine

import (
	"math/big"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

func (m *Machine) percent(s *str, y Value) (Value, error) { return Value{}, errNotImplemented }

func (m *Machine) exportAs(v Value, t api.Type) (any, error) {
	switch v.kind() {
	case kindInt:
		return v.int(), nil
	case kindStr:
		return v.str().s, nil
	}
	return nil, nil
}

var _ = big.NewInt

func tmpFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
