import { merge, Requirements, ResourceList, untolerated, WELL_KNOWN_LABELS } from '../model';
import { DaemonGroup } from './daemon-groups';
import { withPod } from './pod-classes';
import { daemonVariants } from './relaxation';
import { DaemonSetSpec } from './schedule-input';
import { PoolTemplate } from './templates';
import { compatibleTypes } from './type-filter';

/**
 * What daemonsets request of each instance type, `pods` included; also of types that the pool does not allow. Types with the same
 * daemonsets share one list.
 *
 * @param own requirements to take the pool's for
 */
export function daemonOverheads(template: PoolTemplate, own: Requirements, daemonSets: readonly DaemonSetSpec[]): (type: number) => ResourceList {
  // Most plans have nothing to explain.
  let found: ((type: number) => ResourceList) | undefined;
  return (type) => {
    found ??= compute(template, own, daemonSets);
    return found(type);
  };
}

/** As the kernel found it, and of types that the pool does not allow as it would be. */
export function ofGroups(groups: readonly DaemonGroup[], others: (type: number) => ResourceList): (type: number) => ResourceList {
  return (type) => groups.find((group) => group.has(type))?.overhead ?? others(type);
}

function compute(template: PoolTemplate, own: Requirements, daemonSets: readonly DaemonSetSpec[]): (type: number) => ResourceList {
  const groups = new Int32Array(template.table.names.length);
  const lists: ResourceList[] = [new Map()];
  for (const daemonSet of daemonSets) {
    const isHost = hostsOf(daemonSet, template, own);
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

function hostsOf(daemonSet: DaemonSetSpec, { pool, table }: PoolTemplate, own: Requirements): (type: number) => boolean {
  const masks = daemonVariants(daemonSet)
    .filter(({ tolerations }) => untolerated(pool.taints, tolerations).length === 0)
    .filter(({ requirements }) => own.isCompatible(requirements, WELL_KNOWN_LABELS))
    .map(({ requirements }) => compatibleTypes(table, requirements));
  return (type) => masks.some((mask) => mask[type]);
}
