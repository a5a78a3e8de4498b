package api

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/value"
)

// Model is what a task of kind model has: which language model it asks, and how
// it is reached. Its signature is ModelSignature. The engine itself asks, so that
// no cell sees the key.
type Model struct {
	// Protocol is that of the provider: openai (chat completions, which many servers
	// of other providers speak too) or anthropic (messages).
	Protocol string `json:"protocol" required:"true" enum:"openai,anthropic"`
	Name     string `json:"name" required:"true"` // as the provider spells it
	BaseURL  string `json:"base_url,omitempty"`   // empty is that of OpenAI or Anthropic
	Key      string `json:"key,omitempty"`        // a stored secret; empty sends no key
	// Price makes the costs of a run out of its tokens. Zero is unknown, and costs
	// nothing.
	Price ModelPrice `json:"price,omitzero"`
}

// The protocols of models.
const (
	ProtocolOpenAI    = "openai"
	ProtocolAnthropic = "anthropic"
)

// ModelPrice is in US dollars for a million tokens.
type ModelPrice struct {
	Input       float64 `json:"input,omitempty"`        // of what the model is asked
	CachedInput float64 `json:"cached_input,omitempty"` // of input that the provider had in a cache; 0 means Input
	Output      float64 `json:"output,omitempty"`       // of what it answers
}

// ModelSignature is the signature of every task of kind model: the input request
// is a ModelRequest, the output answer a ModelAnswer, both as JSON has them.
func ModelSignature() Signature {
	object := value.Type{Kind: value.KindDict, Args: []value.Type{{Kind: value.KindStr}, {Kind: value.KindAny}}}
	return Signature{
		Inputs:  []value.Param{{Name: "request", Type: object}},
		Outputs: []value.Param{{Name: "answer", Type: object}},
	}
}

// ModelRequest is one question to a model: a conversation that it continues.
type ModelRequest struct {
	System      string          `json:"system,omitempty"`
	Messages    []ModelMessage  `json:"messages"`
	Tools       []ModelTool     `json:"tools,omitempty"`      // that it may ask for
	Schema      json.RawMessage `json:"schema,omitempty"`     // a JSON Schema of an object that the answer's text has to be
	MaxTokens   int             `json:"max_tokens,omitempty"` // of the answer; 0 leaves it to the provider, or to us where one is needed
	Temperature *float64        `json:"temperature,omitempty"`
	// Pieces names the answer, among those of the run that asks, and has it given in
	// pieces: the first one now, each of the others for a request that has Rest alone.
	Pieces string     `json:"pieces,omitempty"`
	Rest   *ModelRest `json:"rest,omitempty"`
	// Raw is a question that the program of a cell wrote itself, in the place of all
	// others.
	Raw *ModelRaw `json:"raw,omitempty"`
}

// ModelRaw is a question in the words of the provider's protocol.
type ModelRaw struct {
	Path string `json:"path" enum:"/v1/messages,/v1/messages/count_tokens,/v1/responses"`
	// Body is JSON, without what differs from process to process: two questions are
	// equal if their bodies are.
	Body  string   `json:"body"`
	Betas []string `json:"betas,omitempty"` // that the provider is asked for; of responses there is one, responses-lite
}

// ModelRawAnswer is an answer in the words of the provider's protocol.
type ModelRawAnswer struct {
	Type string `json:"type"` // the media type of the body
	Body string `json:"body"`
}

// ModelRest asks for what follows of an answer that is given in pieces.
type ModelRest struct {
	Pieces string `json:"pieces"`          // the name of the answer
	After  int    `json:"after"`           // bytes of its text that were given
	Whole  bool   `json:"whole,omitempty"` // all that follows, in one piece
}

// ModelMessage is one message of a conversation.
type ModelMessage struct {
	Role  ModelRole   `json:"role"`
	Text  string      `json:"text,omitempty"`
	Calls []ModelCall `json:"calls,omitempty"` // that the model asked for in it
	// Of a message of a tool: the id of the call that it answers, and whether that
	// failed.
	Call   string `json:"call,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

// ModelRole says who wrote a message.
type ModelRole string

// The roles.
const (
	RoleUser      ModelRole = "user"
	RoleAssistant ModelRole = "assistant"
	RoleTool      ModelRole = "tool"
)

// ModelTool is a tool that a model may ask for.
type ModelTool struct {
	Name       string          `json:"name"`
	Doc        string          `json:"doc,omitempty"`
	Parameters json.RawMessage `json:"parameters"` // a JSON Schema of an object
}

// ModelCall is a call that a model asked for.
type ModelCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // a JSON object, if the model wrote one
}

// ModelAnswer is what a model answered.
type ModelAnswer struct {
	Text  string      `json:"text,omitempty"`
	Calls []ModelCall `json:"calls,omitempty"`
	Stop  ModelStop   `json:"stop"`
	Usage ModelUsage  `json:"usage"`
	// Raw is all of it, as it came, of a question that was Raw.
	Raw *ModelRawAnswer `json:"raw,omitempty"`
}

// ModelStop says why an answer ended.
type ModelStop string

// The ends of answers.
const (
	StopEnd     ModelStop = "end"     // it is complete
	StopLength  ModelStop = "length"  // it was cut off
	StopCalls   ModelStop = "calls"   // the model waits for its calls
	StopRefusal ModelStop = "refusal" // the model or its provider will not answer
	StopMore    ModelStop = "more"    // it is a piece, and others follow
	StopLost    ModelStop = "lost"    // it was given in pieces, and the rest cannot be had any more
)

// ModelUsage is what answers of models took.
type ModelUsage struct {
	Input       int64   `json:"input_tokens"`                  // the cached ones included
	CachedInput int64   `json:"cached_input_tokens,omitempty"` // of those, what the provider had in a cache
	Output      int64   `json:"output_tokens"`                 // of the answers
	Cost        float64 `json:"cost_usd,omitempty"`            // of tokens with a known price
	Asked       int64   `json:"asked,omitempty"`               // of the questions, those that programs of cells asked themselves
}

// Add returns the sum of two usages.
func (u ModelUsage) Add(v ModelUsage) ModelUsage {
	return ModelUsage{u.Input + v.Input, u.CachedInput + v.CachedInput, u.Output + v.Output, u.Cost + v.Cost, u.Asked + v.Asked}
}

// Priced returns u with its cost.
func (u ModelUsage) Priced(p ModelPrice) ModelUsage {
	cached := p.CachedInput
	if cached == 0 {
		cached = p.Input
	}
	u.Cost = (float64(u.Input-u.CachedInput)*p.Input + float64(u.CachedInput)*cached + float64(u.Output)*p.Output) / 1e6
	return u
}
