package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Controllers is Karpenter's own validation in a separate process, because each release is linked with its own
// Kubernetes libraries.
type Controllers struct {
	program string
	command *exec.Cmd
	objects io.WriteCloser
	answers *bufio.Reader
	stderr  *bytes.Buffer
}

// StartControllers starts the program; without one, every object passes.
func StartControllers(program string) (*Controllers, error) {
	controllers := &Controllers{program: program}
	if program == "" {
		return controllers, nil
	}
	return controllers, controllers.start()
}

func (c *Controllers) start() (err error) {
	c.command, c.stderr = exec.Command(c.program), &bytes.Buffer{}
	c.command.Stderr = c.stderr
	if c.objects, err = c.command.StdinPipe(); err != nil {
		return err
	}
	answers, err := c.command.StdoutPipe()
	if err != nil {
		return err
	}
	c.answers = bufio.NewReader(answers)
	return c.command.Start()
}

// Validate returns the verdict on one object that the API server has stored. Some objects crash Karpenter's process; it
// is restarted for the next object.
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
	if err == io.EOF {
		return c.crashed(text)
	}
	if err != nil {
		return nil, err
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

func (c *Controllers) crashed(text []byte) ([]Error, error) {
	err := c.command.Wait()
	words := strings.TrimSpace(c.stderr.String())
	if err == nil {
		return nil, fmt.Errorf("the runtime validation ended at %s: %s", text, words)
	}
	return []Error{{Class: Runtime, Type: "Fatal", Detail: fmt.Sprintf("Karpenter dies: %s: %s", err, words)}}, c.start()
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
