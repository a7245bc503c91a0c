import { JudgedInput } from './judged-input';
import { InstanceTypesInZones } from './karpenter-assertions-props';
import { beTold, checkCount, fail, plural, unknownName } from './outcome';
import { PoolInstanceTypes, renderParts } from '../../validation';

export function allPodsScheduled(input: JudgedInput): void {
  const claim = 'expected every pod to have a node';
  beTold(claim, input.unreadable);
  const { unschedulable, summary } = input.verdict;
  if (unschedulable.length > 0) {
    const pods = unschedulable.map(({ pod }) => pod);
    fail(`${claim}, got ${unschedulable.length} of ${plural(summary.pods, 'pod')} without one`, input.explain(pods));
  }
  const nodes = input.notLaunched.length;
  if (nodes > 0) fail(`${claim}, got ${plural(nodes, 'node')} that cannot be launched`, renderParts(input.verdict, ['nodes']));
  beTold(claim, [...input.notEvaluated, ...input.notJudged]);
  if (summary.pods === 0 && !input.hasCluster) fail(`${claim}, got no pod at all`, 'Nothing in the input makes one: are the workloads in another chart or file?');
}

export function nodesAtMost(input: JudgedInput, count: number): void {
  checkCount('count', count, 0);
  const claim = `expected at most ${plural(count, 'node')} to be launched`;
  beTold(claim, input.unreadable);
  const { nodes } = input.verdict.summary;
  if (nodes > count) fail(`${claim}, got ${nodes}`, renderParts(input.verdict, ['nodes', 'placements']));
  beTold(claim, input.unplaced);
}

export function hourlyCostAtMost(input: JudgedInput, usd: number): void {
  if (!(usd >= 0 && usd < Infinity)) throw new Error(`usd: must be a number from 0, got ${usd}; write for example 1.5`);
  const claim = `expected the nodes that are launched to cost at most ${usd} USD per hour`;
  beTold(claim, [...input.unreadable, ...input.notLaunched]);
  const { cost } = input.verdict.summary;
  const usdPerHour = cost.usdPerHour ?? 0;
  if (usdPerHour > usd) {
    const bound = cost.lowerBoundUsdPerHour === null ? '' : ` (no packing costs less than ${cost.lowerBoundUsdPerHour.toFixed(4)})`;
    fail(`${claim}, got ${usdPerHour.toFixed(4)}${bound}`, renderParts(input.verdict, ['nodes', 'placements', 'assumptions']));
  }
  beTold(claim, input.unplaced);
}

export function instanceTypesInEachZone(input: JudgedInput, nodePool: string, count: number, options: InstanceTypesInZones = {}): void {
  checkCount('count', count, 1);
  const { zones: named, capacityType } = options;
  if (named?.length === 0) throw new Error('options.zones: must name a zone, got none; leave it out for all zones of the NodePool');
  const claim = `expected NodePool ${nodePool} to have at least ${plural(count, 'instance type')}${capacityType ? ` of ${capacityType.value} capacity` : ''} in each zone`;
  beTold(claim, [...input.unreadable, ...input.notJudged.filter((sentence) => sentence.startsWith(`NodePool ${nodePool} `))]);
  const { pools, problems } = input.launchable;
  const pool = pools.find((each) => each.nodePool === nodePool);
  if (!pool) return unknownName('nodePool', nodePool, pools.map((each) => each.nodePool));
  const counts = typesByZone(pool, capacityType?.value);
  const zones = pool.types.length === 0 ? [] : named ?? [...typesByZone(pool, undefined).keys()].sort();
  if (zones.length > 0 && zones.every((zone) => (counts.get(zone) ?? 0) >= count)) return;
  const got = zones.map((zone) => `${counts.get(zone) ?? 0} in ${zone}`).join(', ');
  const story = renderParts({ ...input.verdict, nodePools: input.verdict.nodePools.filter(({ name }) => name === nodePool) }, ['node-pools']);
  if (zones.length === 0) beTold(claim, problems.map(({ message, remedy }) => `${message}; ${remedy}`));
  fail(`${claim}, got ${got === '' ? 'none in any' : got}`, story);
}

function typesByZone({ types }: PoolInstanceTypes, capacityType: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { offerings } of types) {
    const offered = offerings.filter((each) => each.available && (capacityType === undefined || each.capacityType === capacityType));
    for (const zone of new Set(offered.map((each) => each.zone))) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return counts;
}
