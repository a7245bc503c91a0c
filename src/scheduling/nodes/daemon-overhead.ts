/* eslint-disable no-bitwise -- sets of instance types are bit sets */
import { PackerSolution } from '../../kernel';
import { merge, minResources, Requirements, ResourceList, untolerated, WELL_KNOWN_LABELS } from '../../model';
import { withPod, HostPort } from '../input/pod-shape';
import { DaemonSetSpec } from '../input/schedule-input';
import { PoolTemplate } from '../launch/pool-template';
import { compatibleTypes } from '../launch/type-filter';
import { conflicts } from '../pods/host-ports';
import { daemonVariants } from '../pods/relaxation';

/** Instance types of one template on which the same daemonsets run; Karpenter's DaemonOverheadGroup. */
export interface DaemonOverheadGroup {
  readonly has: (type: number) => boolean;
  /** Indices of the daemonsets. */
  readonly daemonSets: readonly number[];
  /** Sum of their requests, `pods` included; empty if no daemonset runs on these types. */
  readonly overhead: ReadonlyMap<string, bigint>;
}

export function bitReader(bytes: Uint8Array, start: number): (type: number) => boolean {
  return (type) => ((bytes[start + (type >> 3)] >> (type & 7)) & 1) === 1;
}

/**
 * The kernel's groups of each template, sorted by the names of their daemonsets; the group without daemonsets is last.
 * Karpenter iterates over a map here. If the group without daemonsets came first, `leastOverhead` would ignore it.
 */
export function daemonOverheadGroups(
  solution: PackerSolution,
  templates: number,
  daemonSets: readonly DaemonSetSpec[],
): DaemonOverheadGroup[][] {
  return Array.from({ length: templates }, (_, template) => {
    const groups: DaemonOverheadGroup[] = [];
    for (let group = solution.groupStart[template]; group < solution.groupStart[template + 1]; group++) {
      const running = daemonSets
        .map((_daemon, d) => d)
        .filter((d) => solution.groupDaemons[group * daemonSets.length + d] === 1);
      groups.push({
        has: bitReader(solution.groupTypes, group * solution.typeBytes),
        daemonSets: running,
        overhead: merge(...running.map((d) => withPod(daemonSets[d].shape.requests))),
      });
    }
    return groups.sort((left, right) => (nameOf(left, daemonSets) > nameOf(right, daemonSets) ? -1 : 1));
  });
}

function nameOf({ daemonSets: running }: DaemonOverheadGroup, daemonSets: readonly DaemonSetSpec[]): string {
  return running
    .map((index) => `${daemonSets[index].namespace}/${daemonSets[index].name}`)
    .sort()
    .join(',');
}

/**
 * The overhead that Karpenter adds to a claim's requests: the minimum over the groups that contain one of its types.
 */
export function leastOverhead(groups: readonly DaemonOverheadGroup[], types: readonly number[]): ResourceList {
  let least: ReadonlyMap<string, bigint> = new Map();
  for (const group of groups) {
    if (!types.some(group.has)) continue;
    least = least.size === 0 ? group.overhead : minResources(least, group.overhead);
  }
  return least;
}

/**
 * Requests of the daemonsets by instance type, `pods` included, also for types that the pool excludes. Types with the
 * same daemonsets share one list. Computed on first use, because most plans have nothing to explain.
 *
 * @param requirements requirements to use in place of the pool's own
 */
export function daemonOverheadByType(
  template: PoolTemplate,
  requirements: Requirements,
  daemonSets: readonly DaemonSetSpec[],
): (type: number) => ResourceList {
  let overheadOf: ((type: number) => ResourceList) | undefined;
  return (type) => {
    overheadOf ??= computeOverhead(template, requirements, daemonSets);
    return overheadOf(type);
  };
}

/** The kernel's overhead of types in a group; `fallback` for the types that the pool excludes. */
export function groupOverheadByType(
  groups: readonly DaemonOverheadGroup[],
  fallback: (type: number) => ResourceList,
): (type: number) => ResourceList {
  return (type) => groups.find((group) => group.has(type))?.overhead ?? fallback(type);
}

function computeOverhead(
  template: PoolTemplate,
  requirements: Requirements,
  daemonSets: readonly DaemonSetSpec[],
): (type: number) => ResourceList {
  const groups = new Int32Array(template.table.names.length);
  const lists: ResourceList[] = [new Map()];
  for (const daemonSet of daemonSets) {
    const isHost = hostTest(daemonSet, template, requirements);
    const successors = new Map<number, number>();
    for (let type = 0; type < groups.length; type++) {
      if (!isHost(type)) continue;
      let group = successors.get(groups[type]);
      if (group === undefined) {
        group = lists.push(merge(lists[groups[type]], withPod(daemonSet.shape.requests))) - 1;
        successors.set(groups[type], group);
      }
      groups[type] = group;
    }
  }
  return (type) => lists[groups[type]];
}

/**
 * Whether a daemonset that uses one of the host ports runs on nodes of a type, also for types that the pool excludes.
 *
 * @param requirements requirements to use in place of the pool's own
 */
export function hostPortTest(
  template: PoolTemplate,
  requirements: Requirements,
  daemonSets: readonly DaemonSetSpec[],
  hostPorts: readonly HostPort[],
): (type: number) => boolean {
  const tests = daemonSets
    .filter(({ shape }) => conflicts(hostPorts, shape.hostPorts))
    .map((daemonSet) => hostTest(daemonSet, template, requirements));
  return (type) => tests.some((isHost) => isHost(type));
}

/** Whether the daemonset runs on nodes of a type. */
function hostTest(
  daemonSet: DaemonSetSpec,
  { pool, table }: PoolTemplate,
  requirements: Requirements,
): (type: number) => boolean {
  const masks = daemonVariants(daemonSet)
    .filter(({ tolerations }) => untolerated(pool.taints, tolerations).length === 0)
    .filter((variant) => requirements.isCompatible(variant.requirements, WELL_KNOWN_LABELS))
    .map((variant) => compatibleTypes(table, variant.requirements));
  return (type) => masks.some((mask) => mask[type]);
}
