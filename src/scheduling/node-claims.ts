import { PackerSolution } from '../kernel';
import { merge, Requirements, ResourceList } from '../model';
import { bitReader, DaemonGroup, leastOverhead } from './daemon-groups';
import { PlannedNodeClaim } from './domain';
import { LaunchPricing } from './launch-options';
import { PodVariant } from './pod-classes';
import { podName } from './pod-name';
import { Workload } from './problem';

interface Gathered {
  readonly pods: string[];
  readonly groups: Map<number, number>;
  readonly variants: Set<number>;
}

/** The kernel's claims in domain words. */
export function nodeClaims(
  workload: Workload, solution: PackerSolution, groups: ReadonlyArray<readonly DaemonGroup[]>, pricing: LaunchPricing,
): PlannedNodeClaim[] {
  const variants = workload.pods.classes.flatMap((podClass) => podClass.variants);
  const ordinals = new Map<string, number>();
  return gather(workload, solution).map((gathered, claim) => {
    const at = solution.claims[claim * 3];
    const template = workload.templates[at];
    const has = bitReader(solution.claimTypes, claim * solution.typeBytes);
    const { types, zones, capacityTypes, cheapest } = pricing.options(template.table, narrowed(template.requirements, gathered, variants), has);
    const ordinal = ordinals.get(template.pool.name) ?? 0;
    ordinals.set(template.pool.name, ordinal + 1);
    return {
      id: `${template.pool.name}-${ordinal}`,
      nodePool: template.pool.name,
      pods: gathered.pods,
      groups: gathered.groups,
      requests: merge(podRequests(workload, gathered), leastOverhead(groups[at], types)),
      instanceTypes: types.map((type) => template.table.names[type]),
      zones,
      capacityTypes,
      cheapest,
    };
  });
}

function gather(workload: Workload, solution: PackerSolution): Gathered[] {
  const result: Gathered[] = Array.from({ length: solution.claimCount }, () => ({ pods: [], groups: new Map(), variants: new Set() }));
  const placed = new Array<number>(workload.groups.length).fill(0);
  for (let at = 0; at < solution.placements.length; at += 3) {
    const [group, claim, variant] = solution.placements.subarray(at, at + 3);
    const { pods, groups, variants } = result[claim];
    pods.push(podName(workload.groups[group], placed[group]++));
    groups.set(group, (groups.get(group) ?? 0) + 1);
    variants.add(variant);
  }
  return result;
}

function narrowed(template: Requirements, { variants: used }: Gathered, variants: readonly PodVariant[]): Requirements {
  const requirements = template.copy();
  for (const variant of used) requirements.add(...variants[variant].requirements.values());
  return requirements;
}

function podRequests({ pods: { classes, classOf } }: Workload, { groups }: Gathered): ResourceList {
  return merge(...[...groups].map(([group, count]) =>
    new Map([...classes[classOf[group]].requests].map(([resource, amount]) => [resource, amount * BigInt(count)]))));
}
