import { merge, ResourceList, subtract } from '../model';
import { boundPods } from './bound-pods';
import { withPod } from './pod-classes';
import { podNames } from './pod-name';
import { podsPutOff, putsOff } from './put-off';
import { Round } from './rounds';
import { ScheduleInput } from './schedule-input';
import { FilledNode, PlannedNodeClaim, SchedulePlan, UnschedulablePod } from './schedule-plan';
import { isStatic } from './static-pools';

type Placed = Omit<FilledNode, 'node'>;

/** What passes come to together: pods are where the last one leaves them, or on a node that was up before. */
export function planOfRounds(rounds: readonly Round[]): SchedulePlan {
  const [first] = rounds;
  const last = rounds[rounds.length - 1];
  if (rounds.length === 1) return first.plan;
  const hosts = placedAtLast(rounds, last);
  const ofStaticPools = new Set(first.input.nodePools.filter(isStatic).map(({ name }) => name));
  // Those of static pools are there since the first pass.
  const claims = rounds.flatMap(({ plan, input }) => plan.nodeClaims
    .filter(({ nodePool }) => plan === first.plan || !ofStaticPools.has(nodePool))
    .map((claim) => plan === last.plan ? claim : withOthers(claim, hosts.get(claim.id) ?? NOBODY, input)));
  const isClaim = new Set(claims.map(({ id }) => id));
  return {
    ...last.plan,
    ...putsOff(last) ? notFollowed(last, rounds.length) : {},
    pools: first.plan.pools,
    nodeClaims: claims,
    filledNodes: [...hosts].flatMap(([node, placed]) => isClaim.has(node) || placed.pods.length === 0 ? [] : [{ node, ...placed }]),
  };
}

/** Those that wait after the last pass may have a node in the end. */
function notFollowed({ plan, input }: Round, passes: number): Pick<SchedulePlan, 'unschedulable' | 'notEvaluated'> {
  const waiting = new Set(Object.values(podsPutOff({ plan, input })).flat());
  const groups = new Map<number, UnschedulablePod[]>();
  for (const pod of waiting) groups.set(pod.group, [...groups.get(pod.group) ?? [], pod]);
  const what = [`nodes that come in more than ${passes} passes of Karpenter`];
  return {
    unschedulable: plan.unschedulable.filter((pod) => !waiting.has(pod)),
    notEvaluated: [...plan.notEvaluated, ...[...groups].map(([group, pods]) => ({ group, pods: pods.map(({ pod }) => pod), what }))],
  };
}

const NOBODY: Placed = { pods: [], groups: new Map() };

/** By node. Of a group those that are bound have the first names, in order: the pods of later passes are the last of their group. */
function placedAtLast(rounds: readonly Round[], last: Round): Map<string, Placed> {
  const hosts = new Map<string, Placed>();
  const add = (node: string, placed: Placed) => hosts.set(node, together(hosts.get(node) ?? NOBODY, placed));
  for (const round of rounds.slice(0, -1)) {
    const next = new Map<number, number>();
    for (const [node, groups] of boundPods(round).onNode) {
      add(node, { pods: [...groups].flatMap((entry) => firstNames(round.input, entry, next)), groups });
    }
  }
  for (const { node, ...placed } of last.plan.filledNodes) add(node, placed);
  return hosts;
}

function firstNames({ pods }: ScheduleInput, [group, count]: readonly [number, number], next: Map<number, number>): string[] {
  const from = next.get(group) ?? 0;
  next.set(group, from + count);
  const nameOf = podNames(pods[group]);
  return Array.from({ length: count }, (_, at) => nameOf(from + at));
}

function withOthers(claim: PlannedNodeClaim, placed: Placed, input: ScheduleInput): PlannedNodeClaim {
  const overhead = subtract(claim.requests, requestsOf(claim, input));
  return { ...claim, ...placed, requests: merge(overhead, requestsOf(placed, input)) };
}

function requestsOf({ groups }: Placed, { pods }: ScheduleInput): ResourceList {
  return merge(...[...groups].map(([group, count]) =>
    new Map([...withPod(pods[group].shape.requests)].map(([resource, amount]) => [resource, amount * BigInt(count)]))));
}

function together({ pods, groups }: Placed, more: Placed): Placed {
  const sums = new Map(groups);
  for (const [group, count] of more.groups) sums.set(group, (sums.get(group) ?? 0) + count);
  return { pods: [...pods, ...more.pods], groups: sums };
}
