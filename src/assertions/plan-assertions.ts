import { countText, hourlyPriceText, shownNumber } from '../model';
import { requireCount, failAssertion, requireEvaluated, unknownName } from './assertion-errors';
import { EvaluatedInput } from './evaluated-input';
import { InstanceTypesInEachZoneOptions } from './karpenter-assertions-props';
import { PoolInstanceTypes, renderParts } from '../validation';

export function allPodsScheduled(input: EvaluatedInput): void {
  const claim = 'expected every pod to have a node';
  requireEvaluated(claim, input.unreadableInput);
  const { unschedulable, summary } = input.verdict;
  if (unschedulable.length > 0) {
    const pods = unschedulable.map(({ pod }) => pod);
    failAssertion(
      `${claim}, got ${unschedulable.length} of ${countText(summary.pods, 'pod')} without one`,
      input.explain(pods),
    );
  }
  const waiting = summary.scheduledPods - (summary.asWritten?.scheduledPods ?? summary.scheduledPods);
  if (waiting > 0)
    failAssertion(
      `${claim}, got ${countText(waiting, 'pod')} without one until the errors are corrected`,
      renderParts(input.verdict, ['findings']),
    );
  const failures = input.launchFailures.length;
  if (failures > 0)
    failAssertion(
      `${claim}, got ${countText(failures, 'node')} that cannot be launched`,
      renderParts(input.verdict, ['nodes']),
    );
  requireEvaluated(claim, [...input.notEvaluatedPods, ...input.notEvaluatedObjects]);
  if (summary.pods === 0 && !input.hasClusterFiles)
    failAssertion(
      `${claim}, got no pod at all`,
      'The input has no workload with pods: are the workloads in another chart or file?',
    );
}

export function nodesAtMost(input: EvaluatedInput, count: number): void {
  requireCount('count', count, 0);
  const claim = `expected at most ${countText(count, 'node')} to be launched`;
  requireEvaluated(claim, input.unreadableInput);
  const { nodes } = input.verdict.summary;
  if (nodes > count) failAssertion(`${claim}, got ${nodes}`, renderParts(input.verdict, ['nodes', 'placements']));
  requireEvaluated(claim, input.incompletePlanReasons);
}

export function hourlyCostAtMost(input: EvaluatedInput, usd: number): void {
  if (!(usd >= 0 && usd < Infinity))
    throw new Error(`usd: must be a number of at least 0, got ${shownNumber(usd)}; write for example 1.5`);
  const { cost } = input.verdict.summary;
  const { currency } = cost;
  const claim = `expected the launched nodes to cost at most ${hourlyPriceText(usd, currency)}`;
  requireEvaluated(claim, [...input.unreadableInput, ...input.launchFailures, ...(cost.notEvaluated ?? [])]);
  const usdPerHour = cost.usdPerHour ?? 0;
  if (usdPerHour > usd) {
    const bound =
      cost.lowerBoundUsdPerHour === null
        ? ''
        : ` (no packing costs less than ${hourlyPriceText(cost.lowerBoundUsdPerHour, currency)})`;
    failAssertion(
      `${claim}, got ${hourlyPriceText(usdPerHour, currency)}${bound}`,
      renderParts(input.verdict, ['nodes', 'placements', 'assumptions']),
    );
  }
  requireEvaluated(claim, input.incompletePlanReasons);
}

export function instanceTypesInEachZone(
  input: EvaluatedInput,
  nodePool: string,
  count: number,
  options: InstanceTypesInEachZoneOptions = {},
): void {
  requireCount('count', count, 1);
  const { zones: requestedZones, capacityType } = options;
  if (requestedZones?.length === 0)
    throw new Error('options.zones: must name at least one zone, got none; omit it for all zones of the NodePool');
  const claim = `expected NodePool ${nodePool} to have at least ${countText(count, 'instance type')}${capacityType ? ` of ${capacityType.value} capacity` : ''} in each zone`;
  requireEvaluated(claim, [
    ...input.unreadableInput,
    ...input.notEvaluatedObjects.filter((sentence) => sentence.startsWith(`NodePool ${nodePool} `)),
  ]);
  const { pools, problems } = input.launchableTypes;
  const pool = pools.find((candidate) => candidate.nodePool === nodePool);
  if (!pool)
    return unknownName(
      'nodePool',
      'NodePool',
      nodePool,
      pools.map((candidate) => candidate.nodePool),
    );
  const counts = typesByZone(pool, capacityType?.value);
  const zones = pool.types.length === 0 ? [] : (requestedZones ?? [...typesByZone(pool, undefined).keys()].sort());
  if (zones.length > 0 && zones.every((zone) => (counts.get(zone) ?? 0) >= count)) return;
  const countsText = zones.map((zone) => `${counts.get(zone) ?? 0} in ${zone}`).join(', ');
  const poolText = renderParts(
    { ...input.verdict, nodePools: input.verdict.nodePools.filter(({ name }) => name === nodePool) },
    ['node-pools'],
  );
  if (zones.length === 0)
    requireEvaluated(
      claim,
      problems.map(({ message, remedy }) => `${message}; ${remedy}`),
    );
  failAssertion(`${claim}, got ${countsText === '' ? 'none in any zone' : countsText}`, poolText);
}

/** Number of instance types with an available offering, by zone. */
function typesByZone({ types }: PoolInstanceTypes, capacityType: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { offerings } of types) {
    const available = offerings.filter(
      (offering) => offering.available && (capacityType === undefined || offering.capacityType === capacityType),
    );
    for (const zone of new Set(available.map((offering) => offering.zone)))
      counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return counts;
}
