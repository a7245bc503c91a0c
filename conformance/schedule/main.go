// Command schedule runs Karpenter's own scheduler on manifests, without a cluster.
//
// Each line of standard input is a scenario in JSON; each line of standard output its answer. The first line says the versions.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/go-logr/logr"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

type scenario struct {
	Manifests string
	// Cluster is what is there before the manifests are applied: objects with their status, and the counts of capacity reservations.
	Cluster  string
	Settings settings
	// Runs is how often to solve: answers that differ show what is left to chance. 0 counts as 1.
	Runs int
	// Rounds is how often to time a solve, each with a scheduler of its own; 0 times nothing.
	Rounds int
	// Resolve asks for the amounts of the instance types of the node class, which is all that the manifests hold then.
	Resolve bool
}

type reply struct {
	// Answers are distinct, in the order in which they came.
	Answers []answer `json:"answers,omitempty"`
	// Milliseconds of the solve alone, round by round, once the scheduler and its topology stand.
	Milliseconds []float64 `json:"milliseconds,omitempty"`
	Amounts      *amounts  `json:"amounts,omitempty"`
	Error        string    `json:"error,omitempty"`
}

// inOrder is for the build that walks maps in the order of their keys: the provider's instance types, too, then have an order.
var inOrder = flag.Bool("in-order", false, "instance types in the order of the catalogue")

func main() {
	catalogue := flag.String("catalogue", "data/instance-types.json", "the facts of instance types")
	flag.Parse()
	log.SetLogger(logr.Discard())
	// As the provider has it; Karpenter's made-up cloud has put a label of its own there.
	cloudprovider.ReservationIDLabel = v1.LabelCapacityReservationID
	// As the provider's operator does when it starts.
	karpv1.NormalizedLabels["topology.ebs.csi.aws.com/zone"] = corev1.LabelTopologyZone
	facts, err := readFacts(*catalogue)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := json.NewEncoder(os.Stdout)
	lo.Must0(out.Encode(versions()))
	oracle := &oracle{facts: facts, types: map[string]*types{}}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			lo.Must0(out.Encode(oracle.reply(line)))
		}
		if err != nil {
			return
		}
	}
}

func versions() map[string]string {
	result := map[string]string{}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "sigs.k8s.io/karpenter" || module.Path == "github.com/aws/karpenter-provider-aws" {
			result[module.Path] = lo.Ternary(module.Replace != nil, module.Replace, module).Version
		}
	}
	return result
}

// mostTypes bounds the memory: resolved under one setting, instance types take more than 100 MB.
const mostTypes = 3

// oracle keeps what scenarios have in common: instance types resolved under the same settings.
type oracle struct {
	facts []fact
	types map[string]*types
}

func (o *oracle) reply(line []byte) (result reply) {
	defer func() {
		if problem := recover(); problem != nil {
			result = reply{Error: fmt.Sprintf("panic: %v\n%s", problem, debug.Stack())}
		}
	}()
	var s scenario
	if err := json.Unmarshal(line, &s); err != nil {
		return reply{Error: err.Error()}
	}
	ctx := s.Settings.context()
	if s.Rounds > 0 {
		one, milliseconds, err := o.timed(ctx, s)
		if err != nil {
			return reply{Error: err.Error()}
		}
		return reply{Answers: []answer{one}, Milliseconds: milliseconds}
	}
	if s.Resolve {
		resolved, err := o.resolve(ctx, s)
		if err != nil {
			return reply{Error: err.Error()}
		}
		return reply{Amounts: resolved}
	}
	seen := map[string]bool{}
	for range max(s.Runs, 1) {
		one, err := o.solve(ctx, s)
		if err != nil {
			return reply{Error: err.Error()}
		}
		if text := string(lo.Must(json.Marshal(one))); !seen[text] {
			seen[text] = true
			result.Answers = append(result.Answers, one)
		}
	}
	return result
}

// typesFor resolves instance types once for equal settings. Where overlays price types that EC2 has no price of, they are resolved anew
// when the overlays are known, as Karpenter does in time.
func (o *oracle) typesFor(ctx context.Context, s settings, p *problem) (*types, error) {
	if options.FromContext(ctx).FeatureGates.NodeOverlay {
		first, err := newTypes(ctx, o.facts, s, nil)
		if err != nil {
			return nil, err
		}
		store := nodeoverlay.NewInstanceTypeStore()
		unpriced := &cloud{kube: p.kube, types: first}
		controller := nodeoverlay.NewController(clock.RealClock{}, p.kube, unpriced, store, state.NewCluster(clock.RealClock{}, p.kube, unpriced))
		if _, err := controller.Reconcile(ctx, reconcile.Request{}); err != nil {
			return nil, err
		}
		return newTypes(ctx, o.facts, s, p.kube)
	}
	key := s.ofTypes()
	if o.types[key] == nil {
		if len(o.types) == mostTypes {
			clear(o.types)
		}
		resolved, err := newTypes(ctx, o.facts, s, nil)
		if err != nil {
			return nil, err
		}
		o.types[key] = resolved
	}
	return o.types[key], nil
}
