// Written by make generate from the table in api/codes.go. DO NOT EDIT.

package glovebox

import "github.com/glovebox-dev/glovebox/api"

// One error for each code, for errors.Is:
//
//	if errors.Is(err, glovebox.ErrTimeout) { ... }
const (
	// ErrInvalidTask says: the description of the task contradicts itself or has a field that cannot be right.
	ErrInvalidTask = api.InvalidTask

	// ErrInvalidType says: a declared type is not one that can cross the boundary.
	ErrInvalidType = api.InvalidType

	// ErrInvalidInput says: an input is missing, unknown or does not fit its declared type.
	ErrInvalidInput = api.InvalidInput

	// ErrSecretNotFound says: a secret that the task names is not stored.
	ErrSecretNotFound = api.SecretNotFound

	// ErrSecretUnreadable says: the store of secrets is damaged, or open to other users.
	ErrSecretUnreadable = api.SecretUnreadable

	// ErrIsolationUnavailable says: the host cannot enforce an isolation or a limit that the run asks for.
	ErrIsolationUnavailable = api.IsolationUnavailable

	// ErrInvalidPackage says: a package does not exist, has no such version, or is not a valid requirement.
	ErrInvalidPackage = api.InvalidPackage

	// ErrResolutionFailed says: the packages exist but their requirements contradict each other.
	ErrResolutionFailed = api.ResolutionFailed

	// ErrBuildFailed says: a step of the image build failed.
	ErrBuildFailed = api.BuildFailed

	// ErrIndexUnavailable says: a package index or mirror could not be reached.
	ErrIndexUnavailable = api.IndexUnavailable

	// ErrImageNotFound says: the image does not exist where it was looked for.
	ErrImageNotFound = api.ImageNotFound

	// ErrImageInvalid says: the image is damaged, too large or not made for this platform.
	ErrImageInvalid = api.ImageInvalid

	// ErrRegistryDenied says: the registry refused the credentials or the access.
	ErrRegistryDenied = api.RegistryDenied

	// ErrRegistryUnavailable says: the registry could not be reached.
	ErrRegistryUnavailable = api.RegistryUnavailable

	// ErrBaseUnavailable says: no base image was found: no registry, no image on disk, no Debian mirror.
	ErrBaseUnavailable = api.BaseUnavailable

	// ErrStorageFull says: the disk of the host is full.
	ErrStorageFull = api.StorageFull

	// ErrPythonMissing says: the image has no Python, and the mode needs one.
	ErrPythonMissing = api.PythonMissing

	// ErrCommandNotFound says: the command does not exist in the image or cannot be executed.
	ErrCommandNotFound = api.CommandNotFound

	// ErrCheckFailed says: the code of an orchestrator would fail, as the checker found before it was started.
	ErrCheckFailed = api.CheckFailed

	// ErrSyntaxError says: the code is not valid Python.
	ErrSyntaxError = api.SyntaxError

	// ErrPythonException says: the code raised an exception that it did not catch.
	ErrPythonException = api.PythonException

	// ErrNonzeroExit says: the program ended with a status other than 0.
	ErrNonzeroExit = api.NonzeroExit

	// ErrSignaled says: the program was ended by a signal of its own.
	ErrSignaled = api.Signaled

	// ErrTimeout says: the run took longer than its time limit and was killed.
	ErrTimeout = api.Timeout

	// ErrOutOfMemory says: the run needed more memory than its limit and was killed.
	ErrOutOfMemory = api.OutOfMemory

	// ErrMissingOutput says: the program ended well but a declared output is not there.
	ErrMissingOutput = api.MissingOutput

	// ErrBadOutput says: a declared output is there but does not fit its type.
	ErrBadOutput = api.BadOutput

	// ErrOutputTooLarge says: the outputs are larger than their limit.
	ErrOutputTooLarge = api.OutputTooLarge

	// ErrCellLost says: the cell ended without a report.
	ErrCellLost = api.CellLost

	// ErrFunctionFailed says: the function returned an error.
	ErrFunctionFailed = api.FunctionFailed

	// ErrCallFailed says: a tool that the code called failed, and the code did not handle it.
	ErrCallFailed = api.CallFailed

	// ErrLimitExceeded says: the code did more than its limits allow.
	ErrLimitExceeded = api.LimitExceeded

	// ErrReplayMismatch says: the code or its arguments differ from what the journal of the run holds.
	ErrReplayMismatch = api.ReplayMismatch

	// ErrOutcomeUnknown says: it is unknown whether a call that was under way took effect, and its task is not declared idempotent.
	ErrOutcomeUnknown = api.OutcomeUnknown

	// ErrApprovalRefused says: a person refused what asks for approval, or nobody decided before its deadline.
	ErrApprovalRefused = api.ApprovalRefused

	// ErrInterrupted says: the process that executed the run ended before the run did.
	ErrInterrupted = api.Interrupted

	// ErrWorkerUnavailable says: no process offers the function.
	ErrWorkerUnavailable = api.WorkerUnavailable

	// ErrWorkerLost says: the process that executed the function ended or stopped answering.
	ErrWorkerLost = api.WorkerLost

	// ErrModelUnavailable says: the provider of a model could not be reached, is overloaded, or failed.
	ErrModelUnavailable = api.ModelUnavailable

	// ErrModelRefused says: the provider of a model refused the request, as for its key, its name or its size.
	ErrModelRefused = api.ModelRefused

	// ErrMCPUnavailable says: an MCP server could not be reached, did not start, or does not speak the protocol.
	ErrMCPUnavailable = api.MCPUnavailable

	// ErrMCPLost says: an MCP server ended, fell silent or spoke nonsense during a call.
	ErrMCPLost = api.MCPLost

	// ErrSessionEnded says: the session is over: it was killed, its time was over, or it was lost with the process that held it.
	ErrSessionEnded = api.SessionEnded

	// ErrNotFound says: there is nothing of that name or id.
	ErrNotFound = api.NotFound

	// ErrConflict says: what was asked for contradicts what is there already.
	ErrConflict = api.Conflict

	// ErrOverloaded says: too much is waiting already.
	ErrOverloaded = api.Overloaded

	// ErrUnauthorized says: the server did not accept the token, or refuses this caller.
	ErrUnauthorized = api.Unauthorized

	// ErrForbidden says: the token is one of the server, and is not good for this.
	ErrForbidden = api.Forbidden

	// ErrRequestInvalid says: the server could not understand the request.
	ErrRequestInvalid = api.RequestInvalid

	// ErrRequestTooLarge says: the request is larger than the server accepts.
	ErrRequestTooLarge = api.RequestTooLarge

	// ErrServerUnavailable says: the server could not be reached, or did not answer.
	ErrServerUnavailable = api.ServerUnavailable

	// ErrStorageCorrupt says: what is stored is damaged.
	ErrStorageCorrupt = api.StorageCorrupt

	// ErrStorageNewer says: what is stored was written by a newer version of Glovebox.
	ErrStorageNewer = api.StorageNewer

	// ErrHomeBusy says: another process uses the home directory in a way that admits no other.
	ErrHomeBusy = api.HomeBusy

	// ErrCanceled says: the caller cancelled the run.
	ErrCanceled = api.Canceled

	// ErrInternal says: Glovebox itself failed.
	ErrInternal = api.Internal
)
