import { Attempt } from './attempt';
import { Funnel, poolFunnel } from './funnel';
import { allocatable, isTopology, minValuesShortfalls } from './launchable-types';
import { valuesText } from './wording';
import { PackerRefusal } from '../../kernel';
import {
  columnAmount,
  formatAmount,
  formatTaint,
  listText,
  merge,
  Requirement,
  Requirements,
  ResourceList,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../model';
import { NODES } from '../launch/pool-template';
import { admission, compatibleOfferings, isOffered } from '../launch/type-filter';
import { Elimination } from '../schedule-plan';

/** In Karpenter's order of checks, if it has one. */
const STEPS: ReadonlyArray<(funnel: Funnel, attempt: Attempt) => void> = [
  narrowByMinimaOfPool,
  narrowByLimits,
  narrowByTaints,
  narrowByPod,
  narrowByVolumes,
  narrowByTopology,
  narrowByOfferings,
  narrowByPorts,
  narrowByRequests,
  narrowByMinima,
  narrowByReservations,
];

/**
 * Instance types left after each constraint for a pod on a new node of the pool, up to the constraint that leaves none.
 */
export function attemptFunnel(attempt: Attempt): Elimination[] {
  const funnel = poolFunnel(attempt.template);
  for (const step of STEPS) {
    if (funnel.isEmpty) break;
    step(funnel, attempt);
  }
  return untilEmpty(funnel.steps);
}

/** The steps up to the first that leaves nothing. */
function untilEmpty(steps: readonly Elimination[]): Elimination[] {
  const end = steps.findIndex(({ left }) => left === 0);
  return end < 0 ? [...steps] : steps.slice(0, end + 1);
}

/** Karpenter does not try a pool that cannot meet its own minValues. */
function narrowByMinimaOfPool(funnel: Funnel, attempt: Attempt): void {
  const [short] = minValuesShortfalls(attempt, funnel.types, attempt.template.requirements);
  if (short !== undefined) funnel.endByMinValues(short);
}

function narrowByLimits(
  funnel: Funnel,
  { template: { pool, table, limitsLeft: poolLimits }, limitsLeft }: Attempt,
): void {
  if (poolLimits.get(NODES) === 0n) funnel.end('limits.nodes, which is reached');
  for (const resource of [...limitsLeft.keys()].sort()) {
    const left = limitsLeft.get(resource)!;
    const column = table.capacity[table.resources.indexOf(resource)];
    const text = `limits.${resource}, ${formatAmount(resource, left < 0n ? 0n : left)} of ${formatAmount(resource, pool.limits.get(resource)!)} left`;
    funnel.narrow(text, (type) => (column === undefined ? 0n : columnAmount(resource, column[type])) <= left);
  }
}

function narrowByTaints(funnel: Funnel, { template: { pool }, variant }: Attempt): void {
  if (pool.taints.length === 0) return;
  const taints = untolerated(pool.taints, variant.tolerations);
  const text = (some: typeof pool.taints) =>
    `${some.length === 1 ? 'the taint' : 'the taints'} ${listText(some.map(formatTaint))}`;
  if (taints.length === 0) funnel.narrow(`${text(pool.taints)}, tolerated`, () => true);
  else funnel.end(`${text(taints)}, not tolerated`);
}

function narrowByPod(funnel: Funnel, { template: { requirements }, variant, template }: Attempt): void {
  narrowByAll(
    funnel,
    requirements,
    variant.requirements,
    template.table,
    (requirement) => `the pod's ${requirement.key} ${valuesText(requirement)}`,
  );
}

function narrowByVolumes(funnel: Funnel, { template: { requirements, table }, variant, volumes }: Attempt): void {
  const node = requirements.copy();
  node.add(...variant.requirements.values());
  narrowByAll(funnel, node, volumes, table, (requirement) => `the volumes' ${requirement}`);
}

/** Narrows by requirements that are added to a node's requirements, label by label. */
function narrowByAll(
  funnel: Funnel,
  node: Requirements,
  added: Requirements,
  table: Attempt['template']['table'],
  name: (requirement: Requirement) => string,
): void {
  for (const requirement of added.values()) {
    if (!node.isCompatible(Requirements.of([requirement]), WELL_KNOWN_LABELS)) {
      funnel.end(
        `${name(requirement)}, but the NodePool ${node.has(requirement.key) ? `allows ${valuesText(node.get(requirement.key))}` : 'does not set the label'}`,
      );
      return;
    }
    const column = table.labels.find(({ key }) => key === requirement.key);
    const both = node.has(requirement.key) ? node.get(requirement.key).intersect(requirement) : requirement;
    funnel.narrow(name(requirement), column ? admission(column, both) : () => true);
  }
}

function narrowByTopology(funnel: Funnel, { refusal, template: { table }, picks, requirements }: Attempt): void {
  if (isTopology(refusal)) {
    funnel.end('topology constraints, which allow no domain');
    return;
  }
  for (const { group, domains } of picks) {
    const column = table.labels.find(({ key }) => key === group.key);
    funnel.narrow(
      `${group.type} over ${group.key}: ${domains.join(', ')}`,
      column ? admission(column, requirements.get(group.key)) : () => true,
    );
  }
}

function narrowByOfferings(funnel: Funnel, { template: { table }, requirements }: Attempt): void {
  const planes = compatibleOfferings(table, requirements);
  const anyOf = (names: readonly string[]) => [...new Set(names)].sort().join(' or ');
  const text =
    planes.length === 0
      ? 'an offering that meets the requirements'
      : `offered as ${anyOf(planes.map(({ capacityType }) => capacityType))} in ${anyOf(planes.map(({ zone }) => zone))}`;
  funnel.narrow(text, (type) => isOffered(planes, type));
}

function narrowByPorts(funnel: Funnel, { hostPorts, isHostPortTaken }: Attempt): void {
  if (hostPorts.length === 0) return;
  const ports = listText(hostPorts.map(({ port, protocol }) => `${port}/${protocol}`));
  funnel.narrow(`host ${hostPorts.length === 1 ? 'port' : 'ports'} ${ports}`, (type) => !isHostPortTaken(type));
}

/** By the pod's requests, resource by resource, then together with the daemonsets. */
function narrowByRequests(funnel: Funnel, { template: { table }, requests, overheadOf }: Attempt): void {
  for (const resource of [...requests.keys()].filter((name) => requests.get(name)! > 0n).sort()) {
    const amount = requests.get(resource)!;
    funnel.narrow(
      `${resource} ${formatAmount(resource, amount)}`,
      (type) => amount <= allocatable(table, resource, type),
    );
  }
  if (funnel.isEmpty) return;
  const overheads = [...new Set(funnel.types.map(overheadOf))].filter((overhead) => overhead.size > 0);
  if (overheads.length === 0) return;
  funnel.narrow(`daemonsets with ${overheads.map(amountsText).join('; ')}`, (type) => {
    const wanted = merge(requests, overheadOf(type));
    return [...wanted].every(([resource, amount]) => amount <= allocatable(table, resource, type));
  });
}

function amountsText(list: ResourceList): string {
  return [...list.keys()]
    .sort()
    .map((resource) => `${resource} ${formatAmount(resource, list.get(resource)!)}`)
    .join(', ');
}

function narrowByMinima(funnel: Funnel, attempt: Attempt): void {
  const [short] = minValuesShortfalls(attempt, funnel.types);
  if (short !== undefined) funnel.endByMinValues(short);
}

function narrowByReservations(funnel: Funnel, { refusal }: Attempt): void {
  if (refusal === PackerRefusal.RESERVED)
    funnel.end('capacity reservations, which other new nodes hold until they are launched');
  if (refusal === PackerRefusal.RESERVATIONS_FULL) funnel.end('capacity reservations with a free instance');
}
