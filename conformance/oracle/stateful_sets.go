package oracle

import (
	"fmt"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// createStatefulPods returns the pods of a StatefulSet that do not run yet, each with the volume claims of its ordinal,
// as the StatefulSet controller creates them. Existing claims stay unchanged.
func createStatefulPods(set *appsv1.StatefulSet, in *existingCluster, index int) []client.Object {
	replicas := lo.FromPtrOr(set.Spec.Replicas, 1)
	if len(set.Spec.VolumeClaimTemplates) == 0 {
		return createPods(set, set.Spec.Template, in, replicas, index)
	}
	set.SetNamespace(namespaceOf(set))
	defaultTemplate(&set.Spec.Template.Spec)
	result := []client.Object{set}
	start := int32(0)
	if set.Spec.Ordinals != nil {
		start = set.Spec.Ordinals.Start
	}
	for ordinal := start; ordinal < start+replicas; ordinal++ {
		name := fmt.Sprintf("%s-%d", set.Name, ordinal)
		if in.hasObject(&corev1.Pod{}, set.Namespace, name) {
			continue
		}
		podTemplate := set.Spec.Template.DeepCopy()
		pod := &corev1.Pod{ObjectMeta: podTemplate.ObjectMeta, Spec: podTemplate.Spec}
		pod.Namespace, pod.Name = set.Namespace, name
		setOwner(pod, set)
		for _, template := range set.Spec.VolumeClaimTemplates {
			claim := template.DeepCopy()
			claim.Namespace, claim.Name = set.Namespace, fmt.Sprintf("%s-%s", template.Name, name)
			pod.Spec.Volumes = lo.Reject(pod.Spec.Volumes, func(volume corev1.Volume, _ int) bool { return volume.Name == template.Name })
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: template.Name, VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name},
			}})
			if !in.hasObject(claim, claim.Namespace, claim.Name) {
				result = append(result, claim)
			}
		}
		result = append(result, makePending(pod, index+len(result), in))
	}
	return result
}

// hasObject is whether the cluster has an object of this kind and name.
func (in *existingCluster) hasObject(like client.Object, namespace, name string) bool {
	return lo.ContainsBy(in.objects, func(object client.Object) bool {
		return fmt.Sprintf("%T", object) == fmt.Sprintf("%T", like) && namespaceOf(object) == namespace && object.GetName() == name
	})
}
