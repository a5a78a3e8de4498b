package api

import (
	"math"
	"testing"
)

func TestCheckAsks(t *testing.T) {
	good := Asks{Model: Model{Protocol: ProtocolAnthropic, Name: "m", Key: "k", Price: ModelPrice{Input: 1}}, Budget: Budget{Calls: 1, Tokens: 2, Cost: 3}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	responses := good
	responses.Model.Protocol = ProtocolOpenAI
	if err := responses.Check(); err != nil {
		t.Error(err)
	}
	if err := (*Asks)(nil).Check(); err != nil {
		t.Error(err)
	}
	for field, change := range map[string]func(*Asks){
		"asks.model":           func(a *Asks) { a.Model.Protocol = "other" },
		"asks.model.base_url":  func(a *Asks) { a.Model.BaseURL = "https://user:pass@host" },
		"asks.budget.calls":    func(a *Asks) { a.Budget.Calls = -1 },
		"asks.budget.tokens":   func(a *Asks) { a.Budget.Tokens = -1 },
		"asks.budget.cost_usd": func(a *Asks) { a.Budget.Cost = math.NaN() },
		"asks.budget.time_ns":  func(a *Asks) { a.Budget.Time = 1 },
	} {
		a := good
		change(&a)
		if err := a.Check(); err == nil || AsError(err).Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, change := range []func(*Asks){func(a *Asks) { a.Model.Key = "" }, func(a *Asks) { a.Model.Name = "" }, func(a *Asks) { a.Model.Price = ModelPrice{} }} {
		a := good
		change(&a)
		if a.Check() == nil {
			t.Errorf("%+v is taken", a)
		}
	}
}
