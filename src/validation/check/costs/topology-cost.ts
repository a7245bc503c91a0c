import { roundedParts } from './allocate-costs';
import { Label } from '../../../model';
import { passesWithoutReasons, planOfPasses, PodShape, ScheduleInput, SchedulePlan } from '../../../scheduling';
import { RuleContext } from '../../rules';
import { TopologyCost, TopologySort } from '../../vocabulary/verdict';

const MILLIONTHS = 1e6;
/** So that a check of a large input does not take twice as long. */
const MAX_PODS = 2_000;

interface Sort {
  readonly name: TopologySort;
  isIn(shape: PodShape): boolean;
  without(shape: PodShape): PodShape;
}

/** Preferences count as well, because Karpenter keeps them as long as it can. */
const SORTS: readonly Sort[] = [
  spreadOver('spread over zones', (key) => key === Label.ZONE),
  spreadOver('spread over hosts', (key) => key === Label.HOSTNAME),
  spreadOver('spread over other labels', (key) => key !== Label.ZONE && key !== Label.HOSTNAME),
  {
    name: 'affinity between pods',
    isIn: ({ podAffinity }) => podAffinity !== undefined,
    without: (shape) => ({ ...shape, podAffinity: undefined }),
  },
  {
    name: 'anti-affinity between pods',
    isIn: ({ podAntiAffinity }) => podAntiAffinity !== undefined,
    without: (shape) => ({ ...shape, podAntiAffinity: undefined }),
  },
  {
    name: 'zonal volumes',
    isIn: ({ volumeTopology = [] }) => volumeTopology.some((specs) => specs.some(({ key }) => key === Label.ZONE)),
    without: (shape) => ({ ...shape, volumeTopology: withoutZones(shape.volumeTopology) }),
  },
];

function spreadOver(name: TopologySort, isKey: (key: string) => boolean): Sort {
  return {
    name,
    isIn: ({ topologySpread = [] }) => topologySpread.some(({ topologyKey }) => isKey(topologyKey)),
    without: (shape) => ({
      ...shape,
      topologySpread: shape.topologySpread?.filter(({ topologyKey }) => !isKey(topologyKey)),
    }),
  };
}

/** An alternative without any requirement makes the others needless. */
function withoutZones(alternatives: PodShape['volumeTopology'] = []): PodShape['volumeTopology'] {
  const left = alternatives.map((specs) => specs.filter(({ key }) => key !== Label.ZONE));
  return left.some((specs) => specs.length === 0) ? [] : left;
}

/**
 * What topology adds to the price of a plan. The pods are scheduled again without all of it, without each sort, and
 * with each sort alone. A sort's part is the mean of what its removal saves and what it adds by itself, so that two
 * sorts that need the same nodes share their price. The parts are scaled to the whole difference.
 *
 * @param priceOf null if the price is unknown
 * @returns undefined if no pod has topology, if that makes nothing dearer, or if other pods would be placed
 */
export function topologyCost(
  { input, plan, catalog }: Pick<RuleContext, 'input' | 'plan' | 'catalog'>,
  priceOf: (input: ScheduleInput, plan: SchedulePlan) => number | null,
): { readonly added: number; readonly parts: TopologyCost['parts'] } | undefined {
  const sorts = SORTS.filter(({ isIn }) => input.pods.some(({ shape }) => isIn(shape)));
  const pods = input.pods.reduce((sum, { count }) => sum + count, 0);
  if (plan.nodeClaims.length < 2 || sorts.length === 0 || pods > MAX_PODS) return undefined;
  const known = new Map([[0, priceOf(input, plan)]]);
  const priceWithout = (removed: readonly Sort[]): number | null => {
    const key = removed.reduce((bits, sort) => bits + 2 ** sorts.indexOf(sort), 0);
    if (!known.has(key)) known.set(key, priceOfPlan(withoutSorts(input, removed)));
    return known.get(key)!;
  };
  const priceOfPlan = (freed: ScheduleInput) => {
    const freedPlan = planOfPasses(passesWithoutReasons(freed, catalog));
    return placedPods(freedPlan) === placedPods(plan) ? priceOf(freed, freedPlan) : null;
  };
  const [whole, freed] = [priceWithout([]), priceWithout(sorts)];
  if (whole === null || freed === null || freed >= whole) return undefined;
  const amounts = sorts.map((sort) => {
    const [without, alone] = [priceWithout([sort]), priceWithout(sorts.filter((other) => other !== sort))];
    return without === null || alone === null ? null : Math.max(0, whole - without + alone - freed);
  });
  const total = Math.round((whole - freed) * MILLIONTHS);
  return { added: total / MILLIONTHS, parts: partsOf(sorts, amounts, total) };
}

/** Empty if a price is unknown, or if no sort alone makes the plan dearer. */
function partsOf(sorts: readonly Sort[], amounts: ReadonlyArray<number | null>, total: number): TopologyCost['parts'] {
  const known = amounts.filter((amount): amount is number => amount !== null);
  const sum = known.reduce((all, amount) => all + amount, 0);
  if (known.length < sorts.length || sum === 0) return [];
  const parts = roundedParts(
    known.map((amount) => (amount * total) / sum),
    total,
  );
  return sorts
    .map(({ name }, index) => ({ what: name, usdPerHour: parts[index] / MILLIONTHS }))
    .sort((left, right) => right.usdPerHour - left.usdPerHour);
}

function withoutSorts(input: ScheduleInput, removed: readonly Sort[]): ScheduleInput {
  const freed = (shape: PodShape) =>
    removed.reduce((left, sort) => (sort.isIn(left) ? sort.without(left) : left), shape);
  return { ...input, pods: input.pods.map((group) => ({ ...group, shape: freed(group.shape) })) };
}

function placedPods({ nodeClaims, filledNodes }: SchedulePlan): number {
  return [...nodeClaims, ...filledNodes].reduce((sum, { pods }) => sum + pods.length, 0);
}
