import { shouldRunAnotherPass } from './deferred-pods';
import { planWithoutReasons, unschedulablePods } from './schedule';
import { SolvedInput, solveInput } from './solve';
import { Catalog } from '../../catalog';
import { ExistingNode, ScheduleInput } from '../input/schedule-input';
import { nodeClassesAfter, reservedInstances } from '../launch/reservations';
import { unregisteredNode } from '../nodes/launched-node';
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
}

/**
 * Simulates passes of Karpenter's provisioner until no pod is deferred.
 *
 * Until it is launched, a new node holds every reservation that it could use, and counts as the largest instance type
 * that it could be. The next pass gives the rest to the pods that waited. Launched nodes are not initialized at that
 * time, so all pods that are not on an initialized node are pending again, and each may be scheduled onto a different
 * node than before.
 *
 * @param onPass called before each pass, with the number of finished passes
 * @throws PackerLimitError if the input exceeds the solver's bounds
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function provisioningPasses(
  input: ScheduleInput,
  catalog: Catalog,
  onPass?: (finished: number) => void,
): ProvisioningPass[] {
  const passes = passesWithoutReasons(input, catalog, onPass);
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
  onPass?: (finished: number) => void,
): ProvisioningPass[] {
  const passes: ProvisioningPass[] = [];
  let next: ScheduleInput | undefined = input;
  const pods = input.pods.reduce((sum, { count }) => sum + count, 0);
  const maxPasses = Math.max(MIN_PASSES, Math.floor(MAX_SCHEDULED_PODS / Math.max(1, pods)));
  while (next && passes.length < maxPasses) {
    onPass?.(passes.length);
    const solved = solveInput(next, catalog);
    const pass: ProvisioningPass = { input: next, solved, plan: planWithoutReasons(solved, next, catalog) };
    passes.push(pass);
    next = shouldRunAnotherPass(passes) ? inputAfter(pass) : undefined;
  }
  return passes;
}

function inputAfter(pass: ProvisioningPass): ScheduleInput {
  const { input, solved, plan } = pass;
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
      ...plan.nodeClaims.flatMap((claim, index) => nodeOf(claim, solved, input, bound, before + index) ?? []),
    ],
    nodeClasses: nodeClassesAfter(input.nodeClasses, reservedInstances(plan.nodeClaims)),
  };
}

function nodeOf(
  claim: PlannedNodeClaim,
  { workload, staticNodes }: SolvedInput,
  input: ScheduleInput,
  bound: BoundPods,
  ordinal: number,
): ExistingNode | undefined {
  const staticNode = staticNodes.find(({ node }) => node?.name === claim.id)?.node;
  if (staticNode) return withPods(staticNode, bound, input);
  const template = workload.templates.find(({ pool }) => pool.name === claim.nodePool);
  if (!claim.launch || !template) return undefined;
  return unregisteredNode(claim.id, template, claim.launch.cheapest, claim, ordinal);
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

/** Pods on initialized nodes, to which the Kubernetes scheduler binds them immediately. */
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
export function boundPods({ input: { nodes = [], pods }, solved: { staticNodes }, plan }: ProvisioningPass): BoundPods {
  const allNodes = [...nodes, ...staticNodes.flatMap(({ node }) => node ?? [])];
  const initializedNodes = new Set(allNodes.filter(({ initialized }) => initialized).map(({ name }) => name));
  const placed = [...plan.filledNodes, ...plan.nodeClaims.map(({ id, groups }) => ({ node: id, groups }))];
  const onNode = new Map<string, ReadonlyMap<number, number>>();
  const ofGroup = new Map<number, number>();
  for (const { node, groups } of placed) {
    if (!initializedNodes.has(node)) continue;
    const realPods = [...groups].filter(([group]) => pods[group].buffer === undefined);
    if (realPods.length > 0) onNode.set(node, new Map(realPods));
    for (const [group, count] of realPods) ofGroup.set(group, (ofGroup.get(group) ?? 0) + count);
  }
  return { onNode, ofGroup };
}
