package world

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

// inCluster is what is there before the manifests are applied.
type inCluster struct {
	zones   []string
	objects []client.Object
	classes map[string]*v1.EC2NodeClass
	// free is how many instances of capacity reservations nobody uses, by id.
	free map[string]int
	// groups are the placement groups of the account.
	groups []ec2types.PlacementGroup
}

// newInCluster reads objects, and what `aws ec2 describe-capacity-reservations` and `describe-placement-groups` print.
func newInCluster(text string, zones []string) (*inCluster, error) {
	result := &inCluster{zones: zones, classes: map[string]*v1.EC2NodeClass{}, free: map[string]int{}}
	documents, err := documentsOf(text)
	if err != nil {
		return nil, err
	}
	for _, raw := range documents {
		printed := struct {
			CapacityReservations []struct {
				CapacityReservationId  string
				AvailableInstanceCount int
			}
			PlacementGroups []ec2types.PlacementGroup
		}{}
		if err := json.Unmarshal(raw, &printed); err == nil && printed.CapacityReservations != nil {
			for _, each := range printed.CapacityReservations {
				result.free[each.CapacityReservationId] = each.AvailableInstanceCount
			}
			continue
		} else if err == nil && printed.PlacementGroups != nil {
			result.groups = append(result.groups, printed.PlacementGroups...)
			continue
		}
		object, err := decoded(raw)
		if err != nil {
			return nil, err
		}
		result.add(object)
	}
	return result, nil
}

func (in *inCluster) add(object client.Object) {
	// The fake client has no object on its way out without something that holds it.
	if object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
		object.SetFinalizers([]string{karpv1.TerminationFinalizer})
	}
	switch o := object.(type) {
	case *v1.EC2NodeClass:
		in.classes[o.Name] = o
		in.complete(o)
	case *corev1.Pod:
		o.Namespace = namespaced(o)
		defaultRequests(&o.Spec)
	case *karpv1.NodePool, *appsv1.DaemonSet:
		expanded(o, 0, in)
	}
	in.objects = append(in.objects, object)
}

// complete gives pools and classes the annotations that Karpenter has made, and a node class what it has found for it, be they changed or
// not: where nothing tells, a subnet a zone.
func (in *inCluster) complete(object client.Object) {
	switch object.(type) {
	case *karpv1.NodePool, *v1.EC2NodeClass:
		if known, ok := lo.Find(in.objects, func(each client.Object) bool { return identity(each) == identity(object) }); ok {
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

// running is how many pods of the workload need no place any more.
func (in *inCluster) running(workload client.Object) int32 {
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
		return ok && one.Namespace == namespaced(workload) && one.Spec.NodeName != "" && !pod.IsTerminal(one) && !pod.IsTerminating(one) && isOf(one, kind, workload.GetName())
	}))
}

func isOf(one *corev1.Pod, kind, name string) bool {
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

// inform tells Karpenter's state of the cluster what there is, as its informers do.
func inform(ctx context.Context, cluster *state.Cluster, kube client.Client) error {
	nodes, claims, pods, daemonSets := &corev1.NodeList{}, &karpv1.NodeClaimList{}, &corev1.PodList{}, &appsv1.DaemonSetList{}
	for _, list := range []client.ObjectList{nodes, claims, pods, daemonSets} {
		if err := kube.List(ctx, list); err != nil {
			return err
		}
	}
	for at := range claims.Items {
		cluster.UpdateNodeClaim(&claims.Items[at])
	}
	for at := range nodes.Items {
		if err := cluster.UpdateNode(ctx, &nodes.Items[at]); err != nil {
			return fmt.Errorf("node %s, %w", nodes.Items[at].Name, err)
		}
	}
	for at := range pods.Items {
		// Of a node that it has not seen an informer tries again later.
		if err := cluster.UpdatePod(ctx, &pods.Items[at]); err != nil && !errors.IsNotFound(err) {
			return err
		}
	}
	for at := range daemonSets.Items {
		if err := cluster.UpdateDaemonSet(ctx, &daemonSets.Items[at]); err != nil {
			return err
		}
	}
	markDisrupted(cluster)
	cluster.SetSynced(true)
	return nil
}

// markDisrupted does as the queue of disruptions does, which gives a node this taint as it takes it up.
func markDisrupted(cluster *state.Cluster) {
	var disrupted []string
	for node := range cluster.Nodes() {
		if node.Node != nil && node.NodeClaim != nil && lo.ContainsBy(node.Node.Spec.Taints, func(taint corev1.Taint) bool { return taint.Key == karpv1.DisruptedTaintKey }) {
			disrupted = append(disrupted, node.ProviderID())
		}
	}
	cluster.MarkForDeletion(disrupted...)
}
