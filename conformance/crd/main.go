// Command crd prints the verdict of an API server with Karpenter's CRDs, and then of Karpenter itself, on each manifest
// on standard input: one line of JSON per object, in order.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// Verdict is what is printed for one object.
type Verdict struct {
	Index    int     `json:"index"`
	Accepted bool    `json:"accepted"`
	Errors   []Error `json:"errors"`
}

// Class says which validation rejects an object.
type Class string

const (
	// Schema: decoding, metadata, the structural schema; unknown and duplicate fields, as with strict field validation.
	Schema Class = "schema"
	// CEL: a rule of x-kubernetes-validations.
	CEL Class = "cel"
	// Runtime: a controller of Karpenter, after the API server has accepted the object.
	Runtime Class = "runtime"
)

// Error is one reason for a rejection.
type Error struct {
	Class  Class  `json:"class"`
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

func main() {
	crds := flag.String("crds", "", "folder of the CustomResourceDefinitions")
	runtime := flag.String("runtime", "", "the program built from ../runtime, which then judges what the API server accepts")
	flag.Parse()
	if err := run(*crds, *runtime); err != nil {
		fmt.Fprintln(os.Stderr, "crd:", err)
		os.Exit(1)
	}
}

func run(crds, runtime string) error {
	server, err := NewServer(crds)
	if err != nil {
		return err
	}
	controllers, err := StartControllers(runtime)
	if err != nil {
		return err
	}
	documents, err := ReadDocuments(os.Stdin)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for index, document := range documents {
		object, errs := server.Create(document)
		if len(errs) == 0 {
			if errs, err = controllers.Validate(object); err != nil {
				return err
			}
		}
		if err := encoder.Encode(Verdict{Index: index, Accepted: len(errs) == 0, Errors: append([]Error{}, errs...)}); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return controllers.Stop()
}
