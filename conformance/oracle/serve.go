// Package oracle lets Karpenter's own code read a simulated cluster from a fake client. The provider's own code creates
// the instance types from the catalog.
package oracle

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/go-logr/logr"
	"github.com/samber/lo"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// isMapOrder is for the build that walks maps in the order of their keys; it also sorts the provider's instance types,
// and numbers labels that Karpenter draws.
var isMapOrder = flag.Bool("in-order", false, "instance types in the order of the catalogue, and numbers instead of drawn labels")

// Serve answers each line of standard input with a line of standard output. The first line has the versions.
func Serve(answer func(*Environment, []byte) any) {
	catalogue := flag.String("catalogue", "data/instance-types.json", "the facts of instance types")
	flag.Parse()
	log.SetLogger(logr.Discard())
	registerProviderLabels()
	facts, err := readFacts(*catalogue)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	output := json.NewEncoder(os.Stdout)
	lo.Must0(output.Encode(versions()))
	env := &Environment{facts: facts, types: map[string]*instanceTypes{}}
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := input.ReadBytes('\n')
		if len(line) > 1 {
			lo.Must0(output.Encode(answerLine(answer, env, line)))
		}
		if err != nil {
			return
		}
	}
}

// Failure is the answer if there is no result.
type Failure struct {
	Error string `json:"error"`
}

// answerLine answers a line. A panic becomes an answer, so that the next line can be answered.
func answerLine(answer func(*Environment, []byte) any, env *Environment, line []byte) (result any) {
	defer func() {
		if problem := recover(); problem != nil {
			result = Failure{fmt.Sprintf("panic: %v\n%s", problem, debug.Stack())}
		}
	}()
	return answer(env, line)
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
