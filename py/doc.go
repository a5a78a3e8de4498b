// Package py runs unreviewed Python inside the process.
//
// It is an interpreter of its own, made for programs that a model wrote: they can
// compute and call the tools that they were granted, and reach nothing else. There
// are no files, no network, no clock and no randomness unless the host gives them.
// docs/LANGUAGE.md says what the language is, and every place where it differs from
// CPython.
//
// # Compile
//
// Compile makes a Program of a source. Options say what the program is given:
// its inputs, which are variables that are set when it begins, its tools, which
// it calls like functions, and its dialect. Strict is a small language that fits
// into a prompt; Extended is nearly all of Python, with the bundled modules.
//
//	program, err := py.Compile(source, py.Options{
//		Inputs: []value.Param{{Name: "city", Type: text}},
//		Tools:  []py.Tool{{Name: "forecast", Params: []py.Param{{Name: "city", Type: text}}, Result: text}},
//	})
//
// The error of a bad source is a *SourceError, which lists its problems with
// their places. A Program never changes: compile once, run it often, in as many
// goroutines as you like.
//
// # Check and Prompt
//
// Check finds, without running it, what would fail in a source: unknown names,
// calls that do not fit, an await that is missing. Each Problem has a hint that
// says what to write instead, so that a model can mend its program before
// anything has happened. Prompt describes the dialect, the inputs and the tools
// to the model in the first place. Both read the tables that Compile enforces.
//
// # Run
//
// Start runs a program until it waits for a tool, ends or fails, and returns its
// State. The value of the last expression is the result.
//
//	state, err := program.Start(ctx, map[string]any{"city": "Oslo"}, py.RunOptions{})
//	for state.Status() == py.Waiting {
//		var results []py.Result
//		for _, call := range state.Calls() {
//			results = append(results, py.Return(call.ID, run(call.Tool, call.Args)))
//		}
//		err = state.Resume(ctx, results...)
//	}
//	value, err := state.Result()
//
// The error of Start and Resume is the host's: an input that is missing, a result
// of a wrong type. The outcome of the program itself is in the State: Result
// returns an *Exception that it did not catch, or the *LimitError that ended it.
//
// Every run has limits on memory, time, steps, depth, output and calls, which the
// program cannot catch. Zero fields of Limits are defaults that suit programs of
// a model.
//
// # Tools
//
// A program that calls a tool pauses; no goroutine waits. Calls lists the calls
// that it waits for, several if it gathers them. Resume takes results in any order
// and any number: the program runs as soon as it has one that it needs. Besides
// Return, the result of a call is
//
//   - Raise or RaiseWith: it failed, and the program sees an exception,
//   - Pending: it takes longer, and the program has a future meanwhile.
//
// Calls that the program gave up, by a timeout or a cancellation, are in
// Canceled; the host may end them.
//
// # Console
//
// A Console takes a program in pieces, as a model writes it: each piece finds the
// variables of those before, also of one that failed. Tools and inputs are those of
// Options, and State drives the piece under way. Pieces cuts a source that is still
// being written into statements that can run already, and ConsolePrompt describes
// it all to the model.
//
//	console, err := py.NewConsole(options, inputs, py.RunOptions{})
//	err = console.Feed(ctx, "<1>", "x = forecast(city)")
//	...
//	err = console.Feed(ctx, "<2>", "x.upper()")
//
// # Snapshot
//
// A program that waits can be saved. Snapshot turns its State into bytes, and
// Program.Load restores it, in this process or another, now or days later:
//
//	saved, err := state.Snapshot()
//	...
//	state, err = program.Load(saved, py.RunOptions{})
//
// Load is safe with bytes from anywhere. With RunOptions.Key, given to Start as
// well, it also refuses a snapshot made without the key. docs/SNAPSHOT.md describes
// the format.
//
// # Replay
//
// A run depends on its source, its inputs and the results of its calls, and on
// nothing else: no addresses, no iteration order that is not the program's own.
// A host that records the results of calls can replay a run. The clock, the timers
// and the randomness that a program may have are those of Host, so a host can
// record them, too.
//
// # Values
//
// Values cross the boundary as package api describes them, and in both directions
// they have to fit the types that Options declare.
//
// # Inside
//
// The packages below are the passes in their order: syntax makes a tree of the
// text, resolve decides what its names mean, check refuses what the dialect does
// not have, internal/compile makes instructions, and internal/machine runs them.
// Package tool has the declarations of tools, and lib the modules that are
// written in Python.
package py
