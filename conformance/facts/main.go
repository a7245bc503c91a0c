// Command facts says what Karpenter's own code makes of events and of objects: one JSON document in, one out.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/aws/karpenter-provider-aws/pkg/controllers/interruption"
)

// Questions of the caller.
type Questions struct {
	// Events by name, as EventBridge delivers them.
	Events map[string]json.RawMessage `json:"events"`
}

// Answers under the same names.
type Answers struct {
	Events map[string]string `json:"events"`
}

func main() {
	var questions Questions
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		log.Fatal(err)
	}
	answers := Answers{Events: map[string]string{}}
	parser := interruption.NewEventParser(interruption.DefaultParsers...)
	for name, event := range questions.Events {
		message, err := parser.Parse(string(event))
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		answers.Events[name] = string(message.Kind())
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}
