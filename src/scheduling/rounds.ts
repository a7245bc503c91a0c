import { Catalog } from '../catalog';
import { Label } from '../model';
import { boundPods, BoundPods } from './bound-pods';
import { launchedNode } from './launched-node';
import { goesOn } from './put-off';
import { classesAfter, takenBy } from './reservations-left';
import { planWithoutWords, withoutNode } from './schedule';
import { ExistingNode, ScheduleInput } from './schedule-input';
import { PlannedNodeClaim, SchedulePlan } from './schedule-plan';
import { SolvedInput, solveInput } from './solve';

/** Pods that are placed in all passes together: what bounds the time, whatever the machine. */
const MOST_PODS_PLACED = 400_000;
const FEWEST_ROUNDS = 10;

/** One pass of Karpenter's provisioner, over the pods that wait then. */
export interface Round {
  /** Its pods are numbered as in the first one. */
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  /** Only of the last pass it is told in words why pods have no node. */
  readonly plan: SchedulePlan;
}

/**
 * Pass after pass of Karpenter's provisioner, as long as one puts pods off: until they are launched, new nodes keep every reservation that they
 * could use, and take the limits of their pool up as the largest instance type that they could be. What is left of either, or anything else, the
 * pass after that gives to the pods that waited. Nodes that are launched are not up by then: all pods that are not on a node which is up wait
 * again, and each may come to another node than before.
 *
 * @throws PackerLimitError where the input is larger than the solver takes
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function provisioningRounds(input: ScheduleInput, catalog: Catalog): Round[] {
  const rounds: Round[] = [];
  let next: ScheduleInput | undefined = input;
  const pods = input.pods.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(FEWEST_ROUNDS, Math.floor(MOST_PODS_PLACED / Math.max(1, pods)));
  while (next && rounds.length < most) {
    const solved = solveInput(next, catalog);
    const round: Round = { input: next, solved, plan: planWithoutWords(solved, next, catalog) };
    rounds.push(round);
    next = goesOn(rounds) ? inputAfter(round) : undefined;
  }
  const last = rounds[rounds.length - 1];
  return [...rounds.slice(0, -1), { ...last, plan: { ...last.plan, unschedulable: withoutNode(last.solved, true) } }];
}

function inputAfter(round: Round): ScheduleInput {
  const { input, solved, plan } = round;
  const bound = boundPods(round);
  const claimsBefore = new Map(input.claimsBefore);
  const before = [...claimsBefore.values()].reduce((sum, claims) => sum + claims, 0);
  for (const { nodePool } of plan.nodeClaims) claimsBefore.set(nodePool, (claimsBefore.get(nodePool) ?? 0) + 1);
  return {
    ...input,
    claimsBefore,
    pods: input.pods.map((group, at) => {
      const left = bound.ofGroup.get(at) ?? 0;
      return left === 0 ? group : { ...group, count: group.count - left, firstOrdinal: (group.firstOrdinal ?? 0) + left };
    }),
    nodes: [
      ...(input.nodes ?? []).map((node) => withPods(node, bound, input)),
      ...plan.nodeClaims.flatMap((claim, at) => nodeOf(claim, solved, input, bound, before + at) ?? []),
    ],
    nodeClasses: classesAfter(input.nodeClasses, takenBy(plan.nodeClaims)),
  };
}

function nodeOf(
  claim: PlannedNodeClaim, { workload, staticNodes }: SolvedInput, input: ScheduleInput, bound: BoundPods, nth: number,
): ExistingNode | undefined {
  const ofStaticPool = staticNodes.find(({ node }) => node?.name === claim.id)?.node;
  if (ofStaticPool) return withPods(ofStaticPool, bound, input);
  const template = workload.templates.find(({ pool }) => pool.name === claim.nodePool);
  if (!claim.launch || !template) return undefined;
  const { labels, ...launched } = launchedNode(template, claim.launch.cheapest, claim, nth);
  const { [Label.REGISTERED]: _, [Label.INITIALIZED]: __, ...ofClaim } = labels;
  // Launched, and not up yet.
  return { name: claim.id, ...launched, labels: ofClaim, initialized: false, claimOnly: true };
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
