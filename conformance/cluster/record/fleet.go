package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/samber/lo"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

// fleet is a cluster to record: manifests that are applied at once or one workload after the other, and later steps.
type fleet struct {
	Manifests string
	Settings  oracle.Settings
	// IntervalSeconds is the time between two workloads; 0 applies all at once.
	IntervalSeconds float64
	Steps           []step
	// The times of EC2 and the kubelets. The node is ready NodeDelaySeconds + NodeReadySeconds after its launch.
	NodeDelaySeconds, NodeReadySeconds, PodReadySeconds, PodEndSeconds float64
	// Seconds is the longest duration. The recording ends earlier if nothing changes for CalmSeconds.
	Seconds, CalmSeconds float64
}

type times struct{ nodeReady, podReady, podEnd time.Duration }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func (f fleet) delay() time.Duration { return seconds(f.NodeDelaySeconds) }

func (f fleet) times() times {
	return times{nodeReady: seconds(f.NodeReadySeconds), podReady: seconds(f.PodReadySeconds), podEnd: seconds(f.PodEndSeconds)}
}

func (f fleet) gates() string {
	names := lo.Keys(f.Settings.FeatureGates)
	slices.Sort(names)
	return strings.Join(lo.Map(names, func(name string, _ int) string { return fmt.Sprintf("%s=%t", name, f.Settings.FeatureGates[name]) }), ",")
}

// resolveCatalogue gives the recorder the prices of instance types.
func (f fleet) resolveCatalogue(catalogue string, r *recorder) error {
	text, err := os.ReadFile(catalogue)
	if err != nil {
		return err
	}
	var types []struct {
		InstanceType       string
		OnDemandUsdPerHour map[string]float64
	}
	if err := json.Unmarshal(text, &types); err != nil {
		return err
	}
	for _, it := range types {
		r.prices[it.InstanceType] = it.OnDemandUsdPerHour[f.Settings.Region]
	}
	r.spotRatio = f.Settings.SpotPriceRatio
	return nil
}

// record applies the manifests and the steps, and samples the cluster until nothing changes.
func (f fleet) record(ctx context.Context, c *connection, r *recorder) error {
	objects, err := decodeManifests(f.Manifests)
	if err != nil {
		return err
	}
	if err := c.createSystemNode(ctx, f.Settings.Zones[0]); err != nil {
		return err
	}
	workloads, others := lo.FilterReject(objects, func(o *unstructured.Unstructured, _ int) bool { return workloadKinds[o.GetKind()] })
	if err := c.apply(ctx, others, f.Settings.Zones); err != nil {
		return err
	}
	if err := c.waitForPools(ctx); err != nil {
		return err
	}
	r.restart()
	due := append(f.arrivals(workloads), f.Steps...)
	slices.SortStableFunc(due, func(a, b step) int { return cmp.Compare(a.At, b.At) })
	ticker := time.NewTicker(250 * time.Millisecond)
	defer ticker.Stop()
	calmSince, last := r.now(), ""
	for r.now() < f.Seconds && (len(due) > 0 || r.now()-calmSince < f.CalmSeconds) {
		for len(due) > 0 && due[0].At <= r.now() {
			if err := due[0].run(ctx, c, f, r); err != nil {
				return err
			}
			due = due[1:]
			calmSince = r.now()
		}
		if signature := r.sample(ctx, c); signature != last {
			calmSince, last = r.now(), signature
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	r.event("end", nil)
	return nil
}

// arrivals are the steps that create the workloads.
func (f fleet) arrivals(workloads []*unstructured.Unstructured) []step {
	if f.IntervalSeconds == 0 {
		return []step{{objects: workloads}}
	}
	return lo.Map(workloads, func(workload *unstructured.Unstructured, index int) step {
		return step{At: float64(index) * f.IntervalSeconds, objects: []*unstructured.Unstructured{workload}}
	})
}
