import { verdictAssumptions } from './assumptions';
import { PlanCost } from './cost';
import { allocateCosts } from './costs/allocate-costs';
import { bestFound } from './costs/best-found';
import { nodesInOpenReservations } from './costs/open-reservations';
import { podsOnNodes } from './costs/pods-on-nodes';
import { awaitedFindings, withAwaitedFindings } from './details/awaited-findings';
import { nodePoolVerdicts } from './details/node-pool-verdicts';
import { nodeVerdicts } from './details/node-verdicts';
import { workloadVerdicts } from './details/workload-verdicts';
import { changesInWordsOf } from './remedies/one-remedy';
import { settledPart } from './settled';
import { formatAmount, Label, ResourceList } from '../../model';
import {
  LaunchRequest,
  PlannedNodeClaim,
  PoolRefusal,
  ProvisioningPass,
  ScheduleInput,
  SchedulePlan,
} from '../../scheduling';
import { AcknowledgedFindings } from '../acknowledge/acknowledge';
import { objectsNotEvaluated } from '../context/not-evaluated';
import { FittingChange } from '../explain/fitting-changes';
import { placementReports } from '../explain/placement-reports';
import { byCodePoint, inNameOrder } from '../order';
import { RuleContext } from '../rules';
import { OtherNodesReason, otherNodesReasons } from '../rules/common/other-nodes';
import { withUnreadyPool } from '../rules/common/unscheduled-pods';
import {
  CapacityBufferVerdict,
  CostSummary,
  FilledNodeVerdict,
  Finding,
  LaunchVerdict,
  NodeClaimVerdict,
  NotEvaluatedVerdict,
  ReasonVerdict,
  Summary,
  UnschedulableVerdict,
  Verdict,
} from '../vocabulary/verdict';

interface ShownFindings extends AcknowledgedFindings {
  /** All findings, before equal ones are joined. */
  readonly judged: readonly Finding[];
}

/** Puts the result together: keys in the order of the schema, arrays sorted. */
export function composeVerdict(
  context: RuleContext,
  passes: readonly ProvisioningPass[],
  { findings, acknowledged, judged }: ShownFindings,
  rulesNotEvaluated: readonly string[],
  severities: readonly string[],
): Verdict {
  const { plan } = context;
  const cost = new PlanCost(context);
  const skipped = objectsNotEvaluated(context.model);
  const notEvaluated = plan.notEvaluated.flatMap(({ pods, causes }) =>
    pods.map((pod) => ({ pod, what: skipped.leftOut.length > 0 ? skipped.leftOut : causes })),
  );
  const unnamedPods = plan.notEvaluated.reduce((sum, { pods, count = pods.length }) => sum + count - pods.length, 0);
  const unschedulable: UnschedulableVerdict[] = [];
  const otherNodes = otherNodesReasons(context);
  const hasUnschedulable =
    skipped.unknownPools.length === 0 && plan.unschedulable.some(({ group }) => !otherNodes.has(group));
  const changes: ReadonlyMap<number, FittingChange> = hasUnschedulable ? changesInWordsOf(judged, context) : new Map();
  const awaited = awaitedFindings(findings, context.model);
  for (const { pod, group, reasons } of plan.unschedulable) {
    // A NodePool with unknown values might take the pod.
    if (skipped.unknownPools.length > 0) notEvaluated.push({ pod, what: skipped.unknownPools });
    else if (otherNodes.has(group))
      notEvaluated.push({ pod, what: [otherNodesText(otherNodes.get(group)!, findings)] });
    else
      unschedulable.push({
        pod,
        reasons: withUnreadyPool(reasons, changes.get(group)).map(reasonVerdict),
        ...changeVerdict(changes.get(group)),
        ...awaited.get(group),
      });
  }
  const pods = podsOnNodes(context);
  const nodes = nodeVerdicts(context, cost, pods);
  const pools = nodePoolVerdicts(context, nodes, (name) => skipped.poolsWithoutTypes.has(name));
  const { costBy } = context.options;
  const { currency } = context.catalog;
  return {
    schemaVersion: '2',
    summary: summarise(context, findings, notEvaluated.length + unnamedPods, unschedulable.length),
    ...settledPart(context, passes, (group) => skipped.unknownPools.length === 0 && !otherNodes.has(group)),
    nodePools: pools,
    nodes,
    workloads: workloadVerdicts(context, nodes, pods),
    ...(costBy === undefined ? {} : { costs: allocateCosts(nodes, pods, { by: costBy, currency, pools }) }),
    nodeClaims: inNameOrder(
      plan.nodeClaims.map((claim) => nodeClaimVerdict(claim, cost)),
      ({ id }) => id,
    ),
    unschedulable: inNameOrder(unschedulable, ({ pod }) => pod),
    findings: [...findings].sort(byLocation),
    ...(acknowledged.length === 0 ? {} : { acknowledged: [...acknowledged].sort(byLocation) }),
    notEvaluated: inNameOrder(
      notEvaluated.map(({ pod, what }): NotEvaluatedVerdict => ({ pod, what: sorted(what) })),
      ({ pod }) => pod,
    ),
    assumptions: [...verdictAssumptions(context, passes, rulesNotEvaluated), ...severities],
    capacityBuffers: bufferVerdicts(context.input, plan),
    filledNodes: filledNodes(context),
    placements: context.options.explain ? withAwaitedFindings(placementReports(passes, context), unschedulable) : [],
  };
}

function otherNodesText({ workload, why, nodeGroup }: OtherNodesReason, findings: readonly Finding[]): string {
  const { kind, name } = workload.object.madeBy ?? workload.object;
  const cause = findings.find(({ evidence: { waitingWorkloads } }) =>
    [waitingWorkloads].flat().includes(`${kind} ${workload.namespace}/${name}`),
  );
  const waiting = cause && `the pods wait for ${cause.subject.kind} ${cause.subject.name} (${cause.rule})`;
  const isWaiting = waiting !== undefined && nodeGroup !== undefined;
  return `nodes that Karpenter does not launch: ${isWaiting ? `${waiting}, and ${nodeGroup} may have room for them meanwhile` : why}`;
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

function changeVerdict(
  change?: FittingChange,
): Pick<UnschedulableVerdict, 'smallestChange' | 'changesTried' | 'cause'> {
  const waitsFor = change?.waitsFor;
  return {
    smallestChange: change?.description ?? null,
    changesTried: change?.tried ?? 0,
    ...(waitsFor === undefined
      ? {}
      : {
          cause: { kind: waitsFor.cause.kind, name: waitsFor.cause.name, nodePool: waitsFor.name, why: waitsFor.why },
        }),
  };
}

function summarise(
  context: RuleContext,
  findings: readonly Finding[],
  notEvaluated: number,
  unschedulable: number,
): Summary {
  const { plan } = context;
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const scheduledPods = [...plan.filledNodes, ...plan.nodeClaims].reduce((sum, { pods }) => sum + pods.length, 0);
  return {
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    pods: scheduledPods + notEvaluated + unschedulable,
    scheduledPods,
    nodes: plan.nodeClaims.length,
    cost: costSummary(context),
  };
}

function costSummary(context: RuleContext): CostSummary {
  const cost = new PlanCost(context);
  const { usdPerHour, lowerBoundUsdPerHour, ...others } = cost.summary();
  const found = context.options.searchesFleet === true ? bestFound(context) : undefined;
  const openReservations = nodesInOpenReservations(context);
  return {
    usdPerHour,
    lowerBoundUsdPerHour,
    ...(found === undefined ? {} : { bestFound: found }),
    ...others,
    ...cost.topology(),
    ...(openReservations === undefined ? {} : { openReservations }),
  };
}

function nodeClaimVerdict(claim: PlannedNodeClaim, cost: PlanCost): NodeClaimVerdict {
  const { id, nodePool, pods, requests, instanceTypes, zones, capacityTypes, cheapest, launch, launchFailure } = claim;
  return {
    id,
    nodePool,
    pods: inNameOrder(pods, (pod) => pod),
    requests: formatResources(requests),
    instanceTypes,
    zones: sorted(zones),
    capacityTypes: sorted(capacityTypes),
    cheapest: cheapest ? cost.offer(nodePool, cheapest) : null,
    launch: launch ? { ...launchVerdict(launch), cheapest: cost.offer(nodePool, launch.cheapest) } : null,
    ...(launchFailure === undefined ? {} : { launchFailure }),
  };
}

function launchVerdict({
  capacityType,
  allocationStrategy,
  instanceTypes,
  zones,
}: LaunchRequest): Omit<LaunchVerdict, 'cheapest'> {
  return { capacityType, allocationStrategy, instanceTypes, zones: sorted(zones) };
}

function formatResources(list: ResourceList): Record<string, string> {
  const names = sorted([...list.keys()]);
  return Object.fromEntries(names.map((name) => [name, formatAmount(name, list.get(name)!)]));
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort(byCodePoint);
}

function byLocation(a: Finding, b: Finding): number {
  return (
    byCodePoint(a.location.file, b.location.file) ||
    a.location.line - b.location.line ||
    a.location.column - b.location.column ||
    byCodePoint(a.rule, b.rule) ||
    byCodePoint(a.location.path, b.location.path) ||
    byCodePoint(a.message, b.message)
  );
}

/** How many of the virtual pods of each CapacityBuffer are scheduled. */
function bufferVerdicts({ pods }: ScheduleInput, plan: SchedulePlan): CapacityBufferVerdict[] {
  const scheduled = new Map<number, number>();
  for (const { groups } of [...plan.filledNodes, ...plan.nodeClaims]) {
    for (const [group, count] of groups) scheduled.set(group, (scheduled.get(group) ?? 0) + count);
  }
  return pods
    .flatMap(({ namespace, buffer, count }, group) =>
      buffer === undefined
        ? []
        : [{ name: `${namespace}/${buffer}`, pods: count, scheduledPods: scheduled.get(group) ?? 0 }],
    )
    .sort((left, right) => byCodePoint(left.name, right.name));
}
