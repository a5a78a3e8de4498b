// Package api holds the domain and wire types of Glovebox: types and values,
// signatures, tasks, results and the one error type. It imports the standard
// library only, so that every other package and every client can import it.
package api
