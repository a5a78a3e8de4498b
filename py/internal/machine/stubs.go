package machine

import (
	"strconv"
)

func (m *Machine) percent(s *str, y Value) (Value, error) { return Value{}, errNotImplemented }

func tmpFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
