package evaluator_test

import "testing"

// BenchmarkEvaluate is an evaluation from its first byte to its last, beside
// the client.
func BenchmarkEvaluate(b *testing.B) {
	c := dial(b, serve(b, interpreter()))
	for b.Loop() {
		c.begin("1 + 1", `{}`)
		c.end()
	}
}

// BenchmarkCall is the same of a call.
func BenchmarkCall(b *testing.B) {
	c := dial(b, serve(b, interpreter()))
	for b.Loop() {
		c.begin("add(1, 2)", `{}`)
		id, _, _ := c.call()
		c.waits()
		c.answer('A', id, `{"o0":3}`)
		c.end()
	}
}
