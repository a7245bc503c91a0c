// Command guardrails evaluates ValidatingAdmissionPolicies as the API server does. Each line of standard input has the
// policies with their bindings, and requests. Each line of the output has the problems of the policies, and for each
// request the error of the API server, or an empty string. The first line is the version of the API server's code.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"log"
	"os"
	"runtime/debug"

	"k8s.io/klog/v2"
)

const library = "k8s.io/apiserver"

type question struct {
	// Objects are policies and bindings.
	Objects  []json.RawMessage `json:"objects"`
	Requests []request         `json:"requests"`
}

type request struct {
	Object json.RawMessage `json:"object"`
	// Old is the object before an update. A request without it is a create.
	Old json.RawMessage `json:"old"`
}

type answer struct {
	Problems []string `json:"problems"`
	Denied   []string `json:"denied"`
}

func main() {
	crds := flag.String("crds", "", "folder of the CustomResourceDefinitions")
	flag.Parse()
	silenceLogs()
	types, err := readTypes(*crds)
	must(err)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	printer := json.NewEncoder(os.Stdout)
	must(printer.Encode(map[string]string{library: version()}))
	for lines.Scan() {
		var asked question
		must(json.Unmarshal(lines.Bytes(), &asked))
		must(printer.Encode(judge(asked, types)))
	}
	must(lines.Err())
}

// silenceLogs keeps the messages of informers out of the output. They are errors if a server is stopped early.
func silenceLogs() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	must(flags.Parse([]string{"--logtostderr=false", "--stderrthreshold=FATAL"}))
	klog.SetOutput(io.Discard)
}

func judge(asked question, types *types) answer {
	policies, bindings, problems := decodePolicies(asked.Objects)
	for _, policy := range policies {
		problems = append(problems, types.problems(policy)...)
	}
	server, err := newServer(policies, bindings)
	must(err)
	defer server.stop()
	denied := []string{}
	for _, asked := range asked.Requests {
		denied = append(denied, server.handle(asked))
	}
	return answer{Problems: append([]string{}, problems...), Denied: denied}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == library {
			return module.Version
		}
	}
	return "unknown"
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
