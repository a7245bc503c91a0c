package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

// workloadKinds arrive when the rest of the cluster is there.
var workloadKinds = map[string]bool{"Deployment": true, "StatefulSet": true, "ReplicaSet": true, "Job": true, "CronJob": true, "Pod": true}

// step is a change at a time after the start, in seconds. It has one of the fields.
type step struct {
	At float64
	// Apply has manifests to create.
	Apply string
	// Scale sets the replicas of every n-th Deployment, from the first.
	Scale *struct {
		To    int32
		Every int
	}
	// Patch merges fields into an object.
	Patch *struct {
		APIVersion, Kind, Namespace, Name string
		Fields                            json.RawMessage
	}
	// Dump records the objects of the cluster under a name.
	Dump    string
	objects []*unstructured.Unstructured
}

func (s step) run(ctx context.Context, c *connection, f fleet, r *recorder) error {
	switch {
	case s.Dump != "":
		objects, err := c.dump(ctx)
		r.event("dump", map[string]any{"name": s.Dump, "objects": objects})
		return err
	case s.Scale != nil:
		r.event("scale", map[string]any{"to": s.Scale.To, "every": s.Scale.Every})
		return c.scale(ctx, s.Scale.To, s.Scale.Every)
	case s.Patch != nil:
		r.event("patch", map[string]any{"kind": s.Patch.Kind, "name": s.Patch.Name, "fields": s.Patch.Fields})
		object := &unstructured.Unstructured{}
		object.SetAPIVersion(s.Patch.APIVersion)
		object.SetKind(s.Patch.Kind)
		object.SetNamespace(s.Patch.Namespace)
		object.SetName(s.Patch.Name)
		return c.Patch(ctx, object, client.RawPatch(types.MergePatchType, s.Patch.Fields))
	}
	objects := s.objects
	if s.Apply != "" {
		var err error
		if objects, err = decodeManifests(s.Apply); err != nil {
			return err
		}
	}
	r.event("applied", map[string]any{"objects": len(objects)})
	return c.apply(ctx, objects, f.Settings.Zones)
}

func decodeManifests(text string) ([]*unstructured.Unstructured, error) {
	var result []*unstructured.Unstructured
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := reader.Decode(object); errors.Is(err, io.EOF) {
			return result, nil
		} else if err != nil {
			return nil, err
		}
		if len(object.Object) > 0 {
			result = append(result, object)
		}
	}
}

// apply creates objects and their namespaces; node classes become ready.
func (c *connection) apply(ctx context.Context, objects []*unstructured.Unstructured, zones []string) error {
	for _, object := range objects {
		mapping, err := c.RESTMapper().RESTMapping(object.GroupVersionKind().GroupKind(), object.GroupVersionKind().Version)
		if err != nil {
			return err
		}
		if mapping.Scope.Name() == "namespace" {
			object.SetNamespace(lo.CoalesceOrEmpty(object.GetNamespace(), "default"))
			namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: object.GetNamespace()}}
			if err := c.Create(ctx, namespace); err != nil && !apierrors.IsAlreadyExists(err) {
				return err
			}
		}
		if err := c.Create(ctx, object); err != nil {
			return fmt.Errorf("creating %s %s: %w", object.GetKind(), object.GetName(), err)
		}
		if object.GetKind() == "EC2NodeClass" {
			class := &v1.EC2NodeClass{}
			if err := c.Get(ctx, client.ObjectKeyFromObject(object), class); err != nil {
				return err
			}
			oracle.CompleteClass(class, zones)
			if err := c.Status().Update(ctx, class); err != nil {
				return err
			}
		}
	}
	return nil
}

// waitForPools returns when Karpenter uses every NodePool.
func (c *connection) waitForPools(ctx context.Context) error {
	return eventually(ctx, func() error {
		pools := &karpv1.NodePoolList{}
		if err := c.List(ctx, pools); err != nil {
			return err
		}
		for _, pool := range pools.Items {
			if !pool.StatusConditions().Root().IsTrue() {
				return fmt.Errorf("the NodePool %s is not ready: %v", pool.Name, pool.Status.Conditions)
			}
		}
		return nil
	})
}

func (c *connection) scale(ctx context.Context, to int32, every int) error {
	deployments := &appsv1.DeploymentList{}
	if err := c.List(ctx, deployments); err != nil {
		return err
	}
	for index := 0; index < len(deployments.Items); index += every {
		deployment := &deployments.Items[index]
		before := deployment.DeepCopy()
		deployment.Spec.Replicas = &to
		if err := c.Patch(ctx, deployment, client.MergeFrom(before)); err != nil {
			return err
		}
	}
	return nil
}

// dump returns the objects that `check --cluster` reads.
func (c *connection) dump(ctx context.Context) ([]client.Object, error) {
	var result []client.Object
	for _, list := range []client.ObjectList{
		&corev1.NodeList{}, &karpv1.NodeClaimList{}, &karpv1.NodePoolList{}, &v1.EC2NodeClassList{}, &corev1.PodList{}, &appsv1.DeploymentList{},
		&appsv1.ReplicaSetList{}, &appsv1.StatefulSetList{}, &appsv1.DaemonSetList{}, &policyv1.PodDisruptionBudgetList{},
	} {
		if err := c.List(ctx, list); err != nil {
			return nil, err
		}
		items, err := apimeta.ExtractList(list)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			object := item.(client.Object)
			kind, err := apiutil.GVKForObject(object, scheme.Scheme)
			if err != nil {
				return nil, err
			}
			object.GetObjectKind().SetGroupVersionKind(kind)
			object.SetManagedFields(nil)
			result = append(result, object)
		}
	}
	return result, nil
}
