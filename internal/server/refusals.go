package server

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// refused says what each status means that a problem can have.
var refused = map[int]string{
	http.StatusUnauthorized:                 "The token is missing or wrong, or does not allow this",
	http.StatusForbidden:                    "The token lacks the scope of the operation, or a page of another origin asks",
	http.StatusNotFound:                     "There is nothing of that name or id",
	http.StatusRequestTimeout:               "The body came too slowly",
	http.StatusConflict:                     "What was asked for contradicts what is there already",
	http.StatusGone:                         "The session is over",
	http.StatusRequestEntityTooLarge:        "The body is larger than the server accepts",
	http.StatusUnsupportedMediaType:         "The body is not JSON",
	http.StatusRequestedRangeNotSatisfiable: "The range begins after the last byte",
	http.StatusMisdirectedRequest:           "The server is not called by the name in Host",
	http.StatusUnprocessableEntity:          "A parameter or the body is wrong: details.field names it",
	http.StatusUpgradeRequired:              "The connection has to be upgraded",
	http.StatusTooManyRequests:              "Too much is under way already",
	http.StatusInternalServerError:          "The server failed",
	http.StatusBadGateway:                   "A registry or a package index failed",
	http.StatusServiceUnavailable:           "It cannot be done now",
	http.StatusGatewayTimeout:               "It took longer than its limit",
	http.StatusInsufficientStorage:          "The disk of the server is full",
}

// problemMedia is how every refusal is written.
func problemMedia() map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/problem+json": {Schema: &huma.Schema{Ref: schemaPrefix + "Failure"}}}
}

// errorResponses are the components that operations refer to.
func errorResponses() map[string]*huma.Response {
	all := map[string]*huma.Response{"Error": {Description: "What went wrong, with a code of x-glovebox-errors", Content: problemMedia()}}
	for status, text := range refused {
		answer := &huma.Response{Description: text, Content: problemMedia()}
		addHeader(answer, requestIDHeader, "The id of the request, which the log of the server has too")
		switch status {
		case http.StatusUnauthorized:
			addHeader(answer, "WWW-Authenticate", "Bearer")
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			addHeader(answer, "Retry-After", "Seconds after which to ask again")
		}
		all["Error"+strconv.Itoa(status)] = answer
	}
	return all
}

// documentRefusals lists how an operation can be refused.
func documentRefusals(t traits, op huma.Operation) map[string]*huma.Response {
	all := map[string]*huma.Response{"default": {Ref: "#/components/responses/Error"}}
	for _, status := range refusalsOf(t, op) {
		all[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/Error" + strconv.Itoa(status)}
	}
	return all
}

func refusalsOf(t traits, op huma.Operation) []int {
	list := []int{403, 421, 422, 500, 503}
	if !t.open {
		list = append(list, 401, 429)
	}
	if strings.Contains(op.Path, "{") {
		list = append(list, 404, 409)
	}
	if strings.Contains(op.Path, "/{id}/") && strings.HasPrefix(op.Path, "/v1/sessions") {
		list = append(list, 410)
	}
	if op.OperationID == "connectWorker" || op.OperationID == "connectPort" {
		list = append(list, 426)
	}
	if !hasBody(op.Method) {
		return list
	}
	list = append(list, 404, 408, 409, 413, 507)
	if !t.raw {
		list = append(list, 415)
	}
	if t.stream {
		list = append(list, 502, 504)
	}
	return list
}
