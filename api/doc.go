// Package api holds the domain and wire types of Glovebox: signatures, tasks,
// runs, results and the one error type. Types and values are those of package
// value. It imports that and the standard library only, so that every other
// package and every client can import it.
package api
