package main

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	structuralpruning "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Resource is one version of one CustomResourceDefinition, built from the API server's parts as in its handler for
// custom resources.
type Resource struct {
	kind       schema.GroupVersionKind
	structural *structuralschema.Structural
	strategy   rest.RESTCreateStrategy
	withoutCEL rest.RESTCreateStrategy
}

// NewResource prepares a version for requests.
func NewResource(crd *apiextensionsv1.CustomResourceDefinition, version apiextensionsv1.CustomResourceDefinitionVersion) (*Resource, error) {
	internal := &apiextensions.CustomResourceValidation{}
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(version.Schema, internal, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	structural = structural.DeepCopy()
	if err := structuraldefaulting.PruneDefaults(structural); err != nil {
		return nil, err
	}
	validator, _, err := apiservervalidation.NewSchemaValidator(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	status, scale, err := subresources(version)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
	strategy := func(s *structuralschema.Structural) rest.RESTCreateStrategy {
		return customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
			kind, validator, nil, s, status, scale, version.SelectableFields)
	}
	return &Resource{kind: kind, structural: structural, strategy: strategy(structural), withoutCEL: strategy(withoutRules(structural))}, nil
}

func subresources(version apiextensionsv1.CustomResourceDefinitionVersion) (
	status *apiextensions.CustomResourceSubresourceStatus, scale *apiextensions.CustomResourceSubresourceScale, err error,
) {
	if version.Subresources == nil {
		return nil, nil, nil
	}
	internal := &apiextensions.CustomResourceSubresources{}
	if err := apiextensionsv1.Convert_v1_CustomResourceSubresources_To_apiextensions_CustomResourceSubresources(version.Subresources, internal, nil); err != nil {
		return nil, nil, err
	}
	return internal.Status, internal.Scale, nil
}

func withoutRules(structural *structuralschema.Structural) *structuralschema.Structural {
	stripped := structural.DeepCopy()
	visitor := structuralschema.Visitor{Structural: func(s *structuralschema.Structural) bool {
		changed := len(s.XValidations) > 0
		s.XValidations = nil
		return changed
	}}
	visitor.Visit(stripped)
	return stripped
}

// Coerce prunes and defaults the object, in the handler's order, and returns the unknown fields.
func (r *Resource) Coerce(object *unstructured.Unstructured) ([]Error, error) {
	kind, version := object.GetKind(), object.GetAPIVersion()
	objectMeta, found, unknown, err := schemaobjectmeta.GetObjectMetaWithOptions(object.Object, schemaobjectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, err
	}
	unknown = append(unknown, structuralpruning.PruneWithOptions(object.Object, r.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	structuraldefaulting.PruneNonNullableNullsWithoutDefaults(object.Object, r.structural)
	coerceErr, paths := schemaobjectmeta.CoerceWithOptions(nil, object.Object, r.structural, false, schemaobjectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if coerceErr != nil {
		return nil, coerceErr
	}
	unknown = append(unknown, paths...)
	object.SetKind(kind)
	object.SetAPIVersion(version)
	if found {
		if err := schemaobjectmeta.SetObjectMeta(object.Object, objectMeta); err != nil {
			return nil, err
		}
	}
	structuraldefaulting.Default(object.UnstructuredContent(), r.structural)
	var errs []Error
	for _, path := range unknown {
		errs = append(errs, Error{Class: Schema, Type: "UnknownField", Field: path, Detail: "unknown field"})
	}
	return errs, nil
}
