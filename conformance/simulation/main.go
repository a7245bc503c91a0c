// Command simulation runs a cluster over time. Karpenter's own controllers of disruption, provisioning, termination,
// eviction and expiration decide on a simulated clock; EC2 and Kubernetes are imitated.
//
// Each line of standard input is a scenario in JSON; each line of standard output is its answer. The first line has the
// versions.
package main

import (
	"encoding/json"
	"runtime"
	"time"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

type scenario struct {
	oracle.ScenarioInput
	Now time.Time
	// Methods are the active disruption methods, by name; none if nothing is disrupted.
	Methods []string
	// Expires is whether nodes expire.
	Expires bool
	// NodeStart is the seconds until a launched node is ready. PodStart is the seconds from a pod's binding until it is
	// ready. PodStop is the seconds of its termination, unless its grace period is shorter.
	NodeStart, PodStart, PodStop int
	// StartEvents are the events at the start.
	StartEvents []startEvent `json:"happens"`
	// Horizon is the number of simulated seconds.
	Horizon int
}

// answer has the events, in order.
type answer struct {
	Events []event `json:"events"`
	// Workloads are by kind, namespace and name.
	Workloads map[string]*workloadStats `json:"workloads"`
	// Pending is the number of pending pods at the end, including those that wait for other pods of their StatefulSet.
	Pending int `json:"pending"`
	// Nodes are the nodes at the end.
	Nodes []string `json:"nodes"`
}

type event struct {
	Second float64 `json:"second"`
	What   string  `json:"what"`
}

type workloadStats struct {
	LowestReady int `json:"lowestReady"`
	Evictions   int `json:"evictions"`
	ready       int
}

func main() {
	// One processor makes the order of Karpenter's parallel work fixed, and the names of nodes follow that order.
	runtime.GOMAXPROCS(1)
	oracle.Serve(func(w *oracle.Environment, line []byte) any {
		var s scenario
		if err := json.Unmarshal(line, &s); err != nil {
			return oracle.Failure{Error: err.Error()}
		}
		result, err := simulate(w, s)
		if err != nil {
			return oracle.Failure{Error: err.Error()}
		}
		return result
	})
}
