package report

import (
	"math"
	"slices"
)

// Quantile returns the value below which the fraction q of the samples lies, by
// the nearest rank: always one of the samples. It is 0 of none.
func Quantile(samples []float64, q float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}
