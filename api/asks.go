package api

import (
	"fmt"
	"math"
	"net/url"
)

// Asks lets the program of a cell ask a model: it finds one at an address in its
// cell, by the protocol of the provider, and the host asks in its place. The key is
// added there and is not in the cell. Each question is a run below that of the cell.
type Asks struct {
	// Model is the one that may be asked for, with a key and with the protocol
	// anthropic. Without a name the program may ask for any of its provider.
	Model Model `json:"model"`
	// Budget bounds the questions of one attempt; its calls are questions that were
	// answered.
	Budget Budget `json:"budget,omitzero"`
}

// How the program of a cell finds the model that it may ask, and what it has in the
// place of a key.
const (
	ModelHost        = "model.glovebox" // in the record of connections
	ModelURLVariable = "ANTHROPIC_BASE_URL"
	ModelKeyVariable = "ANTHROPIC_API_KEY"
	ModelKeyInCell   = "the-key-is-not-in-this-cell"
)

// Check reports what is wrong with what a cell may ask. It returns invalid_task.
func (a *Asks) Check() error {
	if a == nil {
		return nil
	}
	if a.Model.Protocol != ProtocolAnthropic || a.Model.Key == "" {
		return WrongField("asks.model", "another one", "a model with the protocol anthropic and the name of a stored secret as its key")
	}
	if u, err := url.Parse(a.Model.BaseURL); a.Model.BaseURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil) {
		return WrongField("asks.model.base_url", "no such address", "an address such as https://host, without a user or a password")
	}
	b := a.Budget
	for _, n := range []struct {
		field string
		given float64
	}{{"calls", float64(b.Calls)}, {"tokens", float64(b.Tokens)}, {"cost_usd", b.Cost}} {
		if !(n.given >= 0) || math.IsInf(n.given, 0) {
			return WrongField("asks.budget."+n.field, fmt.Sprint(n.given), "a positive number, or 0 for no bound")
		}
	}
	switch {
	case b.Time != 0:
		return WrongField("asks.budget.time_ns", fmt.Sprint(int64(b.Time)), "none: the timeout of the task bounds its time")
	case b.Cost > 0 && (a.Model.Price == ModelPrice{} || a.Model.Name == ""):
		return WrongField("asks.budget.cost_usd", fmt.Sprint(b.Cost), "none, or a model with a name and a price: without one nothing is known to cost anything")
	}
	return nil
}
