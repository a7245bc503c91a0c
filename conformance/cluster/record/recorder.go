package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// sampleInterval is the time between two full samples; changes are recognized more often.
const sampleInterval = 2.0

// recorder writes lines of JSON, each with the seconds since the start.
type recorder struct {
	mutex     sync.Mutex
	output    *json.Encoder
	start     time.Time
	sampledAt float64
	prices    map[string]float64
	spotRatio float64
}

type nodeSample struct {
	Name        string         `json:"name"`
	Pool        string         `json:"pool"`
	Type        string         `json:"type"`
	Zone        string         `json:"zone"`
	Capacity    string         `json:"ct"`
	Price       float64        `json:"price"`
	Ready       bool           `json:"ready"`
	Initialized bool           `json:"initialized"`
	Deleting    bool           `json:"deleting"`
	Taints      []string       `json:"taints"`
	Pods        map[string]int `json:"pods"`
}

type claimSample struct {
	Name       string    `json:"name"`
	Pool       string    `json:"pool"`
	Created    time.Time `json:"created"`
	Type       string    `json:"type"`
	Capacity   string    `json:"ct"`
	Price      float64   `json:"price"`
	Node       string    `json:"node,omitempty"`
	Conditions []string  `json:"conditions"`
	Deleting   bool      `json:"deleting"`
}

func newRecorder(to io.Writer) *recorder {
	return &recorder{output: json.NewEncoder(to), start: time.Now(), sampledAt: math.Inf(-1), prices: map[string]float64{}}
}

func (r *recorder) now() float64 { return math.Round(time.Since(r.start).Seconds()*10) / 10 }

// restart sets the time to zero.
func (r *recorder) restart() { r.start = time.Now() }

func (r *recorder) event(name string, fields map[string]any) {
	r.write(lo.Assign(map[string]any{"t": r.now(), "event": name}, fields))
}

func (r *recorder) write(line any) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	lo.Must0(r.output.Encode(line))
}

// sample writes the state of the cluster, every two seconds, and returns a text that changes with it.
func (r *recorder) sample(ctx context.Context, c *connection) string {
	nodes, claims, pods := &corev1.NodeList{}, &karpv1.NodeClaimList{}, &corev1.PodList{}
	lo.Must0(c.cache.List(ctx, nodes))
	lo.Must0(c.cache.List(ctx, claims))
	lo.Must0(c.cache.List(ctx, pods))
	pending, running, byNode := countPods(pods.Items)
	line := struct {
		T       float64        `json:"t"`
		Nodes   []nodeSample   `json:"nodes"`
		Claims  []claimSample  `json:"claims"`
		Pending map[string]int `json:"pending"`
		Running int            `json:"running"`
		Pods    int            `json:"pods"`
	}{
		Nodes:   lo.Map(nodes.Items, func(node corev1.Node, _ int) nodeSample { return r.nodeSample(node, byNode[node.Name]) }),
		Claims:  lo.Map(claims.Items, func(claim karpv1.NodeClaim, _ int) claimSample { return r.claimSample(claim) }),
		Pending: pending, Running: running, Pods: len(pods.Items),
	}
	slices.SortFunc(line.Nodes, func(a, b nodeSample) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(line.Claims, func(a, b claimSample) int { return strings.Compare(a.Name, b.Name) })
	signature := string(lo.Must(json.Marshal(line)))
	if line.T = r.now(); line.T-r.sampledAt >= sampleInterval {
		r.sampledAt = line.T
		r.write(line)
	}
	return signature
}

// countPods counts the pods without a node by app, the running pods, and the pods of each node by app.
func countPods(pods []corev1.Pod) (map[string]int, int, map[string]map[string]int) {
	pending, byNode := map[string]int{}, map[string]map[string]int{}
	running := 0
	for _, pod := range pods {
		app := lo.CoalesceOrEmpty(pod.Labels["app"], pod.Name)
		if pod.Spec.NodeName == "" {
			pending[app]++
			continue
		}
		if byNode[pod.Spec.NodeName] == nil {
			byNode[pod.Spec.NodeName] = map[string]int{}
		}
		byNode[pod.Spec.NodeName][app]++
		if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
			running++
		}
	}
	return pending, running, byNode
}

func (r *recorder) nodeSample(node corev1.Node, pods map[string]int) nodeSample {
	return nodeSample{
		Name: node.Name, Pool: node.Labels[karpv1.NodePoolLabelKey], Type: node.Labels[corev1.LabelInstanceTypeStable],
		Zone: node.Labels[corev1.LabelTopologyZone], Capacity: node.Labels[karpv1.CapacityTypeLabelKey], Price: r.price(node.Labels),
		Ready: lo.ContainsBy(node.Status.Conditions, func(c corev1.NodeCondition) bool {
			return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		}),
		Initialized: node.Labels[karpv1.NodeInitializedLabelKey] == "true", Deleting: node.DeletionTimestamp != nil,
		Taints: lo.Map(node.Spec.Taints, func(taint corev1.Taint, _ int) string { return taint.Key }), Pods: pods,
	}
}

func (r *recorder) claimSample(claim karpv1.NodeClaim) claimSample {
	conditions := lo.FilterMap([]string{
		karpv1.ConditionTypeLaunched, karpv1.ConditionTypeRegistered, karpv1.ConditionTypeInitialized, karpv1.ConditionTypeConsolidatable,
		karpv1.ConditionTypeDrifted,
	}, func(name string, _ int) (string, bool) { return name, claim.StatusConditions().Get(name).IsTrue() })
	return claimSample{
		Name: claim.Name, Pool: claim.Labels[karpv1.NodePoolLabelKey], Created: claim.CreationTimestamp.UTC(),
		Type: claim.Labels[corev1.LabelInstanceTypeStable], Capacity: claim.Labels[karpv1.CapacityTypeLabelKey], Price: r.price(claim.Labels),
		Node: claim.Status.NodeName, Conditions: conditions, Deleting: claim.DeletionTimestamp != nil,
	}
}

func (r *recorder) price(labels map[string]string) float64 {
	price := r.prices[labels[corev1.LabelInstanceTypeStable]]
	return lo.Ternary(labels[karpv1.CapacityTypeLabelKey] == karpv1.CapacityTypeSpot, price*r.spotRatio, price)
}

// decisions are the messages of Karpenter's log that are recorded.
var decisions = map[string]bool{
	"found provisionable pod(s)": true, "computed new nodeclaim(s) to fit pod(s)": true, "disrupting node(s)": true, "command succeeded": true,
	"failed to disrupt node(s)": true,
}

// decisionLog records the decisions in Karpenter's log, and all errors.
type decisionLog struct {
	recorder *recorder
	rest     []byte
}

func (d *decisionLog) Write(text []byte) (int, error) {
	d.rest = append(d.rest, text...)
	for {
		end := bytes.IndexByte(d.rest, '\n')
		if end < 0 {
			return len(text), nil
		}
		var line map[string]any
		if json.Unmarshal(d.rest[:end], &line) == nil {
			message, _ := line["message"].(string)
			if decisions[message] || line["level"] == "ERROR" {
				d.recorder.event("karpenter", map[string]any{"log": line})
			}
		}
		d.rest = d.rest[end+1:]
	}
}
