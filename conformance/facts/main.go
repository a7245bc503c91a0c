// Command facts prints how Karpenter's own code reads events and hashes objects: one JSON document in, one out.
package main

import (
	"encoding/json"
	"log"
	"os"

	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/controllers/interruption"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Inputs are the inputs, by name.
type Inputs struct {
	// Events are as EventBridge delivers them.
	Events map[string]json.RawMessage `json:"events"`
	// NodePools are as the API server stores them.
	NodePools map[string]karpv1.NodePool `json:"nodePools"`
	// NodeClasses are as the API server stores them.
	NodeClasses map[string]awsv1.EC2NodeClass `json:"nodeClasses"`
	// CABundle is that of the cluster, which is part of the hash of an EC2NodeClass.
	CABundle string `json:"caBundle"`
}

// Outputs are under the same names: the kind of each event, and the hashes of objects.
type Outputs struct {
	Events      map[string]string `json:"events"`
	NodePools   map[string]string `json:"nodePools"`
	NodeClasses map[string]string `json:"nodeClasses"`
}

func main() {
	var inputs Inputs
	if err := json.NewDecoder(os.Stdin).Decode(&inputs); err != nil {
		log.Fatal(err)
	}
	outputs := Outputs{Events: map[string]string{}, NodePools: map[string]string{}, NodeClasses: map[string]string{}}
	parser := interruption.NewEventParser(interruption.DefaultParsers...)
	for name, event := range inputs.Events {
		message, err := parser.Parse(string(event))
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		outputs.Events[name] = string(message.Kind())
	}
	for name, nodePool := range inputs.NodePools {
		outputs.NodePools[name] = nodePool.Hash()
	}
	for name, nodeClass := range inputs.NodeClasses {
		outputs.NodeClasses[name] = nodeClass.Hash(&inputs.CABundle)
	}
	if err := json.NewEncoder(os.Stdout).Encode(outputs); err != nil {
		log.Fatal(err)
	}
}
