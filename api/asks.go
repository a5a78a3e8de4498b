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
	// Model is the one that may be asked for, with a key. Its protocol is what the
	// program speaks: anthropic (messages) or openai (responses). Without a name the
	// program may ask for any of its provider.
	Model Model `json:"model"`
	// Budget bounds the questions of one attempt; its calls are questions that were
	// answered.
	Budget Budget `json:"budget,omitzero"`
}

// How the record of connections calls the model that the program of a cell may ask,
// and what the program has in the place of a key.
const (
	ModelHost      = "model.glovebox"
	ModelKeyInCell = "the-key-is-not-in-this-cell"
)

// ModelVariables are how programs of one protocol find their model.
type ModelVariables struct {
	URL, Key string // names of variables
	Path     string // that the variable of the URL has after the address
}

var modelVariables = map[string]ModelVariables{
	ProtocolAnthropic: {URL: "ANTHROPIC_BASE_URL", Key: "ANTHROPIC_API_KEY"},
	ProtocolOpenAI:    {URL: "OPENAI_BASE_URL", Key: "OPENAI_API_KEY", Path: "/v1"},
}

// Variables returns how the program of the cell finds its model.
func (a *Asks) Variables() ModelVariables { return modelVariables[a.Model.Protocol] }

// Check reports what is wrong with what a cell may ask. It returns invalid_task.
func (a *Asks) Check() error {
	if a == nil {
		return nil
	}
	if a.Variables().Key == "" || a.Model.Key == "" {
		return WrongField("asks.model", "another one", "a model with the protocol anthropic or openai, and the name of a stored secret as its key")
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
