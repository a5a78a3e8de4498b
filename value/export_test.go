package value

// Bounds that tests go up to.
const (
	MaxDays       = maxDays
	MaxIntDigits  = maxIntDigits
	MaxIntBits    = maxIntBits
	MaxCost       = maxCost
	MaxValueDepth = maxValueDepth
	ContainerCost = containerCost
	KeyCost       = keyCost
)
