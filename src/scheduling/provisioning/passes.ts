import { shouldRunAnotherPass } from './deferred-pods';
import { planWithoutReasons, unschedulablePods } from './schedule';
import { SolvedInput, solveInput } from './solve';
import { Catalog } from '../../catalog';
import { ExistingNode, ScheduleInput } from '../input/schedule-input';
import { nodeClassesAfter, reservedInstances } from '../launch/reservations';
import { withDaemonsOnHostPorts } from '../nodes/existing-nodes';
import { launchedNode, unregisteredNode } from '../nodes/launched-node';
import { PlannedNodeClaim, SchedulePlan } from '../schedule-plan';

/** Bounds the number of passes by the pods that all passes together schedule, so that the run time is bounded. */
const MAX_SCHEDULED_PODS = 400_000;
/** At least this many passes are allowed, for large inputs, too. */
const MIN_PASSES = 10;

/** One pass of Karpenter's provisioner over the pending pods. */
export interface ProvisioningPass {
  /** Its groups have the same indices as in the first pass. */
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  /** Only the last pass has messages that explain why pods are unschedulable. */
  readonly plan: SchedulePlan;
  /** Whether the pods that it places stay on their nodes in the next pass. */
  readonly keepsPlacedPods: boolean;
}

export interface PassOptions {
  /**
   * Whether later passes only schedule the pods that earlier ones deferred, as if the nodes of these were up in the
   * meantime. Otherwise, they schedule all pods again that are not on initialized nodes, as Karpenter does as long as
   * nodes are starting. Most pods then move, onto more nodes, because of the names of nodes.
   * @default true
   */
  readonly keepsPlacedPods?: boolean;
  /** Called before each pass, with the number of finished passes. */
  readonly onPass?: (finished: number) => void;
}

/**
 * Simulates passes of Karpenter's provisioner until no pod is deferred.
 *
 * Until it is launched, a new node holds every reservation that it could use, and counts as the largest instance type
 * that it could be. The next pass gives the rest to the pods that waited. Launched nodes are not initialized at that
 * time, so Karpenter schedules all pods again that are not on an initialized node.
 *
 * @throws PackerLimitError if the input exceeds the solver's bounds
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function provisioningPasses(
  input: ScheduleInput,
  catalog: Catalog,
  options: PassOptions = {},
): ProvisioningPass[] {
  const passes = passesWithoutReasons(input, catalog, options);
  const last = passes[passes.length - 1];
  return [
    ...passes.slice(0, -1),
    { ...last, plan: { ...last.plan, unschedulable: unschedulablePods(last.solved, true) } },
  ];
}

/** Same as `provisioningPasses`, but no pass says why pods are unschedulable. */
export function passesWithoutReasons(
  input: ScheduleInput,
  catalog: Catalog,
  { keepsPlacedPods = true, onPass }: PassOptions = {},
): ProvisioningPass[] {
  const passes: ProvisioningPass[] = [];
  let next: ScheduleInput | undefined = input;
  const pods = input.pods.reduce((sum, { count }) => sum + count, 0);
  const maxPasses = Math.max(MIN_PASSES, Math.floor(MAX_SCHEDULED_PODS / Math.max(1, pods)));
  while (next && passes.length < maxPasses) {
    onPass?.(passes.length);
    const solved = solveInput(next, catalog);
    const pass: ProvisioningPass = {
      input: next,
      solved,
      plan: planWithoutReasons(solved, next, catalog),
      keepsPlacedPods,
    };
    passes.push(pass);
    next = shouldRunAnotherPass(passes) ? inputAfter(pass) : undefined;
  }
  return passes;
}

function inputAfter(pass: ProvisioningPass): ScheduleInput {
  const { input, plan } = pass;
  const bound = boundPods(pass);
  const existingClaimCounts = new Map(input.existingClaimCounts);
  const before = [...existingClaimCounts.values()].reduce((sum, claims) => sum + claims, 0);
  for (const { nodePool } of plan.nodeClaims)
    existingClaimCounts.set(nodePool, (existingClaimCounts.get(nodePool) ?? 0) + 1);
  return {
    ...input,
    existingClaimCounts,
    pods: input.pods.map((group, index) => {
      const count = bound.ofGroup.get(index) ?? 0;
      return count === 0
        ? group
        : { ...group, count: group.count - count, firstOrdinal: (group.firstOrdinal ?? 0) + count };
    }),
    nodes: [
      ...(input.nodes ?? []).map((node) => withPods(node, bound, input)),
      ...plan.nodeClaims.flatMap((claim, index) => nodeOf(claim, pass, bound, before + index) ?? []),
    ],
    nodeClasses: nodeClassesAfter(input.nodeClasses, reservedInstances(plan.nodeClaims)),
  };
}

function nodeOf(
  claim: PlannedNodeClaim,
  { input, solved: { workload, staticNodes }, keepsPlacedPods }: ProvisioningPass,
  bound: BoundPods,
  ordinal: number,
): ExistingNode | undefined {
  const staticNode = staticNodes.find(({ node }) => node?.name === claim.id)?.node;
  if (staticNode) return withPods(staticNode, bound, input);
  const template = workload.templates.find(({ pool }) => pool.name === claim.nodePool);
  if (!claim.launch || !template) return undefined;
  const offer = claim.launch.cheapest;
  if (!keepsPlacedPods) return unregisteredNode(claim.id, template, offer, claim, ordinal);
  const node = { name: claim.id, ...launchedNode(template, offer, claim, ordinal) };
  return withPods(withDaemonsOnHostPorts(node, input.daemonSets), bound, input);
}

function withPods(node: ExistingNode, { onNode }: BoundPods, { pods }: ScheduleInput): ExistingNode {
  const groups = onNode.get(node.name);
  if (!groups) return node;
  const added = [...groups].flatMap(([group, count]) => {
    const { namespace, name, shape } = pods[group];
    return Array.from({ length: count }, () => ({ namespace, name, shape, daemon: false }));
  });
  return { ...node, pods: [...node.pods, ...added] };
}

/** Pods that stay on their nodes. The Kubernetes scheduler binds pods to initialized nodes immediately. */
export interface BoundPods {
  /** Number of pods by node and group. */
  readonly onNode: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Number of pods by group, on all nodes. */
  readonly ofGroup: ReadonlyMap<number, number>;
}

/**
 * The pods of one pass that are bound. Virtual pods of CapacityBuffers are never bound: every pass schedules them
 * again.
 */
export function boundPods({
  input: { nodes = [], pods },
  solved: { staticNodes },
  plan,
  keepsPlacedPods,
}: ProvisioningPass): BoundPods {
  const allNodes = [...nodes, ...staticNodes.flatMap(({ node }) => node ?? [])];
  const launched = keepsPlacedPods ? plan.nodeClaims.filter(({ launch }) => launch) : [];
  const stayingNodes = new Set([
    ...allNodes.filter(({ initialized }) => initialized || keepsPlacedPods).map(({ name }) => name),
    ...launched.map(({ id }) => id),
  ]);
  const placed = [...plan.filledNodes, ...plan.nodeClaims.map(({ id, groups }) => ({ node: id, groups }))];
  const onNode = new Map<string, ReadonlyMap<number, number>>();
  const ofGroup = new Map<number, number>();
  for (const { node, groups } of placed) {
    if (!stayingNodes.has(node)) continue;
    const realPods = [...groups].filter(([group]) => pods[group].buffer === undefined);
    if (realPods.length > 0) onNode.set(node, new Map(realPods));
    for (const [group, count] of realPods) ofGroup.set(group, (ofGroup.get(group) ?? 0) + count);
  }
  return { onNode, ofGroup };
}
