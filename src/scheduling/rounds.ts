import { Catalog } from '../catalog';
import { merge } from '../model';
import { launchedNode } from './launched-node';
import { withPod } from './pod-classes';
import { allNames } from './pod-name';
import { classesAfter, takenBy } from './reservations-left';
import { planOf } from './schedule';
import { ExistingNode, ScheduleInput } from './schedule-input';
import { FilledNode, PlannedNodeClaim, SchedulePlan } from './schedule-plan';
import { leftBehind, SolvedInput, solveInput } from './solve';
import { isStatic } from './static-pools';

/** More than these Karpenter is not followed through. */
const MOST_ROUNDS = 10;

/** One pass of Karpenter's provisioner, over the pods that wait then. */
export interface Round {
  /** Its pods are numbered as in the first one. */
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  readonly plan: SchedulePlan;
}

/**
 * Pass after pass of Karpenter's provisioner, as long as one puts pods off: new nodes keep every reservation that they could use
 * until they are launched, and what is left of them, or anything else, the pass after that gives to the pods that waited.
 *
 * @throws PackerLimitError where the input is larger than the solver takes
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function provisioningRounds(input: ScheduleInput, catalog: Catalog): Round[] {
  const rounds: Round[] = [];
  let next: ScheduleInput | undefined = input;
  while (next && rounds.length < MOST_ROUNDS) {
    const solved = solveInput(next, catalog);
    const round: Round = { input: next, solved, plan: planOf(solved, next, catalog) };
    rounds.push(round);
    next = putsOff(round) && places(round) ? inputAfter(round) : undefined;
  }
  return rounds;
}

/** What they come to together. */
export function planOfRounds([first, ...later]: readonly Round[]): SchedulePlan {
  return later.reduce((before, round) => joined(before, round), first.plan);
}

function putsOff({ plan }: Round): boolean {
  return plan.unschedulable.some(({ reasons }) => reasons.some(({ putOff }) => putOff));
}

/** Without a new node the next pass would come to the same. */
function places({ plan }: Round): boolean {
  return plan.nodeClaims.some(({ launch, pods }) => launch && pods.length > 0);
}

function inputAfter({ input, solved, plan }: Round): ScheduleInput {
  const left = stillWaiting(solved);
  const filled = new Map(plan.filledNodes.map((node) => [node.node, node]));
  const claimsBefore = new Map(input.claimsBefore);
  for (const { nodePool } of plan.nodeClaims) claimsBefore.set(nodePool, (claimsBefore.get(nodePool) ?? 0) + 1);
  return {
    ...input,
    claimsBefore,
    pods: input.pods.map((group, at) => {
      const count = left.get(at) ?? 0;
      return { ...group, count, firstOrdinal: (group.firstOrdinal ?? 0) + group.count - count };
    }),
    nodes: [
      ...(input.nodes ?? []).map((node) => withPods(node, filled.get(node.name), input)),
      ...plan.nodeClaims.flatMap((claim) => nodeOf(claim, solved, input) ?? []),
    ],
    nodeClasses: classesAfter(input.nodeClasses, takenBy(plan.nodeClaims)),
  };
}

/** Per group: its last pods, which have no node. Those of a claim that Karpenter gave up in the end would be given up again. */
function stillWaiting(solved: SolvedInput): Map<number, number> {
  const left = leftBehind(solved);
  for (const { group } of solved.final.refused) left.set(solved.indices[group], left.get(solved.indices[group])! - 1);
  return left;
}

function nodeOf(claim: PlannedNodeClaim, { workload, staticNodes }: SolvedInput, input: ScheduleInput): ExistingNode | undefined {
  const ofStaticPool = staticNodes.find(({ node }) => node?.name === claim.id)?.node;
  if (ofStaticPool) return withPods(ofStaticPool, claim, input);
  const template = workload.templates.find(({ pool }) => pool.name === claim.nodePool);
  if (!claim.launch || !template) return undefined;
  const shapes = [...claim.groups.keys()].map((group) => input.pods[group].shape);
  // Launched, and not up yet.
  return withPods({ name: claim.id, ...launchedNode(template, claim.launch.cheapest, shapes), initialized: false, claimOnly: true }, claim, input);
}

function withPods(node: ExistingNode, filled: Pick<FilledNode, 'groups'> | undefined, { pods }: ScheduleInput): ExistingNode {
  if (!filled) return node;
  const added = [...filled.groups].flatMap(([group, count]) => {
    const { namespace, name, shape } = pods[group];
    return Array.from({ length: count }, () => ({ namespace, name, shape, daemon: false }));
  });
  return { ...node, pods: [...node.pods, ...added] };
}

function joined(before: SchedulePlan, { input, plan }: Round): SchedulePlan {
  const claims = new Set(before.nodeClaims.map(({ id }) => id));
  const filled = new Map(plan.filledNodes.map((node) => [node.node, node]));
  const ofStaticPools = new Set(input.nodePools.filter(isStatic).map(({ name }) => name));
  const known = new Set(before.filledNodes.map(({ node }) => node));
  const waited = new Set(input.pods.flatMap(allNames));
  return {
    ...before,
    nodeClaims: [
      ...before.nodeClaims.map((claim) => withMore(claim, filled.get(claim.id), input)),
      // Those of static pools are there since the first pass.
      ...plan.nodeClaims.filter(({ nodePool }) => !ofStaticPools.has(nodePool)),
    ],
    filledNodes: [
      ...before.filledNodes.map((node) => ({ ...node, ...together(node, filled.get(node.node)) })),
      ...plan.filledNodes.filter(({ node }) => !claims.has(node) && !known.has(node)),
    ],
    unschedulable: [...before.unschedulable.filter(({ pod }) => !waited.has(pod)), ...plan.unschedulable],
  };
}

function withMore(claim: PlannedNodeClaim, more: FilledNode | undefined, { pods }: ScheduleInput): PlannedNodeClaim {
  if (!more) return claim;
  const added = [...more.groups].map(([group, count]) =>
    new Map([...withPod(pods[group].shape.requests)].map(([resource, amount]) => [resource, amount * BigInt(count)])));
  return { ...claim, ...together(claim, more), requests: merge(claim.requests, ...added) };
}

function together({ pods, groups }: Omit<FilledNode, 'node'>, more: FilledNode | undefined): Omit<FilledNode, 'node'> {
  const sums = new Map(groups);
  for (const [group, count] of more?.groups ?? []) sums.set(group, (sums.get(group) ?? 0) + count);
  return { pods: [...pods, ...more?.pods ?? []], groups: sums };
}
