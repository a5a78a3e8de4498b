package glovebox

import "github.com/glovebox-dev/glovebox/api"

// Error is the error of every function here: what happened, what to do about
// it, and details by code. Get at it with errors.As.
type Error = api.Error

// Code names one kind of failure.
type Code = api.Code

// Details carries what an Error has to say beyond its message.
type Details = api.Details

// One error for each code, for errors.Is:
//
//	if errors.Is(err, glovebox.ErrTimeout) { ... }
var (
	ErrInvalidTask          = &Error{Code: api.InvalidTask}
	ErrInvalidType          = &Error{Code: api.InvalidType}
	ErrInvalidInput         = &Error{Code: api.InvalidInput}
	ErrSyntaxError          = &Error{Code: api.SyntaxError}
	ErrPythonException      = &Error{Code: api.PythonException}
	ErrNonzeroExit          = &Error{Code: api.NonzeroExit}
	ErrSignaled             = &Error{Code: api.Signaled}
	ErrTimeout              = &Error{Code: api.Timeout}
	ErrOutOfMemory          = &Error{Code: api.OutOfMemory}
	ErrMissingOutput        = &Error{Code: api.MissingOutput}
	ErrBadOutput            = &Error{Code: api.BadOutput}
	ErrOutputTooLarge       = &Error{Code: api.OutputTooLarge}
	ErrCommandNotFound      = &Error{Code: api.CommandNotFound}
	ErrPythonMissing        = &Error{Code: api.PythonMissing}
	ErrInvalidPackage       = &Error{Code: api.InvalidPackage}
	ErrResolutionFailed     = &Error{Code: api.ResolutionFailed}
	ErrBuildFailed          = &Error{Code: api.BuildFailed}
	ErrIndexUnavailable     = &Error{Code: api.IndexUnavailable}
	ErrImageNotFound        = &Error{Code: api.ImageNotFound}
	ErrImageInvalid         = &Error{Code: api.ImageInvalid}
	ErrRegistryDenied       = &Error{Code: api.RegistryDenied}
	ErrRegistryUnavailable  = &Error{Code: api.RegistryUnavailable}
	ErrBaseUnavailable      = &Error{Code: api.BaseUnavailable}
	ErrSecretNotFound       = &Error{Code: api.SecretNotFound}
	ErrSecretUnreadable     = &Error{Code: api.SecretUnreadable}
	ErrIsolationUnavailable = &Error{Code: api.IsolationUnavailable}
	ErrStorageFull          = &Error{Code: api.StorageFull}
	ErrCellLost             = &Error{Code: api.CellLost}
	ErrCallFailed           = &Error{Code: api.CallFailed}
	ErrFunctionFailed       = &Error{Code: api.FunctionFailed}
	ErrLimitExceeded        = &Error{Code: api.LimitExceeded}
	ErrReplayMismatch       = &Error{Code: api.ReplayMismatch}
	ErrOutcomeUnknown       = &Error{Code: api.OutcomeUnknown}
	ErrInterrupted          = &Error{Code: api.Interrupted}
	ErrWorkerUnavailable    = &Error{Code: api.WorkerUnavailable}
	ErrWorkerLost           = &Error{Code: api.WorkerLost}
	ErrNotFound             = &Error{Code: api.NotFound}
	ErrConflict             = &Error{Code: api.Conflict}
	ErrOverloaded           = &Error{Code: api.Overloaded}
	ErrUnauthorized         = &Error{Code: api.Unauthorized}
	ErrRequestInvalid       = &Error{Code: api.RequestInvalid}
	ErrRequestTooLarge      = &Error{Code: api.RequestTooLarge}
	ErrServerUnavailable    = &Error{Code: api.ServerUnavailable}
	ErrStorageCorrupt       = &Error{Code: api.StorageCorrupt}
	ErrStorageNewer         = &Error{Code: api.StorageNewer}
	ErrHomeBusy             = &Error{Code: api.HomeBusy}
	ErrCanceled             = &Error{Code: api.Canceled}
	ErrInternal             = &Error{Code: api.Internal}
)
