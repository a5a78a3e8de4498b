package syntax

import (
	"strings"
	"testing"
)

// agent is a program of the kind and the length that models write.
const agent = `orders = fetch_orders(limit=50)
totals = {}
for order in orders:
    customer = order["customer"]
    amount = order["quantity"] * order["price"]
    if customer not in totals:
        totals[customer] = 0
    totals[customer] = totals[customer] + amount

def rank(items):
    return sorted(items, key=lambda pair: (-pair[1], pair[0]))

best = rank(list(totals.items()))[:10]
lines = [f"{name}: {total:.2f}" for name, total in best if total > 0]
report = "\n".join(lines)
send_report(report, subject="Totals")
len(lines)
`

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, source string }{
		{"sum", "1+1"},
		{"agent", agent},
		{"large", strings.Repeat(agent, 1000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.source)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse("bench", c.source); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
