package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/yaml"
)

// Server handles a create request as the API server does, up to storing the object.
type Server struct {
	resources map[schema.GroupVersionKind]*Resource
}

// NewServer serves every version of every CustomResourceDefinition in a folder.
func NewServer(folder string) (*Server, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no *.yaml in the folder of CustomResourceDefinitions, %q", folder)
	}
	server := &Server{resources: map[schema.GroupVersionKind]*Resource{}}
	for _, path := range paths {
		if err := server.add(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return server, nil
}

func (s *Server) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		return err
	}
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		resource, err := NewResource(crd, version)
		if err != nil {
			return err
		}
		s.resources[resource.kind] = resource
	}
	return nil
}

// Create returns the object as it would be stored, or the API server's error.
func (s *Server) Create(document Document) (*unstructured.Unstructured, []Error) {
	object, strict, err := decode(document)
	if err != nil {
		return nil, []Error{{Class: Schema, Type: "Decode", Detail: err.Error()}}
	}
	kind := object.GroupVersionKind()
	resource, ok := s.resources[kind]
	if !ok {
		return nil, []Error{{Class: Schema, Type: "NoMatch", Detail: fmt.Sprintf("no matches for kind %q in version %q", kind.Kind, kind.GroupVersion())}}
	}
	unknown, err := resource.Coerce(object)
	if err != nil {
		return nil, []Error{{Class: Schema, Type: "Decode", Detail: err.Error()}}
	}
	if strict = append(strict, unknown...); len(strict) > 0 {
		return nil, strict
	}
	return object, resource.Validate(object)
}

// Validate runs the steps of a create request, and changes the object to the form that would be stored.
func (r *Resource) Validate(object *unstructured.Unstructured) []Error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return []Error{{Class: Schema, Type: "Decode", Detail: err.Error()}}
	}
	if accessor.GetName() == "" && accessor.GetGenerateName() != "" {
		accessor.SetName(r.strategy.GenerateName(accessor.GetGenerateName()))
	}
	rest.FillObjectMetaSystemFields(accessor)
	ctx := genericapirequest.WithNamespace(context.Background(), requestNamespace(r.strategy, accessor.GetNamespace()))
	rejection := rest.BeforeCreate(r.strategy, ctx, object)
	if rejection == nil {
		return nil
	}
	// The reply to a request joins the parts of an error; a second validation returns them separately. Errors that do not
	// occur without the CEL rules come from these rules.
	plain := map[string]bool{}
	for _, err := range r.withoutCEL.Validate(ctx, object) {
		plain[err.Error()] = true
	}
	var errs []Error
	for _, err := range r.strategy.Validate(ctx, object) {
		class := CEL
		if plain[err.Error()] || err.Detail == rulesNotChecked {
			class = Schema
		}
		errs = append(errs, Error{Class: class, Type: string(err.Type), Field: err.Field, Detail: detail(err)})
	}
	if len(errs) == 0 {
		errs = causes(rejection)
	}
	return errs
}

// rulesNotChecked is the API server's message if errors kept it from evaluating the CEL rules.
const rulesNotChecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

func requestNamespace(strategy rest.RESTCreateStrategy, written string) string {
	if !strategy.NamespaceScoped() {
		return ""
	}
	if written == "" {
		return "default"
	}
	return written
}

func detail(err *field.Error) string {
	if err.Detail != "" {
		return err.Detail
	}
	return err.ErrorBody()
}

func causes(rejection error) []Error {
	status, ok := rejection.(apierrors.APIStatus)
	if !ok || status.Status().Details == nil || len(status.Status().Details.Causes) == 0 {
		return []Error{{Class: Schema, Type: "Rejected", Detail: rejection.Error()}}
	}
	var errs []Error
	for _, cause := range status.Status().Details.Causes {
		errs = append(errs, Error{Class: Schema, Type: string(cause.Type), Field: cause.Field, Detail: cause.Message})
	}
	return errs
}
