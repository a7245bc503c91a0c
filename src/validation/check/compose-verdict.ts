import { verdictAssumptions } from './assumptions';
import { formatAmount, Label, ResourceList } from '../../model';
import {
  costLowerBound, LaunchRequest, Offer, PlannedNodeClaim, PoolRefusal, ProvisioningPass, ScheduleInput, SchedulePlan,
} from '../../scheduling';
import { AcknowledgedFindings } from '../acknowledge/acknowledge';
import { objectsNotEvaluated } from '../context/not-evaluated';
import { podGroupIndices } from '../context/schedule-input';
import { FittingChange, smallestFittingChanges } from '../explain/fitting-changes';
import { placementReports } from '../explain/placement-reports';
import { ManifestModel } from '../manifest';
import { byCodePoint, inNameOrder } from '../order';
import {
  CapacityBufferVerdict, FilledNodeVerdict, Finding, LaunchVerdict, NodeClaimVerdict, NotEvaluatedVerdict, OfferVerdict, PriceSourceCount,
  ReasonVerdict, Summary, UnschedulableVerdict, Verdict,
} from '../report/verdict';
import { RuleContext } from '../rules';
import { targetsOtherNodes } from '../rules/common/other-nodes';
import { withUnreadyPool } from '../rules/common/unscheduled-pods';

/** Puts the result together: keys in the order of the schema, arrays sorted. */
export function composeVerdict(
  context: RuleContext, passes: readonly ProvisioningPass[], { findings, acknowledged }: AcknowledgedFindings, rulesNotEvaluated: readonly string[],
  severities: readonly string[],
): Verdict {
  const { plan } = context;
  const skipped = objectsNotEvaluated(context.model);
  const notEvaluated = plan.notEvaluated.flatMap(({ pods, causes }) =>
    pods.map((pod) => ({ pod, what: skipped.leftOut.length > 0 ? skipped.leftOut : causes })));
  const unnamedPods = plan.notEvaluated.reduce((sum, { pods, count = pods.length }) => sum + count - pods.length, 0);
  const unschedulable: UnschedulableVerdict[] = [];
  const nonKarpenterGroups = groupsForOtherNodes(context.model);
  const hasUnschedulable = skipped.unknownPools.length === 0 && plan.unschedulable.some(({ group }) => !nonKarpenterGroups.has(group));
  const changes: ReadonlyMap<number, FittingChange> = hasUnschedulable ? smallestFittingChanges(context) : new Map();
  for (const { pod, group, reasons } of plan.unschedulable) {
    // A NodePool with unknown values might take the pod.
    if (skipped.unknownPools.length > 0) notEvaluated.push({ pod, what: skipped.unknownPools });
    else if (nonKarpenterGroups.has(group)) notEvaluated.push({ pod, what: ['nodes that Karpenter does not launch'] });
    else unschedulable.push({ pod, reasons: withUnreadyPool(reasons, changes.get(group)).map(reasonVerdict), ...changeVerdict(changes.get(group)) });
  }
  return {
    schemaVersion: '1',
    summary: summarise(context, findings, notEvaluated.length + unnamedPods, unschedulable.length),
    nodePools: plan.pools
      .filter(({ name }) => !skipped.poolsWithoutTypes.has(name))
      .map(({ name, instanceTypes, zones, capacityTypes, elimination }) =>
        ({ name, instanceTypes, zones: sorted(zones), capacityTypes: sorted(capacityTypes), elimination }))
      .sort((a, b) => byCodePoint(a.name, b.name)),
    nodeClaims: inNameOrder(plan.nodeClaims.map(nodeClaimVerdict), ({ id }) => id),
    unschedulable: inNameOrder(unschedulable, ({ pod }) => pod),
    findings: [...findings].sort(byLocation),
    ...acknowledged.length === 0 ? {} : { acknowledged: [...acknowledged].sort(byLocation) },
    notEvaluated: inNameOrder(notEvaluated.map(({ pod, what }): NotEvaluatedVerdict => ({ pod, what: sorted(what) })), ({ pod }) => pod),
    assumptions: [...verdictAssumptions(context, passes, rulesNotEvaluated), ...severities],
    capacityBuffers: bufferVerdicts(context.input, plan),
    filledNodes: filledNodes(context),
    placements: context.options.explain ? placementReports(passes) : [],
  };
}

/** Pod groups for nodes that Karpenter does not launch. Without cluster files, these nodes are unknown. */
function groupsForOtherNodes(model: ManifestModel): ReadonlySet<number> {
  return new Set(model.cluster ? [] : model.workloads.filter((workload) => targetsOtherNodes(model, workload)).flatMap(podGroupIndices));
}

function filledNodes({ plan, input }: RuleContext): FilledNodeVerdict[] {
  const pools = new Map((input.nodes ?? []).map(({ name, labels }) => [name, labels[Label.NODE_POOL]]));
  return plan.filledNodes
    .map(({ node, pods }) => ({ node, nodePool: pools.get(node) ?? null, pods: inNameOrder(pods, (pod) => pod) }))
    .sort((a, b) => byCodePoint(a.node, b.node));
}

function reasonVerdict({ nodePool, message, diagnosis, elimination = [] }: PoolRefusal): ReasonVerdict {
  return { nodePool, message, ...(diagnosis ? { diagnosis } : {}), elimination };
}

function changeVerdict(change?: FittingChange): Pick<UnschedulableVerdict, 'smallestChange' | 'changesTried' | 'cause'> {
  const waitsFor = change?.waitsFor;
  return {
    smallestChange: change?.description ?? null,
    changesTried: change?.tried ?? 0,
    ...waitsFor === undefined ? {} : { cause: { kind: waitsFor.cause.kind, name: waitsFor.cause.name, nodePool: waitsFor.name, why: waitsFor.why } },
  };
}

function summarise(context: RuleContext, findings: readonly Finding[], notEvaluated: number, unschedulable: number): Summary {
  const { plan, input, catalog } = context;
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const scheduledPods = [...plan.filledNodes, ...plan.nodeClaims].reduce((sum, { pods }) => sum + pods.length, 0);
  const usdPerHour = totalCost(plan);
  const bound = costLowerBound(input, plan, catalog);
  return {
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    pods: scheduledPods + notEvaluated + unschedulable,
    scheduledPods,
    nodes: plan.nodeClaims.length,
    cost: {
      usdPerHour,
      lowerBoundUsdPerHour: bound === null ? null : Math.min(rounded(bound), usdPerHour ?? Infinity),
      currency: catalog.currency,
      prices: priceSources(context),
    },
  };
}

/** Where the prices of the nodes come from. Reserved capacity is paid for already, so it has none. */
function priceSources({ plan, catalog }: RuleContext): PriceSourceCount[] {
  const counts = new Map<string, PriceSourceCount>();
  for (const { launch } of plan.nodeClaims) {
    if (!launch || launch.cheapest.reservation !== undefined) continue;
    const { kind, date = null } = catalog.priceSource(launch.cheapest.instanceType, launch.cheapest.capacityType);
    const key = `${kind} ${date}`;
    counts.set(key, { kind, date, nodes: (counts.get(key)?.nodes ?? 0) + 1 });
  }
  return [...counts].sort(([a, left], [b, right]) => right.nodes - left.nodes || byCodePoint(a, b)).map(([, count]) => count);
}

/** USD per hour at the lowest price of each node; null without nodes, or if a node cannot be launched. */
function totalCost({ nodeClaims }: SchedulePlan): number | null {
  if (nodeClaims.length === 0 || nodeClaims.some(({ launch }) => !launch)) return null;
  return rounded(nodeClaims.reduce((sum, { launch }) => sum + launch!.cheapest.usdPerHour, 0));
}

/** Removes the noise of summing floating-point prices, which have at most six decimals. */
function rounded(usd: number): number {
  return Math.round(usd * 1e8) / 1e8;
}

function nodeClaimVerdict(claim: PlannedNodeClaim): NodeClaimVerdict {
  const { id, nodePool, pods, requests, instanceTypes, zones, capacityTypes, cheapest, launch, launchFailure } = claim;
  return {
    id,
    nodePool,
    pods: inNameOrder(pods, (pod) => pod),
    requests: formatResources(requests),
    instanceTypes,
    zones: sorted(zones),
    capacityTypes: sorted(capacityTypes),
    cheapest: cheapest ? offerVerdict(cheapest) : null,
    launch: launch ? launchVerdict(launch) : null,
    ...(launchFailure === undefined ? {} : { launchFailure }),
  };
}

function launchVerdict({ capacityType, allocationStrategy, instanceTypes, zones, cheapest }: LaunchRequest): LaunchVerdict {
  return { capacityType, allocationStrategy, instanceTypes, zones: sorted(zones), cheapest: offerVerdict(cheapest) };
}

function offerVerdict({ instanceType, zone, capacityType, usdPerHour, reservation }: Offer): OfferVerdict {
  return { instanceType, zone, capacityType, usdPerHour, ...(reservation === undefined ? {} : { reservation }) };
}

function formatResources(list: ResourceList): Record<string, string> {
  const names = sorted([...list.keys()]);
  return Object.fromEntries(names.map((name) => [name, formatAmount(name, list.get(name)!)]));
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort(byCodePoint);
}

function byLocation(a: Finding, b: Finding): number {
  return byCodePoint(a.location.file, b.location.file)
    || a.location.line - b.location.line
    || a.location.column - b.location.column
    || byCodePoint(a.rule, b.rule)
    || byCodePoint(a.location.path, b.location.path)
    || byCodePoint(a.message, b.message);
}

/** How many of the virtual pods of each CapacityBuffer are scheduled. */
function bufferVerdicts({ pods }: ScheduleInput, plan: SchedulePlan): CapacityBufferVerdict[] {
  const scheduled = new Map<number, number>();
  for (const { groups } of [...plan.filledNodes, ...plan.nodeClaims]) {
    for (const [group, count] of groups) scheduled.set(group, (scheduled.get(group) ?? 0) + count);
  }
  return pods
    .flatMap(({ namespace, buffer, count }, group) => buffer === undefined ? []
      : [{ name: `${namespace}/${buffer}`, pods: count, scheduledPods: scheduled.get(group) ?? 0 }])
    .sort((left, right) => byCodePoint(left.name, right.name));
}
