package oracle

import (
	"fmt"
	"math/rand/v2"

	apitypes "k8s.io/apimachinery/pkg/types"
)

// nameCharacters are those with which the API server ends generated names.
const nameCharacters, nameLength = "bcdfghjklmnpqrstvwxz2456789", 5

// draw makes names and UIDs random. Without a draw they are numbered as in `check`.
type draw struct{ *rand.Rand }

// newDraw returns the draw of a seed: nil for 0.
func newDraw(seed uint64) *draw {
	if seed == 0 {
		return nil
	}
	return &draw{rand.New(rand.NewPCG(seed, 0))}
}

// uid is that of the pod at a position in the order of creation.
func (d *draw) uid(index int) apitypes.UID {
	if d == nil {
		return apitypes.UID(fmt.Sprintf("%012d", index))
	}
	return apitypes.UID(fmt.Sprintf("%016x", d.Uint64()))
}

// name is the name of an object with a generated name; `index` counts the names that are taken.
func (d *draw) name(prefix string, index int) string {
	if d == nil {
		return fmt.Sprintf("%s%d", prefix, index)
	}
	end := make([]byte, nameLength)
	for at := range end {
		end[at] = nameCharacters[d.IntN(len(nameCharacters))]
	}
	return prefix + string(end)
}
