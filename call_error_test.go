//go:build linux

package glovebox_test

import (
	"errors"
	"testing"

	"github.com/glovebox-dev/glovebox"
)

// The error of a run wraps that of the tool that failed.
func TestErrorOfACallWrapsThatOfTheTool(t *testing.T) {
	everywhere(t, errorOfACallWrapsThatOfTheTool)
}

func errorOfACallWrapsThatOfTheTool(t *testing.T, gb *glovebox.Glovebox) {
	price := glovebox.MustFunction("price", func() error { return errors.New("no rocks") })
	_, err := gb.Evaluate(t.Context(), "price()", nil, price)
	if !errors.Is(err, glovebox.ErrCallFailed) || !errors.Is(err, glovebox.ErrFunctionFailed) || errors.Is(err, glovebox.ErrTimeout) {
		t.Errorf("%v; want call_failed that wraps function_failed", err)
	}
}
