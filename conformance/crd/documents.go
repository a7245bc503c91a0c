package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// Document is one manifest as it was written.
type Document struct {
	Text []byte
	YAML bool
}

// ReadDocuments reads lines of JSON if the first character is a brace, otherwise YAML documents; empty documents are
// skipped.
func ReadDocuments(in io.Reader) ([]Document, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		var documents []Document
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				documents = append(documents, Document{Text: line})
			}
		}
		return documents, nil
	}
	return readYAML(text)
}

func readYAML(text []byte) ([]Document, error) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var documents []Document
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, err
		}
		if json, err := utilyaml.ToJSON(document); err == nil && string(json) == "null" {
			continue
		}
		documents = append(documents, Document{Text: document, YAML: true})
	}
}
