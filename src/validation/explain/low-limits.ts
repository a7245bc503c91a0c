import { amountsPerColumnUnit, formatAmount, Label, listText, ResourceList } from '../../model';
import {
  isStatic,
  leftBehind,
  NodePoolSpec,
  passesWithoutReasons,
  planOfPasses,
  PlannedNodeClaim,
  poolTables,
  ScheduleInput,
} from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { capacityOf } from '../instance-types/node-fit';

type LastPass = Pick<RuleContext, 'input' | 'plan' | 'lastInput' | 'catalog'>;

/** Bounds the run time by the pods that all runs of the solver for one NodePool schedule together. */
const MAX_SOLVED_PODS = 400_000;
const MAX_TRIES = 14;
/** With more pods, even a few runs of the solver take too long. */
const MAX_PODS = 60_000;
/** At most this many steps between the written limits and enough ones. */
const MAX_STEPS = 256;

/** Higher limits of one NodePool, with which the pods of all its groups fit together. */
export interface LimitRaise {
  readonly nodePool: string;
  readonly groups: ReadonlySet<number>;
  /** The limits to raise, and what they have to be. */
  readonly raised: ResourceList;
  readonly description: string;
  readonly tried: number;
}

/**
 * For each NodePool whose limits leave pods without a node: the limits with which all pods fit that need nothing else.
 * They are tried for all of these pods together, because each node counts against the same limits.
 */
export function limitRaises(context: LastPass, pending: ReadonlySet<number>): LimitRaise[] {
  const { lastInput } = context;
  const pods = podsOf(lastInput);
  if (pending.size === 0 || pods > MAX_PODS) return [];
  const raises: LimitRaise[] = [];
  const left = new Set(pending);
  for (const pool of [...lastInput.nodePools].sort((first, second) => second.weight - first.weight)) {
    if (pool.limits.size === 0 || isStatic(pool)) continue;
    const blamed = groupsAtLimit(context, pool.name, left);
    const raise = blamed.size === 0 ? undefined : raiseOf(context, pool, blamed);
    if (raise === undefined) continue;
    raises.push(raise);
    for (const group of raise.groups) left.delete(group);
  }
  return raises;
}

/** The groups with pods that the limits of the NodePool refuse, among other reasons. */
function groupsAtLimit({ plan }: LastPass, name: string, pending: ReadonlySet<number>): Set<number> {
  const refused = plan.unschedulable.filter(
    ({ group, reasons }) =>
      pending.has(group) &&
      reasons.some(
        ({ nodePool, diagnosis = '', message }) => nodePool === name && /\blimits?\b/.test(`${diagnosis} ${message}`),
      ),
  );
  return new Set(refused.map(({ group }) => group));
}

/** Without limits, the NodePool launches some nodes. The limits that these need are lowered as far as all pods fit. */
function raiseOf(context: LastPass, pool: NodePoolSpec, blamed: ReadonlySet<number>): LimitRaise | undefined {
  const { lastInput, catalog } = context;
  const { name, limits } = pool;
  const table = poolTables(lastInput, catalog).tables.get(name);
  if (table === undefined) return undefined;
  const maxTries = Math.min(MAX_TRIES, Math.max(4, Math.floor(MAX_SOLVED_PODS / Math.max(1, podsOf(lastInput)))));
  const before = pendingCounts(context);
  let tried = 0;
  const solve = (raised: ResourceList) => {
    tried++;
    const passes = passesWithoutReasons(withLimits(lastInput, name, raised), catalog);
    const after = leftBehind(passes[passes.length - 1].solved);
    const claims = planOfPasses(passes).nodeClaims.filter(({ nodePool }) => nodePool === name);
    const isWorse = [...after].some(([group, count]) => count > (before.get(group) ?? 0));
    const placed = [...blamed].filter(
      (group) => !after.has(group) && claims.some((claim) => (claim.groups.get(group) ?? 0) > 0),
    );
    return { claims, groups: new Set(isWorse ? [] : placed) };
  };
  const unlimited = solve(new Map());
  if (unlimited.groups.size === 0) return undefined;
  const { groups } = unlimited;
  const isEnough = (raised: ResourceList) => {
    const { groups: placed } = solve(raised);
    return [...groups].every((group) => placed.has(group));
  };
  const rows = new Map(table.names.map((type, index) => [type, index]));
  const used = usage(lastInput, name, unlimited.claims, ({ launch, instanceTypes }) =>
    capacityOf(table, rows.get(launch?.cheapest.instanceType ?? instanceTypes[0])!),
  );
  // Until it is launched, a node counts as its largest type, so more may be needed than the nodes have.
  const factors = [1, 1.25, 1.5, 2, 3].map((factor) => raisedTo(limits, used, factor));
  const enough = factors.find((raised) => tried < maxTries && isEnough(raised));
  if (enough === undefined) return undefined;
  const raised = leastBetween(limits, enough, (candidate) => tried < maxTries && isEnough(candidate));
  const changes = [...raised].map(
    ([resource, amount]) =>
      `limits.${resource} of NodePool ${name} from ${formatAmount(resource, limits.get(resource)!)} to ${formatAmount(resource, amount)}`,
  );
  return changes.length === 0
    ? undefined
    : { nodePool: name, groups, raised, tried, description: `raise ${listText(changes)}` };
}

/** What the existing and the planned nodes of the NodePool count against its limits. */
function usage(
  { nodes = [] }: ScheduleInput,
  name: string,
  claims: readonly PlannedNodeClaim[],
  capacity: (claim: PlannedNodeClaim) => ResourceList,
): ResourceList {
  const own = nodes.filter(({ labels, markedForDeletion }) => labels[Label.NODE_POOL] === name && !markedForDeletion);
  const used = new Map<string, bigint>([['nodes', BigInt(own.length + claims.length)]]);
  for (const list of [...own.map((node) => node.capacity), ...claims.map(capacity)]) {
    for (const [resource, amount] of list) used.set(resource, (used.get(resource) ?? 0n) + amount);
  }
  return used;
}

function raisedTo(limits: ResourceList, used: ResourceList, factor: number): ResourceList {
  const hundredths = BigInt(Math.round(factor * 100));
  return new Map(
    [...limits].map(([resource, limit]) => {
      const needed = rounded(resource, ((used.get(resource) ?? 0n) * hundredths) / 100n);
      return [resource, needed > limit ? needed : limit];
    }),
  );
}

/** The least limits between the written ones and enough ones that are enough, by bisection. Only raised ones. */
function leastBetween(
  limits: ResourceList,
  enough: ResourceList,
  isEnough: (raised: ResourceList) => boolean,
): ResourceList {
  const raisedKeys = [...limits.keys()].filter((resource) => enough.get(resource)! > limits.get(resource)!);
  const units = raisedKeys.map((resource) => (enough.get(resource)! - limits.get(resource)!) / unitOf(resource) + 1n);
  const steps = units.reduce((most, count) => (count > most ? count : most), 1n);
  const last = steps > BigInt(MAX_STEPS) ? MAX_STEPS : Number(steps);
  const at = (step: number) =>
    new Map(
      [...limits].map(([resource, limit]) => {
        const needed = limit + ((enough.get(resource)! - limit) * BigInt(step)) / BigInt(last);
        return [resource, step === last ? enough.get(resource)! : rounded(resource, needed)];
      }),
    );
  let [low, high] = [0, last];
  let found = enough;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const candidate = at(middle);
    if (isEnough(candidate)) [high, found] = [middle, candidate];
    else low = middle;
  }
  const result = found;
  return new Map(
    raisedKeys
      .filter((resource) => result.get(resource)! > limits.get(resource)!)
      .map((resource) => [resource, result.get(resource)!]),
  );
}

function pendingCounts({ plan }: LastPass): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { group } of plan.unschedulable) counts.set(group, (counts.get(group) ?? 0) + 1);
  return counts;
}

function podsOf({ pods }: ScheduleInput): number {
  return pods.reduce((sum, { count }) => sum + count, 0);
}

/** Whole CPUs, and whole GiB of memory. */
function rounded(resource: string, amount: bigint): bigint {
  const unit = unitOf(resource);
  return ((amount + unit - 1n) / unit) * unit;
}

function unitOf(resource: string): bigint {
  if (resource === 'cpu') return 1000n;
  return resource === 'memory' ? 2n ** 30n * BigInt(amountsPerColumnUnit('memory')) : 1n;
}

function withLimits(input: ScheduleInput, name: string, limits: ResourceList): ScheduleInput {
  return {
    ...input,
    nodePools: input.nodePools.map((pool) => (pool.name === name ? { ...pool, limits: new Map(limits) } : pool)),
  };
}
