// Command sleeper says that it is up and then does nothing, for as long as it
// is let.
package main

import (
	"fmt"
	"time"
)

func main() {
	fmt.Println("up")
	time.Sleep(1000 * time.Hour)
}
