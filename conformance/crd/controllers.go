package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Controllers is Karpenter's own validation, in a process of its own: it is linked with the Kubernetes libraries of its version.
type Controllers struct {
	command *exec.Cmd
	objects io.WriteCloser
	answers *bufio.Reader
}

// StartControllers starts the program; without one, every object passes.
func StartControllers(program string) (*Controllers, error) {
	if program == "" {
		return &Controllers{}, nil
	}
	command := exec.Command(program)
	command.Stderr = os.Stderr
	objects, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Controllers{command: command, objects: objects, answers: bufio.NewReader(answers)}, command.Start()
}

// Validate asks for the verdict on one object that the API server has stored.
func (c *Controllers) Validate(object *unstructured.Unstructured) ([]Error, error) {
	if c.command == nil {
		return nil, nil
	}
	text, err := json.Marshal(object.Object)
	if err != nil {
		return nil, err
	}
	if _, err := c.objects.Write(append(text, '\n')); err != nil {
		return nil, err
	}
	answer, err := c.answers.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("the runtime validation gave no answer to %s: %w", text, err)
	}
	var details []string
	if err := json.Unmarshal(answer, &details); err != nil {
		return nil, err
	}
	var errs []Error
	for _, detail := range details {
		errs = append(errs, Error{Class: Runtime, Type: "Runtime", Detail: detail})
	}
	return errs, nil
}

// Stop waits for the program's end.
func (c *Controllers) Stop() error {
	if c.command == nil {
		return nil
	}
	if err := c.objects.Close(); err != nil {
		return err
	}
	return c.command.Wait()
}
