// Command yaml reads texts, each a JSON string on a line, as kubectl reads manifests, and prints a line of JSON for
// each: its value or its error. The first line is the version of the YAML library.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"runtime/debug"

	"sigs.k8s.io/yaml"
)

const library = "sigs.k8s.io/yaml"

type answer struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	printer := json.NewEncoder(os.Stdout)
	must(printer.Encode(map[string]string{library: version()}))
	for lines.Scan() {
		var text string
		must(json.Unmarshal(lines.Bytes(), &text))
		must(printer.Encode(read(text)))
	}
	must(lines.Err())
}

func read(text string) answer {
	value, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
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
