package oracle

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/utils/pod"
)

// existingCluster is the cluster before the manifests are applied.
type existingCluster struct {
	zones   []string
	objects []client.Object
	classes map[string]*v1.EC2NodeClass
	// free is the number of unused instances of each capacity reservation, by id.
	free map[string]int
	// groups are the placement groups of the account.
	groups []ec2types.PlacementGroup
	// priorities are the values of the priority classes.
	priorities priorities
	// draw gives pods their UIDs.
	draw *draw
}

// newExistingCluster reads objects, and the output of `aws ec2 describe-capacity-reservations` and
// `describe-placement-groups`.
func newExistingCluster(text string, zones []string) (*existingCluster, error) {
	result := &existingCluster{zones: zones, classes: map[string]*v1.EC2NodeClass{}, free: map[string]int{}}
	documents, err := splitDocuments(text)
	if err != nil {
		return nil, err
	}
	var objects []client.Object
	for _, raw := range documents {
		awsOutput := struct {
			CapacityReservations []struct {
				CapacityReservationId  string
				AvailableInstanceCount int
			}
			PlacementGroups []ec2types.PlacementGroup
		}{}
		if err := json.Unmarshal(raw, &awsOutput); err == nil && awsOutput.CapacityReservations != nil {
			for _, reservation := range awsOutput.CapacityReservations {
				result.free[reservation.CapacityReservationId] = reservation.AvailableInstanceCount
			}
			continue
		} else if err == nil && awsOutput.PlacementGroups != nil {
			result.groups = append(result.groups, awsOutput.PlacementGroups...)
			continue
		}
		object, err := decode(raw)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	result.priorities = prioritiesOf(nil, objects)
	for _, object := range objects {
		result.add(object)
	}
	return result, nil
}

func (in *existingCluster) add(object client.Object) {
	// The fake client rejects deleting objects without a finalizer.
	if object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
		object.SetFinalizers([]string{karpv1.TerminationFinalizer})
	}
	switch o := object.(type) {
	case *v1.EC2NodeClass:
		in.classes[o.Name] = o
		in.complete(o)
	case *corev1.Pod:
		o.Namespace = namespaceOf(o)
		admitPod(o, in.priorities)
	case *karpv1.NodePool, *appsv1.DaemonSet:
		expand(o, 0, in)
	}
	in.objects = append(in.objects, object)
}

// complete gives pools and classes the annotations that Karpenter has written, and node classes their status, whether
// or not the manifests change them. Without a status, a node class gets one subnet for each zone.
func (in *existingCluster) complete(object client.Object) {
	switch object.(type) {
	case *karpv1.NodePool, *v1.EC2NodeClass:
		if known, ok := lo.Find(in.objects, func(existing client.Object) bool { return objectKey(existing) == objectKey(object) }); ok {
			object.SetAnnotations(lo.Assign(known.GetAnnotations(), object.GetAnnotations()))
		}
	}
	class, ok := object.(*v1.EC2NodeClass)
	if !ok {
		return
	}
	if known := in.classes[class.Name]; known != nil {
		class.Status = known.Status
	}
	if len(class.Status.Subnets) == 0 {
		class.Status.Subnets = subnets(in.zones)
	}
	for _, condition := range class.StatusConditions().List() {
		class.StatusConditions().SetTrue(condition.Type)
	}
}

// runningPods is the number of the workload's pods that already have a node.
func (in *existingCluster) runningPods(workload client.Object) int32 {
	var kind string
	switch workload.(type) {
	case *appsv1.Deployment:
		kind = "Deployment"
	case *appsv1.ReplicaSet:
		kind = "ReplicaSet"
	case *appsv1.StatefulSet:
		kind = "StatefulSet"
	case *batchv1.Job:
		kind = "Job"
	}
	return int32(lo.CountBy(in.objects, func(object client.Object) bool {
		one, ok := object.(*corev1.Pod)
		return ok && one.Namespace == namespaceOf(workload) && one.Spec.NodeName != "" && !pod.IsTerminal(one) && !pod.IsTerminating(one) && isOwnedBy(one, kind, workload.GetName())
	}))
}

func isOwnedBy(one *corev1.Pod, kind, name string) bool {
	for _, owner := range one.OwnerReferences {
		if owner.Kind == kind && owner.Name == name {
			return true
		}
		if kind == "Deployment" && owner.Kind == "ReplicaSet" && strings.TrimSuffix(owner.Name, "-"+one.Labels[appsv1.DefaultDeploymentUniqueLabelKey]) == name {
			return true
		}
	}
	return false
}

// fillState fills Karpenter's cluster state, as its informers do.
func fillState(ctx context.Context, cluster *state.Cluster, kube client.Client) error {
	nodes, claims, pods, daemonSets := &corev1.NodeList{}, &karpv1.NodeClaimList{}, &corev1.PodList{}, &appsv1.DaemonSetList{}
	for _, list := range []client.ObjectList{nodes, claims, pods, daemonSets} {
		if err := kube.List(ctx, list); err != nil {
			return err
		}
	}
	for index := range claims.Items {
		cluster.UpdateNodeClaim(&claims.Items[index])
	}
	for index := range nodes.Items {
		if err := cluster.UpdateNode(ctx, &nodes.Items[index]); err != nil {
			return fmt.Errorf("node %s, %w", nodes.Items[index].Name, err)
		}
	}
	for index := range pods.Items {
		// An informer retries later if the state does not know the node yet.
		if err := cluster.UpdatePod(ctx, &pods.Items[index]); err != nil && !errors.IsNotFound(err) {
			return err
		}
	}
	for index := range daemonSets.Items {
		if err := cluster.UpdateDaemonSet(ctx, &daemonSets.Items[index]); err != nil {
			return err
		}
	}
	markDisrupted(cluster)
	cluster.SetSynced(true)
	return nil
}

// markDisrupted follows the disruption queue, which adds this taint when it starts a command.
func markDisrupted(cluster *state.Cluster) {
	var disrupted []string
	for node := range cluster.Nodes() {
		if node.Node != nil && node.NodeClaim != nil && lo.ContainsBy(node.Node.Spec.Taints, func(taint corev1.Taint) bool { return taint.Key == karpv1.DisruptedTaintKey }) {
			disrupted = append(disrupted, node.ProviderID())
		}
	}
	cluster.MarkForDeletion(disrupted...)
}
