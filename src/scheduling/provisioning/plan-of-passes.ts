import { deferredPods, defersPods } from './deferred-pods';
import { boundPods, ProvisioningPass } from './passes';
import { merge, minResources, ResourceList, subtract } from '../../model';
import { withPod } from '../input/pod-shape';
import { ScheduleInput, isStatic } from '../input/schedule-input';
import { daemonRequests } from '../nodes/existing-nodes';
import { podNames } from '../pods/pod-name';
import { FilledNode, PlannedNodeClaim, SchedulePlan, UnschedulablePod } from '../schedule-plan';

type ScheduledPods = Omit<FilledNode, 'node'>;

/**
 * Combines passes into one plan. Each pod is where the last pass schedules it, or on the initialized node to which it
 * is bound.
 */
export function planOfPasses(passes: readonly ProvisioningPass[]): SchedulePlan {
  const [first] = passes;
  const last = passes[passes.length - 1];
  if (passes.length === 1) return first.plan;
  const podsByNode = finalPods(passes, last);
  const staticPools = new Set(first.input.nodePools.filter(isStatic).map(({ name }) => name));
  const launched = new Map(last.solved.workload.nodes.map((view) => [view.node.name, view]));
  /** The requests of the DaemonSets that run on a launched node. */
  const daemonsOf = (name: string) => {
    const view = launched.get(name);
    return view && daemonRequests(view.node, view.requirements, last.solved.workload.relaxedDaemonSets);
  };
  // Nodes of static pools exist since the first pass.
  const claims = passes.flatMap(({ plan, input }) =>
    plan.nodeClaims
      .filter(({ nodePool }) => plan === first.plan || !staticPools.has(nodePool))
      .map((claim) =>
        plan === last.plan ? claim : withPods(claim, podsByNode.get(claim.id) ?? NO_PODS, input, daemonsOf(claim.id)),
      ),
  );
  const isClaim = new Set(claims.map(({ id }) => id));
  return {
    ...last.plan,
    ...(defersPods(last) ? notSimulated(last, passes.length) : {}),
    pools: first.plan.pools,
    nodeClaims: claims,
    filledNodes: [...podsByNode].flatMap(([node, scheduled]) =>
      isClaim.has(node) || scheduled.pods.length === 0 ? [] : [{ node, ...scheduled }],
    ),
  };
}

/** Pods that are still deferred after the last simulated pass are not evaluated: a later pass may schedule them. */
function notSimulated(last: ProvisioningPass, passCount: number): Pick<SchedulePlan, 'unschedulable' | 'notEvaluated'> {
  const { plan } = last;
  const waiting = new Set(Object.values(deferredPods(last)).flat());
  const groups = new Map<number, UnschedulablePod[]>();
  for (const pod of waiting) groups.set(pod.group, [...(groups.get(pod.group) ?? []), pod]);
  const causes = [`nodes that are launched after more than ${passCount} provisioning passes`];
  return {
    unschedulable: plan.unschedulable.filter((pod) => !waiting.has(pod)),
    notEvaluated: [
      ...plan.notEvaluated,
      ...[...groups].map(([group, pods]) => ({ group, pods: pods.map(({ pod }) => pod), causes })),
    ],
  };
}

const NO_PODS: ScheduledPods = { pods: [], groups: new Map() };

/**
 * Pods by node. Bound pods have the first names of their group, because later passes schedule the rest of the group.
 */
function finalPods(passes: readonly ProvisioningPass[], last: ProvisioningPass): Map<string, ScheduledPods> {
  const podsByNode = new Map<string, ScheduledPods>();
  const add = (node: string, scheduled: ScheduledPods) =>
    podsByNode.set(node, combined(podsByNode.get(node) ?? NO_PODS, scheduled));
  for (const pass of passes.slice(0, -1)) {
    const next = new Map<number, number>();
    const names = namesInPlan(pass);
    for (const [node, groups] of boundPods(pass).onNode) {
      add(node, {
        pods: names?.get(node) ?? [...groups].flatMap((entry) => firstNames(pass.input, entry, next)),
        groups,
      });
    }
  }
  for (const { node, ...scheduled } of last.plan.filledNodes) add(node, scheduled);
  return podsByNode;
}

/**
 * Pods by node, named as in the plan of the pass. Undefined if pods are left out in between, so that others have their
 * names in the next pass.
 */
function namesInPlan({ plan, solved, input, keepsPlacedPods }: ProvisioningPass) {
  if (!keepsPlacedPods || solved.final.refused.length > 0 || input.pods.some(({ buffer }) => buffer !== undefined))
    return undefined;
  return new Map([
    ...plan.filledNodes.map(({ node, pods }) => [node, pods] as const),
    ...plan.nodeClaims.map(({ id, pods }) => [id, pods] as const),
  ]);
}

function firstNames(
  { pods }: ScheduleInput,
  [group, count]: readonly [number, number],
  next: Map<number, number>,
): string[] {
  const from = next.get(group) ?? 0;
  next.set(group, from + count);
  const nameOf = podNames(pods[group]);
  return Array.from({ length: count }, (_, index) => nameOf(from + index));
}

/**
 * The claim with other pods.
 *
 * @param launchedDaemons the requests of the DaemonSets of its launched node: the claim may have room for more of them.
 * @default - not launched
 */
function withPods(
  claim: PlannedNodeClaim,
  scheduled: ScheduledPods,
  input: ScheduleInput,
  launchedDaemons?: ResourceList,
): PlannedNodeClaim {
  const planned = subtract(claim.requests, requestsOf(claim, input));
  const overhead = launchedDaemons ? minResources(planned, launchedDaemons) : planned;
  return { ...claim, ...scheduled, requests: merge(overhead, requestsOf(scheduled, input)) };
}

function requestsOf({ groups }: ScheduledPods, { pods }: ScheduleInput): ResourceList {
  return merge(
    ...[...groups].map(
      ([group, count]) =>
        new Map(
          [...withPod(pods[group].shape.requests)].map(([resource, amount]) => [resource, amount * BigInt(count)]),
        ),
    ),
  );
}

function combined({ pods, groups }: ScheduledPods, more: ScheduledPods): ScheduledPods {
  const sums = new Map(groups);
  for (const [group, count] of more.groups) sums.set(group, (sums.get(group) ?? 0) + count);
  return { pods: [...pods, ...more.pods], groups: sums };
}
