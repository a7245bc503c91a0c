package oracle

import (
	"strings"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// controllerOf is the controller of a workload's pods: for a Deployment a ReplicaSet, which is added to the objects.
// Jobs and other kinds are their own controllers.
func controllerOf(owner client.Object, in *existingCluster) client.Object {
	deployment, ok := owner.(*appsv1.Deployment)
	if !ok {
		return owner
	}
	hash := in.hashOf(deployment)
	selector := deployment.Spec.Selector.DeepCopy()
	if selector == nil {
		selector = &metav1.LabelSelector{}
	}
	selector.MatchLabels = lo.Assign(selector.MatchLabels, map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: hash})
	result := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: deployment.Namespace, Name: deployment.Name + "-" + hash},
		Spec:       appsv1.ReplicaSetSpec{Selector: selector, Template: *deployment.Spec.Template.DeepCopy()},
	}
	result.Spec.Template.Labels = lo.Assign(result.Spec.Template.Labels, map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: hash})
	return result
}

// hashOf is the template hash of the running pods; without running pods, any hash does.
func (in *existingCluster) hashOf(deployment *appsv1.Deployment) string {
	for _, object := range in.objects {
		pod, ok := object.(*corev1.Pod)
		if ok && pod.Namespace == deployment.Namespace && isOwnedBy(pod, "Deployment", deployment.Name) {
			return pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
		}
	}
	return deployment.Name
}

// setOwner makes the controller the owner of the pod, and adds the labels that the controller sets.
func setOwner(pod *corev1.Pod, controller client.Object) {
	kinds, _, err := scheme.ObjectKinds(controller)
	if err != nil || len(kinds) == 0 {
		return
	}
	version, kind := kinds[0].ToAPIVersionAndKind()
	pod.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: version, Kind: kind, Name: controller.GetName(), Controller: lo.ToPtr(true),
		UID: apitypes.UID(strings.ToLower(kind) + "-" + controller.GetNamespace() + "-" + controller.GetName()),
	}}
	if set, ok := controller.(*appsv1.ReplicaSet); ok {
		pod.Labels = lo.Assign(pod.Labels, set.Spec.Template.Labels)
	}
}
