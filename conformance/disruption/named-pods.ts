import { ScheduleInput } from '../../src/scheduling';
import { ClusterLog } from '../../src/validation/cluster/cluster-log';
import { ClusterPod } from '../../src/validation/cluster/cluster-pod';
import { PodControllers } from '../../src/validation/cluster/pod-controllers';
import { PodOwners } from '../../src/validation/cluster/pod-owner';
import { PodShapes } from '../../src/validation/cluster/pod-shapes';
import { stateNodes } from '../../src/validation/cluster/state-nodes';
import { Autoscalers } from '../../src/validation/manifest/autoscalers';
import { DefaultSpread } from '../../src/validation/manifest/default-spread';
import { ManifestModel, ManifestObject } from '../../src/validation/manifest/model';
import { Storage } from '../../src/validation/manifest/storage';
import { CheckOptions } from '../../src/validation/options';

/**
 * Pods of workloads of the manifests whose node goes are among those that the workload is to have: each of them is one of its own here, and
 * what it is on its node, whatever the workload has become.
 *
 * @param objects of the cluster and of the manifests
 */
export function withNamedPods(
  { workloads }: ManifestModel, input: ScheduleInput, objects: readonly ManifestObject[], options: CheckOptions,
): ScheduleInput {
  const owners = new PodOwners(workloads.map(({ object }) => object));
  const shapes = shapesOf(objects, options);
  const going = new Set(stateNodes(objects).flatMap(({ leaving, node }) => leaving && node ? [node.name] : []));
  const staying = new Set(input.nodes?.flatMap(({ pods }) => pods.map(keyOf)));
  const pods = [...input.pods];
  for (const object of objects.filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1')) {
    const pod = new ClusterPod(object);
    const owner = going.has(pod.nodeName) && pod.moves && !staying.has(keyOf(pod)) ? owners.of(pod) : undefined;
    const at = owner ? pods.findIndex((group) => keyOf(group) === keyOf(owner) && group.count > 0) : -1;
    const shape = at < 0 ? undefined : shapes.of(pod);
    if (!shape) continue;
    pods[at] = { ...pods[at], count: pods[at].count - 1 };
    pods.push({ namespace: pod.namespace, name: pod.name, count: 1, shape, bare: true, age: pod.age });
  }
  return { ...input, pods: pods.filter(({ count }) => count > 0) };
}

function shapesOf(objects: readonly ManifestObject[], { schedulerConfig }: CheckOptions): PodShapes {
  const around = { storage: new Storage(objects), autoscalers: new Autoscalers(objects), defaultSpread: new DefaultSpread(objects, schedulerConfig) };
  return new PodShapes(around, new PodControllers(objects), new ClusterLog());
}

function keyOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace ?? 'default'}/${name}`;
}
