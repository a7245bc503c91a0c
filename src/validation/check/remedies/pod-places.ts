import { SchedulePlan } from '../../../scheduling';
import { changedObjectKey } from '../../manifest/edit/changed-source';

/**
 * The nodes of each workload and NodePool. Plans of two inputs have the same text for a workload if its pods are on
 * nodes alike, with the same other pods.
 *
 * @param workloadOf the workload of each pod group
 * @param numbers numbers of unlike nodes, the same for all plans that are compared
 */
export function placesOf(
  { nodeClaims, filledNodes }: SchedulePlan,
  workloadOf: ReadonlyMap<number, string>,
  numbers: Map<string, number>,
): Map<string, string> {
  const places = new Map<string, number[]>();
  const add = (keys: Iterable<string>, groups: ReadonlyMap<number, number>, node: readonly unknown[]) => {
    const pods = [...groups].map(([group, count]) => `${workloadOf.get(group) ?? group} ${count}`).sort();
    const text = JSON.stringify([node, pods]);
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    for (const key of keys) places.set(key, [...(places.get(key) ?? []), numbers.get(text)!]);
  };
  const workloadsOf = (groups: ReadonlyMap<number, number>) =>
    new Set([...groups.keys()].flatMap((group) => workloadOf.get(group) ?? []));
  for (const { groups, nodePool, instanceTypes, zones, capacityTypes, cheapest } of nodeClaims) {
    const pool = changedObjectKey({ kind: 'NodePool', name: nodePool });
    add([pool, ...workloadsOf(groups)], groups, [nodePool, instanceTypes.length, zones, capacityTypes, cheapest]);
  }
  for (const { groups, node } of filledNodes) add(workloadsOf(groups), groups, [node]);
  return new Map([...places].map(([key, nodes]) => [key, nodes.sort((a, b) => a - b).join()]));
}
