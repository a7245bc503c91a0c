import { describeInstanceType } from '../catalog';
import { Label, Requirement, Requirements, ResourceList, WELL_KNOWN_LABELS } from '../model';
import { PodShape } from './pod-shape';
import { ExistingNode } from './schedule-input';
import { Offer } from './schedule-plan';
import { PoolTemplate } from './templates';

/** Stands for the number that Karpenter draws, where a label may be anything: one that nobody asks for. */
const DRAWN = 2n ** 53n - 1n;

/**
 * The node that a launch brings, as Karpenter takes it from the launch on: empty yet.
 *
 * @param pods that it was launched for: what they select decides on labels that the pool leaves open
 */
export function launchedNode(template: PoolTemplate, offer: Offer, pods: readonly PodShape[] = []): Omit<ExistingNode, 'name'> {
  const { pool, table } = template;
  const type = table.names.indexOf(offer.instanceType);
  const amounts = (columns: readonly Float64Array[]): ResourceList =>
    new Map(table.resources.map((resource, at) => [resource, BigInt(Math.floor(columns[at][type]))]));
  return {
    labels: nodeLabels(template, type, offer, pods),
    taints: pool.taints,
    allocatable: amounts(table.allocatable),
    capacity: amounts(table.capacity),
    initialized: true,
    pods: [],
  };
}

/** Of a label that the pool and its pods leave several values the first stands for any. */
function nodeLabels(
  { pool, table, requirements }: PoolTemplate, type: number, { zone, capacityType }: Offer, pods: readonly PodShape[],
): Record<string, string> {
  const narrowed = Requirements.from(pool.requirements);
  for (const { nodeSelector, requiredNodeAffinity: [first] } of pods) {
    narrowed.add(...Requirements.fromLabels(nodeSelector).values(), ...Requirements.from(first?.matchExpressions ?? []).values());
  }
  const custom = narrowed.values()
    .filter(({ key }) => !WELL_KNOWN_LABELS.has(key))
    .flatMap((requirement): Array<[string, string]> => {
      const value = requirement.complement ? numberFor(requirement) : [...requirement.values].sort()[0];
      return value === undefined ? [] : [[requirement.key, value]];
    });
  return {
    ...Object.fromEntries(custom),
    ...describeInstanceType(table, type).labels,
    [Label.INSTANCE_TENANCY]: requirements.get(Label.INSTANCE_TENANCY).has('default') ? 'default' : 'dedicated',
    ...pool.labels,
    [Label.NODE_POOL]: pool.name,
    [Label.NODE_CLASS]: pool.nodeClass,
    [Label.REGISTERED]: 'true',
    [Label.INITIALIZED]: 'true',
    [Label.ZONE]: zone,
    [Label.CAPACITY_TYPE]: capacityType,
  };
}

function numberFor({ values, gte = 0n, lte }: Requirement): string {
  let number = lte ?? (gte > DRAWN ? gte : DRAWN);
  while (values.has(String(number))) number -= 1n;
  return String(number);
}
