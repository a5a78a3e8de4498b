package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

func (m *Machine) exportDate(o *instance) (any, bool) { return nil, false }

func (m *Machine) importDate(x any) (Value, error) {
	return Value{}, raise.Type("datetime values are not supported yet")
}
