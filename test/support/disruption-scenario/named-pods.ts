import { ScheduleInput } from '../../../src/scheduling';
import { CheckOptions } from '../../../src/validation/check-options';
import { ClusterLog } from '../../../src/validation/cluster/cluster-objects';
import { SnapshotPod } from '../../../src/validation/cluster/cluster-pod';
import { PodControllers, PodOwners } from '../../../src/validation/cluster/pod-owners';
import { PodShapes } from '../../../src/validation/cluster/pod-shapes';
import { stateNodes } from '../../../src/validation/cluster/state-nodes';
import { ManifestModel, ManifestObject } from '../../../src/validation/manifest/model';
import { Autoscalers } from '../../../src/validation/manifest/workload/autoscalers';
import { DefaultSpread } from '../../../src/validation/manifest/workload/default-spread';
import { Storage } from '../../../src/validation/manifest/workload/storage';

/**
 * The pods of removed nodes count towards the replicas of their workload in the manifests. Here each such pod is a
 * group of its own with the spec that it has on its node, even if the workload's template has changed.
 *
 * @param objects objects of the cluster and of the manifests
 */
export function withNamedPods(
  { workloads }: ManifestModel,
  input: ScheduleInput,
  objects: readonly ManifestObject[],
  options: CheckOptions,
): ScheduleInput {
  const owners = new PodOwners(workloads.map(({ object }) => object));
  const shapes = shapesOf(objects, options);
  const going = new Set(
    stateNodes(objects).flatMap(({ markedForDeletion, node }) => (markedForDeletion && node ? [node.name] : [])),
  );
  const staying = new Set(input.nodes?.flatMap(({ pods }) => pods.map(keyOf)));
  const pods = [...input.pods];
  for (const object of objects.filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1')) {
    const pod = new SnapshotPod(object);
    const owner =
      going.has(pod.nodeName) && pod.isReschedulable && !staying.has(keyOf(pod)) ? owners.ownerOf(pod) : undefined;
    const index = owner ? pods.findIndex((group) => keyOf(group) === keyOf(owner) && group.count > 0) : -1;
    const shape = index < 0 ? undefined : shapes.shapeOf(pod);
    if (!shape) continue;
    pods[index] = { ...pods[index], count: pods[index].count - 1 };
    pods.push({ namespace: pod.namespace, name: pod.name, count: 1, shape, bare: true, age: pod.age });
  }
  return { ...input, pods: pods.filter(({ count }) => count > 0) };
}

function shapesOf(objects: readonly ManifestObject[], { schedulerConfig }: CheckOptions): PodShapes {
  const around = {
    storage: new Storage(objects),
    autoscalers: new Autoscalers(objects),
    defaultSpread: new DefaultSpread(objects, schedulerConfig),
  };
  return new PodShapes(around, new PodControllers(objects), new ClusterLog());
}

function keyOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace ?? 'default'}/${name}`;
}
