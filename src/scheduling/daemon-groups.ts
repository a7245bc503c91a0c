/* eslint-disable no-bitwise -- sets of instance types are bit sets */
import { PackerSolution } from '../kernel';
import { merge, minResources, ResourceList } from '../model';
import { withPod } from './pod-classes';
import { DaemonSetSpec } from './schedule-input';

/** Instance types of one template on which the same daemonsets run. */
export interface DaemonGroup {
  readonly has: (type: number) => boolean;
  /** Indices of the daemonsets. */
  readonly daemonSets: readonly number[];
  /** What they request together, `pods` included; empty where none runs. */
  readonly overhead: ReadonlyMap<string, bigint>;
}

export function bitReader(bytes: Uint8Array, start: number): (type: number) => boolean {
  return (type) => ((bytes[start + (type >> 3)] >> (type & 7)) & 1) === 1;
}

/**
 * The groups that the kernel found, per template, by the names of their daemonsets, and that without any last. Karpenter takes them
 * from a map; with that group first it would forget that some types carry no daemonset.
 */
export function daemonGroups(solution: PackerSolution, templates: number, daemonSets: readonly DaemonSetSpec[]): DaemonGroup[][] {
  return Array.from({ length: templates }, (_, template) => {
    const groups: DaemonGroup[] = [];
    for (let group = solution.groupStart[template]; group < solution.groupStart[template + 1]; group++) {
      const running = daemonSets.map((_daemon, d) => d).filter((d) => solution.groupDaemons[group * daemonSets.length + d] === 1);
      groups.push({
        has: bitReader(solution.groupTypes, group * solution.typeBytes),
        daemonSets: running,
        overhead: merge(...running.map((d) => withPod(daemonSets[d].shape.requests))),
      });
    }
    return groups.sort((left, right) => nameOf(left, daemonSets) > nameOf(right, daemonSets) ? -1 : 1);
  });
}

function nameOf({ daemonSets: running }: DaemonGroup, daemonSets: readonly DaemonSetSpec[]): string {
  return running.map((at) => `${daemonSets[at].namespace}/${daemonSets[at].name}`).sort().join(',');
}

/** What Karpenter adds to a claim's requests: the least overhead among the groups that still have one of its types. */
export function leastOverhead(groups: readonly DaemonGroup[], types: readonly number[]): ResourceList {
  let least: ReadonlyMap<string, bigint> = new Map();
  for (const group of groups) {
    if (!types.some(group.has)) continue;
    least = least.size === 0 ? group.overhead : minResources(least, group.overhead);
  }
  return least;
}
