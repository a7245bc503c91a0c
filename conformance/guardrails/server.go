package main

import (
	"context"
	"encoding/json"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/util/compatibility"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/component-base/featuregate"
)

// server has the API server's own plugin for admission, which reads policies from a store in memory.
type server struct {
	plugin *validating.Plugin
	stop   context.CancelFunc
	ctx    context.Context
}

func newServer(
	policies []*admissionregistrationv1.ValidatingAdmissionPolicy, bindings []*admissionregistrationv1.ValidatingAdmissionPolicyBinding,
) (*server, error) {
	var stored []runtime.Object
	for _, policy := range policies {
		setDefaults(policy)
		stored = append(stored, policy)
	}
	for _, binding := range bindings {
		stored = append(stored, binding)
	}
	client := fake.NewSimpleClientset(stored...)
	factory := informers.NewSharedInformerFactory(client, 0)
	plugin, err := validating.NewPlugin(nil)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	mapper := meta.NewDefaultRESTMapper(nil)
	initializer.New(client, dynamicfake.NewSimpleDynamicClient(runtime.NewScheme()), factory, authorizerfactory.NewAlwaysAllowAuthorizer(),
		featuregate.NewFeatureGate(), compatibility.DefaultBuildEffectiveVersion(), ctx.Done(), mapper).Initialize(plugin)
	if err := plugin.ValidateInitialization(); err != nil {
		stop()
		return nil, err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return &server{plugin: plugin, stop: stop, ctx: ctx}, nil
}

// setDefaults writes the values that the API server writes into a policy when it is stored.
func setDefaults(policy *admissionregistrationv1.ValidatingAdmissionPolicy) {
	equivalent, everyScope := admissionregistrationv1.Equivalent, admissionregistrationv1.AllScopes
	constraints := policy.Spec.MatchConstraints
	if constraints.MatchPolicy == nil {
		constraints.MatchPolicy = &equivalent
	}
	if constraints.NamespaceSelector == nil {
		constraints.NamespaceSelector = &metav1.LabelSelector{}
	}
	if constraints.ObjectSelector == nil {
		constraints.ObjectSelector = &metav1.LabelSelector{}
	}
	for i := range constraints.ResourceRules {
		if constraints.ResourceRules[i].Scope == nil {
			constraints.ResourceRules[i].Scope = &everyScope
		}
	}
}

// handle returns the error with which the API server rejects a request.
func (s *server) handle(asked request) string {
	object, operation := decodeObject(asked.Object), admission.Create
	var old runtime.Object
	if len(asked.Old) > 0 {
		old, operation = decodeObject(asked.Old), admission.Update
	}
	kind := object.GroupVersionKind()
	resource, _ := meta.UnsafeGuessKindToResource(kind)
	attributes := admission.NewAttributesRecord(object, old, kind, "", object.GetName(), resource, "", operation, nil, false,
		&user.DefaultInfo{Name: "developer"})
	err := s.plugin.Validate(s.ctx, attributes, admission.NewObjectInterfacesFromScheme(runtime.NewScheme()))
	if err == nil {
		return ""
	}
	return err.Error()
}

func decodeObject(text json.RawMessage) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	must(object.UnmarshalJSON(text))
	return object
}
