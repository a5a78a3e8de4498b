package glovebox

import "github.com/glovebox-dev/glovebox/api"

// Error is the error of every function here: what happened, what to do about
// it, and details by code. Get at it with errors.As.
type Error = api.Error

// Code names one kind of failure.
type Code = api.Code

// Details carries what an Error has to say beyond its message.
type Details = api.Details
