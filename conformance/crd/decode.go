package main

import (
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// decode reads an object as the API server does for a request with fieldValidation=Strict, as kubectl sends it.
func decode(document Document) (object *unstructured.Unstructured, strict []Error, err error) {
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, unstructuredscheme.NewUnstructuredCreator(), crdserverscheme.NewUnstructuredObjectTyper(),
		json.SerializerOptions{Strict: true, Yaml: document.YAML})
	object = &unstructured.Unstructured{}
	_, _, err = serializer.Decode(document.Text, nil, object)
	if err == nil {
		return object, nil, nil
	}
	strictErr, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		return nil, nil, err
	}
	for _, err := range strictErr.Errors() {
		strict = append(strict, Error{Class: Schema, Type: "Strict", Detail: err.Error()})
	}
	return object, strict, nil
}
