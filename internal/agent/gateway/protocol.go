package gateway

import (
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
)

// protocol is what the program of a cell speaks: how a question is judged and
// compared, and what of its headers is passed on.
type protocol struct {
	paths     []string
	fields    []string // that a question may have
	check     func(question object) error
	normalize func(question object)
	betas     func(header http.Header) []string
	// overloaded is the status by which the provider says that it has too much to do.
	overloaded int
}

// protocols are those that a cell may be granted.
var protocols = map[string]protocol{
	api.ProtocolAnthropic: {
		paths: model.RawPaths(api.ProtocolAnthropic), fields: messagesFields, check: checkMessages, normalize: normalizeMessages, betas: messagesBetas, overloaded: statusOverloaded,
	},
	api.ProtocolOpenAI: {
		paths: model.RawPaths(api.ProtocolOpenAI), fields: responsesFields, check: checkResponses, normalize: normalizeResponses, betas: responsesBetas,
		overloaded: http.StatusServiceUnavailable,
	},
}
