// Command kustomize builds kustomizations with kustomize's Go API, and prints a line of JSON for each: the objects in
// the order of `kustomize build`, or the reason why kustomize refuses. A request, one a line, has the files of a
// repository, or the folder on the disk that contains them, and the folder to build. The first line of the output is
// the version.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

const library = "sigs.k8s.io/kustomize/api"

type request struct {
	Files  map[string]string `json:"files"`
	Disk   string            `json:"disk"`
	Folder string            `json:"folder"`
}

type answer struct {
	Objects []json.RawMessage `json:"objects,omitempty"`
	Refused string            `json:"refused,omitempty"`
}

func main() {
	// Warnings about deprecated fields.
	log.SetOutput(io.Discard)
	os.Stderr, _ = os.Open(os.DevNull)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<28)
	printer := json.NewEncoder(os.Stdout)
	must(printer.Encode(map[string]string{library: version()}))
	for lines.Scan() {
		var asked request
		must(json.Unmarshal(lines.Bytes(), &asked))
		must(printer.Encode(build(asked)))
	}
	must(lines.Err())
}

func build(asked request) (result answer) {
	defer func() {
		if cause := recover(); cause != nil {
			result = answer{Refused: fmt.Sprintf("panic: %v", cause)}
		}
	}()
	fileSystem, folder := filesys.MakeFsOnDisk(), filepath.Join(asked.Disk, asked.Folder)
	if asked.Disk == "" {
		fileSystem, folder = filesys.MakeFsInMemory(), filepath.Join("/", asked.Folder)
		for path, text := range asked.Files {
			must(fileSystem.WriteFile(filepath.Join("/", path), []byte(text)))
		}
	}
	built, err := krusty.MakeKustomizer(&krusty.Options{
		Reorder:          krusty.ReorderOptionLegacy,
		LoadRestrictions: types.LoadRestrictionsRootOnly,
		PluginConfig:     types.DisabledPluginConfig(),
	}).Run(fileSystem, folder)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	objects := []json.RawMessage{}
	for _, object := range built.Resources() {
		text, err := object.MarshalJSON()
		if err != nil {
			return answer{Refused: err.Error()}
		}
		objects = append(objects, text)
	}
	return answer{Objects: objects}
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
		panic(err)
	}
}
