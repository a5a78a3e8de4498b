// Package py runs Python that nobody has reviewed, inside the process.
//
// Compile checks a source under a dialect and makes a Program, which is
// immutable and can be run by any number of goroutines at once. Start runs it
// with the values of its inputs. The program can do nothing but compute and
// call the tools that it was granted: at each call it pauses, and the host
// resumes it with the result, now or days later, in this process or another:
// Snapshot turns a paused program into bytes, and Program.Load brings it back.
//
//	program, err := py.Compile(source, py.Options{Tools: tools})
//	state, err := program.Start(ctx, inputs, py.RunOptions{})
//	for state.Status() == py.Waiting {
//		call := state.Calls()[0]
//		result := run(call.Tool, call.Args)
//		err = state.Resume(ctx, py.Return(call.ID, result))
//	}
//	value, err := state.Result()
//
// Every run has limits on memory, time, steps, depth, output and calls, which
// the program cannot catch. Nothing of the world leaks in: no clock, no
// randomness, no addresses, no iteration order that is not the program's own.
//
// Values cross the boundary as package api describes them.
//
// docs/LANGUAGE.md says what the language is, and every place where it differs
// from CPython.
package py
