// Package replay decides which earlier work a run need not repeat. There
// are two ways to come back to a run:
//
//   - Another process resumes its attempt. The code of an orchestrator is
//     deterministic, so it is run again from its beginning, or from a snapshot,
//     and gets the answers of the journal in their order: a History.
//   - A further attempt is made, or the run is repeated by a rerun. Then the code
//     may call other things in another order. An earlier call answers a new one
//     of the same task with the same inputs, which serves once: a Pool. A
//     program in a cell or a function asks for its runs from outside, so its
//     pool is shared by many requests, and keys come first: Submissions.
//
// The package reads records, and neither starts nor writes anything. The files
// are best read in this order: history.go, identity.go (which calls are tries of
// the same), pool.go, collect.go (what goes into a pool), submissions.go.
package replay
