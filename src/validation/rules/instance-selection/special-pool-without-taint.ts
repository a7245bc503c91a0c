import { countText, hourlyPriceText, Label, listText, Requirements, shortListText } from '../../../model';
import { matchingTypes, PlannedNodeClaim } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { cheapestNode, NodeChoice, PricedType } from '../../instance-types/listed-type';
import { WorkloadManifest } from '../../manifest/model';
import { priceIn } from '../common/figures';
import { hasOnlyAccelerators, launchesWindows, looksLikeWindows, selectsNoKindOfNode } from '../common/ordinary-pods';
import { placementsOf } from '../common/placements';
import { blockingTaint, commonRequirements, targetsNonKarpenterNodes } from '../common/pod-constraints';
import { Pool, PoolLaunch, poolsOf } from '../common/pool';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { pools } from '../subjects';

const TAINTS_PATH = ['spec', 'template', 'spec', 'taints'];
/** Categories of types without accelerator, as in the examples of Karpenter's documentation. */
const GENERAL_CATEGORIES = ['c', 'm', 'r'];

interface Attracted {
  readonly workload: WorkloadManifest;
  readonly pods: number;
}

/**
 * Only the plan decides which pods a NodePool attracts: it depends on weights, names and limits.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#taints-and-tolerations
 */
export const specialPoolWithoutTaint = defineRule({
  id: 'KARP-215',
  name: 'special-pool-without-taint',
  severity: 'warning',
  summary:
    'A NodePool of accelerator or Windows nodes has no taint and takes pods that need no such node: they are expensive, or never start.',
  subjects: pools(),
  judge(pool, context) {
    const isWindows = launchesWindows(context, pool);
    if (!pool.spec || !pool.launch || !(isWindows || hasOnlyAccelerators(pool))) return NOT_APPLICABLE;
    if (pool.spec.taints.some(({ effect }) => effect !== 'PreferNoSchedule')) return undefined;
    const attracted = attractedPods(context, pool, isWindows);
    if (attracted.length === 0) return undefined;
    return isWindows
      ? windowsFinding(context, pool, attracted)
      : acceleratorFinding(context, pool, pool.launch, attracted);
  },
});

/** Workloads with pods on planned nodes of the NodePool that do not need its nodes. */
function attractedPods(context: RuleContext, { name }: Pool, isWindows: boolean): Attracted[] {
  return context.model.workloads.flatMap((workload) => {
    const isOrdinary =
      selectsNoKindOfNode(workload, isWindows ? [Label.ARCH] : [Label.ARCH, Label.OS]) &&
      !(isWindows && looksLikeWindows(workload));
    // EFA and the like are only on such nodes.
    const requestsDevice = [...(workload.shape?.requests.keys() ?? [])].some((resource) => resource.includes('/'));
    if (!isOrdinary || requestsDevice || targetsNonKarpenterNodes(workload)) return [];
    const placements = placementsOf(context, workload).filter(
      ({ claim, nodePool }) => claim !== undefined && nodePool === name,
    );
    const pods = placements.reduce((sum, placement) => sum + placement.pods - placement.running, 0);
    return pods === 0 ? [] : [{ workload, pods }];
  });
}

function windowsFinding(context: RuleContext, pool: Pool, attracted: readonly Attracted[]): SubjectFinding {
  return {
    path: TAINTS_PATH,
    message:
      `launches Windows nodes and has no taint: ${attractedText(attracted)} would run there, because they do not select an operating system; ` +
      'containers of Linux images never start on Windows',
    remedy:
      `add the taint {key: os, value: windows, effect: NoSchedule} to the NodePool and its toleration to the Windows pods${otherPoolText(context, pool, attracted)}; ` +
      `or write nodeSelector ${Label.OS}: linux in the Linux pods`,
    evidence: { workloads: attractedEvidence(attracted) },
  };
}

function acceleratorFinding(
  context: RuleContext,
  pool: Pool,
  launch: PoolLaunch,
  attracted: readonly Attracted[],
): SubjectFinding {
  const groups = new Set(attracted.flatMap(({ workload }) => podGroupIndices(workload)));
  // Nodes that also run pods with accelerators are needed anyway.
  const claims = context.passesPlan.nodeClaims.filter(
    ({ nodePool, launch: launched, groups: podGroups }) =>
      nodePool === pool.name &&
      launched !== undefined &&
      [...podGroups].every(([group, pods]) => pods === 0 || groups.has(group)),
  );
  const nodes = claims.map((claim) => ({
    name: claim.launch!.cheapest.instanceType,
    usdPerHour: claim.launch!.cheapest.usdPerHour,
  }));
  const choicesIn = ordinaryChoices(context, pool, launch);
  const ordinary = claims.flatMap((claim) => cheapestNode(claim.requests, choicesIn(claim)) ?? []);
  const against =
    ordinary.length < nodes.length
      ? ''
      : `, against ${hourlyPriceText(...priceIn(context.catalog, totalOf(ordinary)))} on ${typesOf(ordinary)}`;
  const where =
    nodes.length === 0
      ? 'on nodes that other pods need'
      : `on ${countText(nodes.length, 'node')} (${typesOf(nodes)}) for ${hourlyPriceText(...priceIn(context.catalog, totalOf(nodes)))}${against}`;
  return {
    path: TAINTS_PATH,
    message: `launches only nodes with accelerators and has no taint, so it takes pods that need none: ${attractedText(attracted)} ${where}`,
    remedy:
      `add the taint ${taintOf(launch)} to the NodePool and its toleration to the pods that use the accelerator` +
      otherPoolText(context, pool, attracted),
    evidence: {
      workloads: attractedEvidence(attracted),
      nodes: nodes.length,
      usdPerHour: totalOf(nodes),
      ordinaryUsdPerHour: ordinary.length < nodes.length ? null : totalOf(ordinary),
    },
  };
}

function totalOf(nodes: readonly PricedType[]): number {
  return nodes.reduce((sum, { usdPerHour }) => sum + usdPerHour, 0);
}

function typesOf(nodes: readonly PricedType[]): string {
  return listText([...new Set(nodes.map(({ name }) => name))].sort());
}

/** The nodes without accelerator beside a node: of other NodePools, else of a general type. */
function ordinaryChoices(
  context: RuleContext,
  pool: Pool,
  { table }: PoolLaunch,
): (claim: PlannedNodeClaim) => readonly NodeChoice[] {
  const others = ordinaryPools(context, pool);
  const known = new Map<string, readonly NodeChoice[]>();
  const choicesAt = (place: Requirements): NodeChoice[] => {
    const general = Requirements.from([
      { key: Label.INSTANCE_CATEGORY, operator: 'In', values: GENERAL_CATEGORIES },
      { key: Label.ARCH, operator: 'In', values: ['amd64'] },
    ]);
    general.add(...place.values());
    return [
      ...others.map(({ launch: own }) => ({
        table: own!.table,
        types: matchingTypes(own!.table, place, own!.indices),
        requirements: place,
      })),
      { table, types: matchingTypes(table, general), requirements: general },
    ];
  };
  return ({ launch }) => {
    const { capacityType, zone } = launch!.cheapest;
    const key = `${capacityType} ${zone}`;
    const choices =
      known.get(key) ?? choicesAt(Requirements.fromLabels({ [Label.CAPACITY_TYPE]: capacityType, [Label.ZONE]: zone }));
    known.set(key, choices);
    return choices;
  };
}

function ordinaryPools(context: RuleContext, pool: Pool): Pool[] {
  return poolsOf(context).filter(
    (other) =>
      other !== pool &&
      other.launch &&
      other.spec?.taints.length === 0 &&
      !hasOnlyAccelerators(other) &&
      !launchesWindows(context, other),
  );
}

/** The taint that AWS's examples use: the name of the resource that the nodes have. */
function taintOf({ table, indices }: PoolLaunch): string {
  const resource = table.resources.find(
    (name, row) => /\/(gpu|neuron)$/.test(name) && indices.every((index) => table.capacity[row][index] > 0),
  );
  return `{key: ${resource ?? 'accelerator'}, effect: NoSchedule}`;
}

/** What else is needed if no other NodePool accepts all of the pods. */
function otherPoolText(context: RuleContext, pool: Pool, attracted: readonly Attracted[]): string {
  const others = poolsOf(context).filter(
    (other) => other !== pool && other.spec && other.launch && other.launch.indices.length > 0,
  );
  const isAccepted = attracted.every(({ workload: { shape } }) =>
    others.some(
      (other) =>
        commonRequirements(shape!, other).length > 0 && blockingTaint(shape!, other.spec!.taints) === undefined,
    ),
  );
  return isAccepted ? '' : ', and add a NodePool for the other pods';
}

function attractedText(attracted: readonly Attracted[]): string {
  return shortListText(
    attracted.map(
      ({ workload: { kind, namespace, name }, pods }) => `${kind} ${namespace}/${name} (${countText(pods, 'pod')})`,
    ),
    3,
  );
}

function attractedEvidence(attracted: readonly Attracted[]): unknown {
  return attracted.map(({ workload: { kind, namespace, name }, pods }) => ({ kind, namespace, name, pods }));
}
