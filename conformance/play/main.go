// Command play lets time pass in a cluster: Karpenter's own controllers of disruption, provisioning, termination, eviction and expiration decide, on a
// clock that is set, and EC2 and Kubernetes are imitated.
//
// Each line of standard input is a scenario in JSON; each line of standard output its answer. The first line says the versions.
package main

import (
	"encoding/json"
	"runtime"
	"time"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
)

type scenario struct {
	world.Given
	Now time.Time
	// Methods of disruption that are tried, by name; none where nothing is disrupted.
	Methods []string
	// Expires is whether nodes expire.
	Expires bool
	// NodeStart, PodStart and PodStop are seconds: until a node that is launched takes pods, from the node of a pod until it is ready, and from
	// the order to end until it is gone, if its grace period is not over before.
	NodeStart, PodStart, PodStop int
	// Happens is what somebody does, or EC2, when it begins.
	Happens []happening
	// Horizon is how many seconds are played.
	Horizon int
}

// answer has what happens, in order.
type answer struct {
	Events []event `json:"events"`
	// Workloads are by kind, namespace and name.
	Workloads map[string]*story `json:"workloads"`
	// Pending are pods that wait for a node in the end, those among them that wait for others of their StatefulSet.
	Pending int `json:"pending"`
	// Nodes are those that are there in the end.
	Nodes []string `json:"nodes"`
}

type event struct {
	Second float64 `json:"second"`
	What   string  `json:"what"`
}

type story struct {
	LowestReady int `json:"lowestReady"`
	Evictions   int `json:"evictions"`
	ready       int
}

func main() {
	// What Karpenter does side by side comes in one order then: names of nodes go by it.
	runtime.GOMAXPROCS(1)
	world.Serve(func(w *world.World, line []byte) any {
		var s scenario
		if err := json.Unmarshal(line, &s); err != nil {
			return world.Failure{Error: err.Error()}
		}
		result, err := play(w, s)
		if err != nil {
			return world.Failure{Error: err.Error()}
		}
		return result
	})
}
