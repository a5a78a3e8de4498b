package py_test

import (
	"context"
	"testing"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// agent is a program of the size that models write to use a few tools.
const agent = `
cities = ["Berlin", "Paris", "Rome", "Madrid"]
def score(temp, rain):
    if temp > 25:
        return temp - rain * 2
    return temp - rain

results = []
for city in cities:
    weather = get_weather(city)
    value = score(weather["temp"], weather["rain"])
    results.append({"city": city, "score": value})

best = sorted(results, key=lambda r: -r["score"])[0]
summary = f"{best['city']}: {best['score']:.1f}"
lines = [f"{r['city']} {r['score']}" for r in results if r["score"] > 0]
text = "\n".join(lines)
{"best": summary, "text": text}
`

var echoTool = py.Tool{Name: "echo", Params: []py.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}}, Result: value.Type{Kind: value.KindInt}}

func BenchmarkCompileAndRun(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p, err := py.Compile("1+1", py.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Start(context.Background(), nil, py.RunOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	p, err := py.Compile("1+1", py.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Start(context.Background(), nil, py.RunOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompileAgent(b *testing.B) {
	weather := py.Tool{Name: "get_weather", Params: []py.Param{{Name: "city", Type: value.Type{Kind: value.KindStr}}},
		Result: value.DictOf(value.Type{Kind: value.KindFloat})}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := py.Compile(agent, py.Options{Tools: []py.Tool{weather}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkToolCall(b *testing.B) {
	p, err := py.Compile("while True:\n    echo(1)\n", py.Options{Tools: []py.Tool{echoTool}})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	s, err := p.Start(ctx, nil, py.RunOptions{Limits: py.Limits{Calls: 1 << 40}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Resume(ctx, py.Return(s.Calls()[0].ID, int64(1))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	p, s := paused(b)
	data, err := s.Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("dump", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Snapshot(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := p.Load(data, py.RunOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func paused(tb testing.TB) (*py.Program, *py.State) {
	p, err := py.Compile("x = echo(1)\nx + 1", py.Options{Tools: []py.Tool{echoTool}})
	if err != nil {
		tb.Fatal(err)
	}
	s, err := p.Start(context.Background(), nil, py.RunOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return p, s
}
