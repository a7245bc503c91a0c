import { formatAmount, listText, ResourceList } from '../../model';
import { leftBehind, passesWithoutReasons, planOfPasses, poolTables, ScheduleInput } from '../../scheduling';
import { limitShortfall } from '../instance-types/limit-shortfall';
import { capacityOf } from '../instance-types/node-fit';
import { RuleContext } from '../context/check-session';

type LastPass = Pick<RuleContext, 'input' | 'plan' | 'lastInput' | 'catalog'>;

/** Most runs of the solver for one NodePool. */
const MAX_TRIES = 20;
/** With more pods, each run takes too long. */
const MAX_PODS = 20_000;

/** One raise of limits with which several groups of pods fit together. */
export interface JointRaise {
  readonly groups: ReadonlySet<number>;
  readonly description: string;
  readonly tried: number;
}

/**
 * For NodePools whose limits are below each of their instance types: the limits with which all pods fit that need
 * nothing else. They are tried for all of these pods together, because each node counts against the same limits.
 */
export function jointRaises(context: LastPass, pending: ReadonlySet<number>): JointRaise[] {
  const { lastInput, plan } = context;
  if (pending.size < 2 || isTooLarge(lastInput)) return [];
  return lastInput.nodePools.flatMap(({ name, limits }) => {
    const steps = missingCapacity(context, name, limits);
    if (steps === undefined) return [];
    const pods = plan.unschedulable.filter(({ group }) => pending.has(group)).length;
    return raiseFor(context, name, limits, steps, pending, pods) ?? [];
  });
}

/** The capacity of the smallest type in the resources whose limits it exceeds; undefined if any type is within them. */
function missingCapacity(
  { plan, input, catalog }: LastPass,
  name: string,
  limits: ResourceList,
): ResourceList | undefined {
  const view = plan.pools.find((pool) => pool.name === name);
  const table = poolTables(input, catalog).tables.get(name);
  // A limit of 0 disables the NodePool on purpose.
  if (view === undefined || table === undefined || limits.size === 0 || [...limits.values()].includes(0n))
    return undefined;
  const rows = new Map(table.names.map((type, index) => [type, index]));
  const shortfall = limitShortfall(
    limits,
    view.instanceTypes.map((type) => ({ name: type, capacity: capacityOf(table, rows.get(type)!) })),
  );
  return (
    shortfall && new Map(shortfall.exceeded.map((resource) => [resource, shortfall.smallest.capacity.get(resource)!]))
  );
}

function raiseFor(
  { lastInput, catalog }: LastPass,
  name: string,
  limits: ResourceList,
  step: ResourceList,
  pending: ReadonlySet<number>,
  pods: number,
): JointRaise | undefined {
  let tried = 0;
  const isPlacedWith = (raised: ResourceList, groups: ReadonlySet<number>) => {
    tried++;
    const passes = passesWithoutReasons(withLimits(lastInput, name, raised), catalog);
    const left = leftBehind(passes[passes.length - 1].solved);
    const used = planOfPasses(passes).nodeClaims.filter(({ nodePool }) => nodePool === name);
    return new Set(
      [...groups].filter((group) => !left.has(group) && used.some((claim) => (claim.groups.get(group) ?? 0) > 0)),
    );
  };
  const groups = isPlacedWith(new Map(), pending);
  if (groups.size < 2) return undefined;
  const raisedBy = (nodes: number) =>
    new Map([...limits, ...[...step].map(([resource, amount]) => [resource, amount * BigInt(nodes)] as const)]);
  const isEnough = (nodes: number) => isPlacedWith(raisedBy(nodes), groups).size === groups.size;
  let high = 1;
  while (!isEnough(high)) {
    if (tried >= MAX_TRIES || high > pods * MAX_TRIES) return undefined;
    high *= 2;
  }
  let low = high / 2;
  while (high - low > 1 && tried < MAX_TRIES) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  const raised = raisedBy(high);
  const changes = [...step.keys()].map(
    (resource) =>
      `limits.${resource} of NodePool ${name} from ${formatAmount(resource, limits.get(resource)!)} to ${formatAmount(resource, raised.get(resource)!)}`,
  );
  return { groups, tried, description: `raise ${listText(changes)}` };
}

/** How much more than the launched nodes the limits may count: an unlaunched node counts as its largest type. */
const FACTORS = [
  [1n, 1n],
  [5n, 4n],
  [3n, 2n],
  [2n, 1n],
  [3n, 1n],
] as const;

/**
 * All limits of a NodePool raised together, for pods of one group that no change of a single limit helps. Without
 * limits, the NodePool launches some number of nodes: the limits are what these nodes need.
 */
export function raiseOfAllLimits(context: LastPass, group: number): { description: string; tried: number } | undefined {
  const { lastInput, catalog, input, plan } = context;
  const reasons = plan.unschedulable.find((pod) => pod.group === group)?.reasons ?? [];
  let tried = 0;
  if (isTooLarge(lastInput)) return undefined;
  for (const { name, limits } of lastInput.nodePools) {
    const isAtLimit = reasons.some(
      ({ nodePool, diagnosis = '', message }) => nodePool === name && /limit/.test(`${diagnosis} ${message}`),
    );
    if (!isAtLimit) continue;
    const table = poolTables(input, catalog).tables.get(name);
    const isOpen = plan.pools.some((pool) => pool.name === name && pool.instanceTypes.length > 0);
    if (table === undefined || !isOpen || limits.size < 2 || [...limits.values()].includes(0n)) continue;
    const solve = (raised: ResourceList) => {
      tried++;
      const passes = passesWithoutReasons(withLimits(lastInput, name, raised), catalog);
      return {
        claims: planOfPasses(passes).nodeClaims,
        isPlaced: !leftBehind(passes[passes.length - 1].solved).has(group),
      };
    };
    const unlimited = solve(new Map());
    if (
      !unlimited.isPlaced ||
      !unlimited.claims.some((claim) => claim.nodePool === name && (claim.groups.get(group) ?? 0) > 0)
    )
      continue;
    const rows = new Map(table.names.map((type, index) => [type, index]));
    const nodes = unlimited.claims
      .filter(({ nodePool }) => nodePool === name)
      .map(({ instanceTypes, launch }) =>
        capacityOf(table, rows.get(launch?.cheapest.instanceType ?? instanceTypes[0])!),
      );
    for (const [times, divisor] of FACTORS) {
      const needed = (resource: string) =>
        (nodes.reduce((sum, capacity) => sum + (capacity.get(resource) ?? 0n), 0n) * times) / divisor;
      const raised = new Map(
        [...limits].map(
          ([resource, limit]) =>
            [resource, needed(resource) > limit ? rounded(resource, needed(resource)) : limit] as const,
        ),
      );
      if (!solve(raised).isPlaced) continue;
      const changed = [...limits.keys()].filter((resource) => raised.get(resource) !== limits.get(resource));
      const changes = changed.map(
        (resource) =>
          `limits.${resource} of NodePool ${name} from ${formatAmount(resource, limits.get(resource)!)} to ${formatAmount(resource, raised.get(resource)!)}`,
      );
      return changes.length === 0 ? undefined : { description: `raise ${listText(changes)}`, tried };
    }
  }
  return undefined;
}

function isTooLarge({ pods }: ScheduleInput): boolean {
  return pods.reduce((sum, { count }) => sum + count, 0) > MAX_PODS;
}

/** Whole CPUs, and whole GiB of memory. */
function rounded(resource: string, amount: bigint): bigint {
  const unit = resource === 'cpu' ? 1000n : resource === 'memory' ? 2n ** 30n : 1n;
  return ((amount + unit - 1n) / unit) * unit;
}

function withLimits(input: ScheduleInput, name: string, limits: ResourceList): ScheduleInput {
  return {
    ...input,
    nodePools: input.nodePools.map((pool) => (pool.name === name ? { ...pool, limits: new Map(limits) } : pool)),
  };
}
