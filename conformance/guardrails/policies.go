package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
)

// decodePolicies reads objects as the API server does with strict field validation: an unknown field is a problem.
func decodePolicies(objects []json.RawMessage) (
	policies []*admissionregistrationv1.ValidatingAdmissionPolicy, bindings []*admissionregistrationv1.ValidatingAdmissionPolicyBinding, problems []string,
) {
	for _, object := range objects {
		var kind struct{ APIVersion, Kind string }
		must(json.Unmarshal(object, &kind))
		if want := admissionregistrationv1.SchemeGroupVersion.String(); kind.APIVersion != want {
			problems = append(problems, fmt.Sprintf("apiVersion is %q, not %q", kind.APIVersion, want))
		}
		var err error
		switch kind.Kind {
		case "ValidatingAdmissionPolicy":
			policy := &admissionregistrationv1.ValidatingAdmissionPolicy{}
			err = decodeStrictly(object, policy)
			policies = append(policies, policy)
		case "ValidatingAdmissionPolicyBinding":
			binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{}
			err = decodeStrictly(object, binding)
			bindings = append(bindings, binding)
		default:
			err = fmt.Errorf("unknown kind %q", kind.Kind)
		}
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	return policies, bindings, problems
}

func decodeStrictly(object json.RawMessage, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// types are the schemas of Karpenter's CustomResourceDefinitions, with which the API server checks expressions.
type types struct {
	schemas map[schema.GroupVersionKind]*spec.Schema
	mapper  *meta.DefaultRESTMapper
}

func readTypes(folder string) (*types, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no *.yaml in the folder of CustomResourceDefinitions, %q", folder)
	}
	all := &types{schemas: map[schema.GroupVersionKind]*spec.Schema{}, mapper: meta.NewDefaultRESTMapper(nil)}
	for _, path := range paths {
		if err := all.add(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}

func (t *types) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		return err
	}
	for _, version := range crd.Spec.Versions {
		text, err := json.Marshal(version.Schema.OpenAPIV3Schema)
		if err != nil {
			return err
		}
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
		t.schemas[kind] = &spec.Schema{}
		if err := json.Unmarshal(text, t.schemas[kind]); err != nil {
			return err
		}
		plural := kind.GroupVersion().WithResource(crd.Spec.Names.Plural)
		t.mapper.AddSpecific(kind, plural, kind.GroupVersion().WithResource(crd.Spec.Names.Singular), meta.RESTScopeRoot)
	}
	return nil
}

// ResolveSchema implements the API server's interface for schemas.
func (t *types) ResolveSchema(kind schema.GroupVersionKind) (*spec.Schema, error) {
	if found, ok := t.schemas[kind]; ok {
		return found, nil
	}
	return nil, fmt.Errorf("%v: %w", kind, resolver.ErrSchemaNotFound)
}

// problems are the expressions that the API server does not compile, and the warnings of its type checks. It writes
// these warnings into the status of a policy.
func (t *types) problems(policy *admissionregistrationv1.ValidatingAdmissionPolicy) []string {
	var problems []string
	compiler := plugincel.NewCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	compile := func(expression plugincel.ExpressionAccessor, hasAuthorizer bool) {
		options := plugincel.OptionalVariableDeclarations{HasAuthorizer: hasAuthorizer}
		if result := compiler.CompileCELExpression(expression, options, environment.NewExpressions); result.Error != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", expression.GetExpression(), result.Error))
		}
	}
	for i := range policy.Spec.MatchConditions {
		compile((*matchconditions.MatchCondition)(&policy.Spec.MatchConditions[i]), true)
	}
	for _, validation := range policy.Spec.Validations {
		compile(&validating.ValidationCondition{Expression: validation.Expression}, true)
	}
	checker := validating.TypeChecker{SchemaResolver: t, RestMapper: t.mapper}
	for _, warning := range checker.Check(policy) {
		problems = append(problems, fmt.Sprintf("%s: %s", warning.FieldRef, warning.Warning))
	}
	return problems
}
