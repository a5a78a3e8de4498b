// Package machine runs compiled programs: it is the virtual machine of the
// restricted Python, with its values, its built-in types and its snapshots.
//
// # Where to begin
//
// value.go has the values: a Value is two words, and what does not fit is an
// Object on the heap. machine.go has the Machine, which is one instance of a
// program, and its frames. run.go is the loop over instructions; it holds the
// fast paths alone, and calls call.go and bind.go (calls and their arguments),
// attr.go and setattr.go (attributes), arith.go and
// operators.go (operators), compare.go, order.go, contains.go, item.go and
// iterate.go for everything
// else. unwind.go raises and handles exceptions. start.go, host.go, answer.go and
// export.go are what the host sees: it starts an instance, answers its calls of
// tools and takes its result. snapshot*.go saves and loads instances that wait.
//
// The types are defined file by file (strs.go, lists.go, dicts.go, sets.go, ...) and
// registered once per process, by Boot. quick*.go are second, faster forms of
// methods for short ASCII strs; quickstrs.go says where the first forms are.
// The files of prelude have the parts of built-ins that call code of the program, because
// only Python frames can pause there.
//
// Modules that are written in Go are in package modules, over native.go and
// native_module.go. The files own_*.go are those few that need to know how
// values are made.
//
// # Calling convention
//
// A frame owns a window of registers at m.stack[base:]. The caller puts the
// arguments above its own registers; they become the first registers of the
// callee, so a call copies nothing. The result goes into one register of the
// caller.
//
// A slow path of the loop is a method that returns (Value, error). Before the
// loop calls one, it sets f.pc to the next instruction and m.dst to the register
// for the result; afterwards it goes to the label stored. The error says how the
// value arrives:
//
//   - nil: the value is there, and the loop puts it into m.dst;
//   - errEntered: a frame was pushed that will deliver it later. push has copied
//     m.dst into the frame, and the continuation of the frame (see contStore and
//     its kin) says what becomes of the value when the frame returns;
//   - errPaused: a tool was called, and the host delivers the value;
//   - an exception, a limit or errDone: the loop unwinds or ends.
//
// So a slow path never runs Python code on the stack of Go: it pushes a frame
// and returns. That is why an instance can stop, be saved and continue between any
// two instructions.
//
// A native function that needs a call of the program as its last act returns
// m.Then(fn, args...): it leaves the call in m.tail and returns errTail, and call
// makes that call in the place of the native one. A native function that needs
// calls in its middle leaves them to a function of the prelude.
//
// Five values travel in the Machine and not as parameters, since handing them
// through every slow path would cost each instruction for the sake of few:
//
//   - dst is set by the loop before a slow path and read by push, callTool and
//     callEx;
//   - tail is set by Then and taken by placeTail, in the same call;
//   - asFuture is set by OpAsFuture, which stands before a call that the program
//     does not wait for, and taken by that call: if its callee is a tool, the result
//     is a future;
//   - inNative and nativeBase are set by callNative while a native function runs:
//     a trace then counts all it has made since as live;
//   - argsEnd is the end of the arguments that stand above the registers of the
//     frame on top, so that a trace finds them. call restores it.
//
// # Invariants
//
// Code that allocates for a program pays first: Alloc for what can be large, Spend
// for a small object of fixed size, Work for time. What Alloc refuses must not be
// allocated, and its error is returned as it is. Only the loop and callNative look
// at the clock.
//
// Every value is reachable from the roots that collect.go walks, or the next
// trace takes it for garbage in the program's account; a native function need not
// care, because inNative protects what it makes.
//
// Objects with the flag shared belong to the process. Nothing writes to them after
// Boot or Link, so instances use them at the same time.
//
// All that a program can hold while it waits must be in the snapshot: built-in
// objects by their id (see Registry), objects of native modules by
// Boxed.Save, everything else field by field in snapshot_fill.go. A snapshot may
// come from anyone who has the key, so loading checks all that the loop relies
// on; ErrMalformed is what is left.
package machine
