package world

import (
	"fmt"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// statefulPods are the pods of a StatefulSet that do not run yet, each with the volume claims of its ordinal, as its
// controller creates them. Existing claims stay unchanged.
func statefulPods(set *appsv1.StatefulSet, in *inCluster, at int) []client.Object {
	replicas := lo.FromPtrOr(set.Spec.Replicas, 1)
	if len(set.Spec.VolumeClaimTemplates) == 0 {
		return pods(set, set.Spec.Template, in, replicas, at)
	}
	set.SetNamespace(namespaced(set))
	roundAmounts(&set.Spec.Template.Spec)
	result := []client.Object{set}
	start := int32(0)
	if set.Spec.Ordinals != nil {
		start = set.Spec.Ordinals.Start
	}
	for ordinal := start; ordinal < start+replicas; ordinal++ {
		name := fmt.Sprintf("%s-%d", set.Name, ordinal)
		if in.has(&corev1.Pod{}, set.Namespace, name) {
			continue
		}
		template := set.Spec.Template.DeepCopy()
		pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
		pod.Namespace, pod.Name = set.Namespace, name
		own(pod, set)
		for _, each := range set.Spec.VolumeClaimTemplates {
			claim := each.DeepCopy()
			claim.Namespace, claim.Name = set.Namespace, fmt.Sprintf("%s-%s", each.Name, name)
			pod.Spec.Volumes = lo.Reject(pod.Spec.Volumes, func(volume corev1.Volume, _ int) bool { return volume.Name == each.Name })
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: each.Name, VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name},
			}})
			if !in.has(claim, claim.Namespace, claim.Name) {
				result = append(result, claim)
			}
		}
		result = append(result, pending(pod, at+len(result)))
	}
	return result
}

// has is whether the cluster has an object of this kind and name.
func (in *inCluster) has(like client.Object, namespace, name string) bool {
	return lo.ContainsBy(in.objects, func(object client.Object) bool {
		return fmt.Sprintf("%T", object) == fmt.Sprintf("%T", like) && namespaced(object) == namespace && object.GetName() == name
	})
}
