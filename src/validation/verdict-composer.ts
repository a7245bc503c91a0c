import { NEWEST_KARPENTER_VERSION, releaseFor } from '../contract';
import { formatAmount, Label, ResourceList } from '../model';
import {
  costLowerBound, LaunchRequest, Offer, PlannedNodeClaim, podsPutOff, PoolRefusal, Round, ScheduleInput, SchedulePlan, SmallestChange,
} from '../scheduling';
import { bufferVerdicts } from './buffer-verdict';
import { controllerAssumptions } from './controller';
import { fittingChanges } from './fitting-changes';
import { Autoscalers, ManifestModel } from './manifest';
import { CheckOptions } from './options';
import { byCodePoint, inNameOrder } from './order';
import { placementGroups, UNKNOWN_GROUP } from './placement-groups';
import { placementStories } from './placement-stories';
import { plural } from './report/section';
import { FilledNodeVerdict, Finding, LaunchVerdict, NodeClaimVerdict, NotEvaluatedVerdict, OfferVerdict, ReasonVerdict, Summary, UnschedulableVerdict, Verdict } from './report/verdict';
import { classesOfUnknownReservations } from './reservations';
import { RuleContext } from './rules';
import { targetsOtherNodes } from './rules/private/pod-constraints';
import { groupsOf } from './schedule-input';
import { unjudgedObjects } from './unjudged';

/** Puts together what the schema wants, in its order, with sorted arrays. */
export function composeVerdict(
  context: RuleContext, rounds: readonly Round[], findings: readonly Finding[], rulesNotEvaluated: readonly string[],
): Verdict {
  const { plan, catalog } = context;
  const unjudged = unjudgedObjects(context.model);
  const notEvaluated = plan.notEvaluated.flatMap(({ pods, what }) =>
    pods.map((pod) => ({ pod, what: unjudged.leftOut.length > 0 ? unjudged.leftOut : what })));
  const unschedulable: UnschedulableVerdict[] = [];
  const elsewhere = forOtherNodes(context.model);
  const isUnfit = unjudged.unknownPools.length === 0 && plan.unschedulable.some(({ group }) => !elsewhere.has(group));
  const changes: ReadonlyMap<number, SmallestChange> = isUnfit ? fittingChanges(context) : new Map();
  for (const { pod, group, reasons } of plan.unschedulable) {
    // Who knows whether the pool that could not be judged would have taken it.
    if (unjudged.unknownPools.length > 0) notEvaluated.push({ pod, what: unjudged.unknownPools });
    else if (elsewhere.has(group)) notEvaluated.push({ pod, what: ['nodes that Karpenter does not launch'] });
    else unschedulable.push({ pod, reasons: reasons.map(reasonVerdict), ...changeVerdict(changes.get(group)) });
  }
  return {
    schemaVersion: '1',
    summary: summarise(context, findings, notEvaluated.length, unschedulable.length),
    nodePools: plan.pools
      .filter(({ name }) => !unjudged.poolsWithoutTypes.has(name))
      .map(({ name, instanceTypes, zones, capacityTypes, elimination }) =>
        ({ name, instanceTypes, zones: sorted(zones), capacityTypes: sorted(capacityTypes), elimination }))
      .sort((a, b) => byCodePoint(a.name, b.name)),
    nodeClaims: inNameOrder(plan.nodeClaims.map(nodeClaimVerdict), ({ id }) => id),
    unschedulable: inNameOrder(unschedulable, ({ pod }) => pod),
    findings: [...findings].sort(byPlace),
    notEvaluated: inNameOrder(notEvaluated.map(({ pod, what }): NotEvaluatedVerdict => ({ pod, what: sorted(what) })), ({ pod }) => pod),
    assumptions: [
      ...unjudged.sentences,
      `Karpenter is ${context.options.karpenterVersion ?? NEWEST_KARPENTER_VERSION}`,
      ...controllerAssumptions(context.controllers, context.options),
      ...apiAssumptions(context.options),
      ...clusterAssumptions(context),
      ...autoscalerAssumptions(context),
      ...catalog.assumptions,
      ...overlayAssumptions(context),
      ...placementGroupAssumptions(context),
      ...unknownReservationAssumptions(context),
      ...staticAssumptions(context),
      ...roundAssumptions(rounds),
      ...sorted([...new Set(rulesNotEvaluated)]),
    ],
    capacityBuffers: bufferVerdicts(context.input, plan),
    filledNodes: filledNodes(context),
    placements: context.options.explain ? placementStories(rounds) : [],
  };
}

/** Groups of pods for nodes that Karpenter does not launch: without a cluster nobody knows of them. */
function forOtherNodes({ workloads, cluster }: ManifestModel): ReadonlySet<number> {
  return new Set(cluster ? [] : workloads.filter(targetsOtherNodes).flatMap(groupsOf));
}

/** How many instances a group takes, and where, Karpenter learns when EC2 refuses one. */
function placementGroupAssumptions({ model }: RuleContext): string[] {
  return [...placementGroups(model)].sort(([one], [other]) => byCodePoint(one, other)).map(([name, group]) => {
    const which = group === UNKNOWN_GROUP ? 'a placement group of which nothing is known' : `the placement group ${group.id} (${group.strategy})`;
    const types = group !== UNKNOWN_GROUP && group.strategy === 'cluster' ? ', but of no burstable, flexible or very old instance type' : '';
    return `EC2NodeClass ${name} launches into ${which}: it is taken to have room for every node${types}`;
  });
}

/** Of a class of the cluster its notes say so. */
function unknownReservationAssumptions({ model, options }: RuleContext): string[] {
  return classesOfUnknownReservations(model, options).filter((name) => !model.cluster?.classes.has(name)).map((name) =>
    `EC2NodeClass ${name} selects capacity reservations of which nothing is known: none is taken to be there`);
}

function roundAssumptions(rounds: readonly Round[]): string[] {
  const [first] = rounds;
  const last = rounds[rounds.length - 1];
  const still = new Set(last.plan.unschedulable.map(({ pod }) => pod));
  const { byLimits, byOtherPods } = podsPutOff(first);
  const [ofLimits, ofOtherPods] = [byLimits, byOtherPods].map((pods) => pods.filter(({ pod }) => !still.has(pod)).length);
  return [
    ...rounds.slice(0, -1).map((round) => podsPutOff(round).byReservations.length).filter((waiting) => waiting > 0).map((waiting) =>
      `${podsWait(waiting)} for another pass: until the nodes before are launched, these keep every capacity reservation that they could use`),
    ...ofLimits === 0 ? [] : [`${podsWait(ofLimits)} for later passes of Karpenter, ${rounds.length} in all: until a node is launched, it counts against `
      + 'the limits of its NodePool as the largest instance type that it could be'],
    ...ofOtherPods === 0 ? [] : [`${podsWait(ofOtherPods)} for later passes of Karpenter, ${rounds.length} in all: until a node is launched, it is not known `
      + 'in which zone, or other domain, the pods on it are, that these must be with or keep away from'],
  ];
}

function podsWait(count: number): string {
  return `${plural(count, 'pod')} ${count === 1 ? 'waits' : 'wait'}`;
}

function clusterAssumptions({ model: { cluster }, input }: RuleContext): string[] {
  if (!cluster) return ['the cluster is empty: every pod of the input waits for a node, and all of them at once'];
  const staying = cluster.nodes.filter(({ leaving }) => !leaving);
  const pods = staying.reduce((sum, node) => sum + node.pods.length, 0);
  return [
    `the cluster has ${plural(staying.length, 'node')} that ${staying.length === 1 ? 'stays' : 'stay'}, with ${plural(pods, 'pod')}: these stay where they are, also those of a workload that changes`,
    'of each workload as many pods wait for a node as it wants more than it has in the cluster, and all of them at once',
    ...cluster.notes,
    ...reservationAssumptions(input),
  ];
}

/** The load decides, and nothing here knows it. */
function autoscalerAssumptions({ model: { objects, cluster, workloads } }: RuleContext): string[] {
  const autoscalers = new Autoscalers([...cluster?.objects ?? [], ...objects]);
  return workloads.flatMap(({ kind, namespace, name, replicas }) => {
    const range = autoscalers.rangeOf(kind, namespace, name);
    if (!range || replicas === 0 || range.most <= replicas) return [];
    return [`${kind} ${namespace}/${name} has ${plural(replicas, 'pod')}, though ${range.autoscaler} may make it ${range.most}`];
  });
}

function reservationAssumptions({ nodeClasses }: ScheduleInput): string[] {
  const reservations = [...nodeClasses.values()].flatMap((facts) => facts.reservations ?? []);
  const uncounted = sorted([...new Set(reservations.filter(({ free }) => free === undefined).map(({ id }) => id))]);
  return [
    ...reservations.length === 0 ? [] : ['reserved capacity is paid for, used or not: it counts as a ten-millionth of on-demand, as Karpenter has it'],
    ...uncounted.length === 0 ? [] : [`capacity reservations are taken to have room for every node where nobody has counted: ${uncounted.join(', ')}`],
  ];
}

function filledNodes({ plan, input }: RuleContext): FilledNodeVerdict[] {
  const pools = new Map((input.nodes ?? []).map(({ name, labels }) => [name, labels[Label.NODE_POOL]]));
  return plan.filledNodes
    .map(({ node, pods }) => ({ node, nodePool: pools.get(node) ?? null, pods: inNameOrder(pods, (pod) => pod) }))
    .sort((a, b) => byCodePoint(a.node, b.node));
}

function staticAssumptions({ input, plan }: RuleContext): string[] {
  return input.nodePools.flatMap(({ name, replicas }) => {
    const nodes = replicas === undefined ? [] : plan.nodeClaims.filter(({ nodePool }) => nodePool === name);
    const offer = nodes[0]?.launch?.cheapest;
    if (!offer) return [];
    const count = nodes.length === 1 ? 'its 1 node is' : `its ${nodes.length} nodes are`;
    return [`NodePool ${name} is static: ${count} taken as ${offer.instanceType} ${offer.capacityType} in ${offer.zone}, and as there before any pod`];
  });
}

function overlayAssumptions({ input, plan }: RuleContext): string[] {
  const priced = (input.nodeOverlays ?? []).filter(({ name, priceChange }) =>
    priceChange !== undefined && !plan.overlayConflicts.some(({ overlay }) => overlay === name));
  return priced.length === 0 ? [] : [`prices are changed as NodeOverlays say: ${sorted(priced.map(({ name }) => name)).join(', ')}`];
}

/** By which CRDs objects are judged, where it is not those of the very version. */
function apiAssumptions({ karpenterVersion = NEWEST_KARPENTER_VERSION, crds }: CheckOptions): string[] {
  if (crds) return ['the cluster has the CRDs that were given'];
  const release = releaseFor(karpenterVersion);
  const minor = (version: string) => version.replace(/^v/, '').split('.').slice(0, 2).join('.');
  if (minor(release) === minor(karpenterVersion)) return [];
  return [`Karpenter ${karpenterVersion} has the same CRDs as ${release}, the next release whose CRDs are known here`];
}

function reasonVerdict({ nodePool, message, diagnosis, elimination = [] }: PoolRefusal): ReasonVerdict {
  return { nodePool, message, ...(diagnosis ? { diagnosis } : {}), elimination };
}

function changeVerdict(change?: SmallestChange): Pick<UnschedulableVerdict, 'smallestChange' | 'changesTried'> {
  return { smallestChange: change?.description ?? null, changesTried: change?.tried ?? 0 };
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
    cost: { usdPerHour, lowerBoundUsdPerHour: bound === null ? null : Math.min(rounded(bound), usdPerHour ?? Infinity) },
  };
}

/** At the least price that each node can be launched for; null where there is no node, or one cannot be launched. */
function totalCost({ nodeClaims }: SchedulePlan): number | null {
  if (nodeClaims.length === 0 || nodeClaims.some(({ launch }) => !launch)) return null;
  return rounded(nodeClaims.reduce((sum, { launch }) => sum + launch!.cheapest.usdPerHour, 0));
}

/** Prices have six decimals at most: what comes after is the noise of summing floats. */
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

function byPlace(a: Finding, b: Finding): number {
  return byCodePoint(a.location.file, b.location.file)
    || a.location.line - b.location.line
    || a.location.column - b.location.column
    || byCodePoint(a.rule, b.rule)
    || byCodePoint(a.location.path, b.location.path)
    || byCodePoint(a.message, b.message);
}
