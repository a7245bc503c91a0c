// Command runtime validates stored objects as Karpenter's controllers do: one line of JSON per object on standard
// input, and for each object a line with the list of errors on standard output.
//
// It is built once per version of Karpenter, with the go.mod of that version; build tags leave out what a version
// lacks.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// validators are those of the kinds that Karpenter validates, by kind; their argument is an object as JSON.
var validators = map[string]func(text []byte) []error{}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "runtime:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := validate(line)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
}

func validate(line []byte) ([]byte, error) {
	var meta struct{ Kind string }
	if err := json.Unmarshal(line, &meta); err != nil {
		return nil, err
	}
	complaints := []string{}
	if validator, ok := validators[meta.Kind]; ok {
		for _, err := range validator(line) {
			complaints = append(complaints, err.Error())
		}
	}
	return json.Marshal(complaints)
}

// decode reads an object into Karpenter's type; an object that does not fit stops Karpenter's informer, and with it all
// controllers.
func decode[T any](text []byte, judge func(*T) []error) []error {
	object := new(T)
	if err := json.Unmarshal(text, object); err != nil {
		return []error{fmt.Errorf("decoding: %w", err)}
	}
	return judge(object)
}
