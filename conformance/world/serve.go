// Package world is a cluster without a cluster: what is in the manifests is read by Karpenter's own code from a client that is not real,
// with the instance types that the provider's own code makes of the catalogue.
package world

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/go-logr/logr"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/log"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

// inOrder is for the build that walks maps in the order of their keys: the provider's instance types, too, then have an order.
var inOrder = flag.Bool("in-order", false, "instance types in the order of the catalogue")

// Serve answers each line of standard input with a line of standard output. The first line says the versions.
func Serve(answer func(*World, []byte) any) {
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
	w := &World{facts: facts, types: map[string]*types{}}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			lo.Must0(out.Encode(answered(answer, w, line)))
		}
		if err != nil {
			return
		}
	}
}

// Failure is the answer where there is none.
type Failure struct {
	Error string `json:"error"`
}

// answered gives a panic as an answer: the next line has nothing to do with it.
func answered(answer func(*World, []byte) any, w *World, line []byte) (result any) {
	defer func() {
		if problem := recover(); problem != nil {
			result = Failure{fmt.Sprintf("panic: %v\n%s", problem, debug.Stack())}
		}
	}()
	return answer(w, line)
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
