package server

import (
	"net/http"
	"strings"
	"testing"
)

// TestKeepWarmRefuses holds a request for cells to the checks of a request for
// a run.
func TestKeepWarmRefuses(t *testing.T) {
	h := start(t)
	for name, c := range map[string]struct {
		body   string
		status int
		answer string
	}{
		"nothing":         {`{}`, 422, `"field":"task"`},
		"two things":      {`{"task": {"code": "x"}, "name": "y", "cells": 1}`, 422, `"field":"task"`},
		"too many":        {`{"name": "y", "cells": 1001}`, 422, `"field":"cells"`},
		"negative":        {`{"name": "y", "cells": -1}`, 422, `"field":"cells"`},
		"a fraction":      {`{"name": "y", "cells": 1.5}`, 422, `"field":"cells"`},
		"unknown field":   {`{"name": "y", "cell": 1}`, 422, `"field":"cell"`},
		"unknown task":    {`{"name": "y", "cells": 1}`, 404, `"code":"not_found"`},
		"a function":      {`{"task": {"name": "f", "kind": "function"}, "cells": 1}`, 422, `"field":"kind"`},
		"image of a path": {`{"task": {"code": "x", "image": {"ref": "./x.tar"}}, "cells": 1}`, 422, `"field":"image"`},
	} {
		t.Run(name, func(t *testing.T) {
			res := h.ask(http.MethodPut, "/v1/warm", c.body)
			if got := text(t, res); res.StatusCode != c.status || !strings.Contains(got, c.answer) {
				t.Errorf("%d %s, want %d %s", res.StatusCode, got, c.status, c.answer)
			}
		})
	}
	if len(h.pools) > 0 {
		t.Errorf("there are %d pools", len(h.pools))
	}
}
