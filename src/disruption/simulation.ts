import { leftBehind, placementsOf, PlannedNodeClaim, planOf, PodGroup, ScheduleInput, SolvedInput, solveInput } from '../scheduling';
import { Candidate, Scene } from './candidates';
import { ClusterNode, ClusterPod } from './cluster';
import { isSettling } from './consolidate-after';
import { blockingLimits } from './pdb';
import { isDisruptable, isReschedulable, podKey } from './pod-eviction';

/** What would become of the pods if some nodes were not there. */
export interface Simulation {
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  /** New nodes, those without a pod aside. */
  readonly claims: readonly PlannedNodeClaim[];
  /** Why a pod that runs has no other place, in Karpenter's own words; undefined where every one has. Pods that wait already do not count. */
  readonly failure: () => string | undefined;
}

/** Equal pods, in one group: they change places as one could wish. */
interface Queued {
  readonly group: PodGroup;
  /** None where they wait for a node already. */
  readonly pods: readonly ClusterPod[];
  /** Whether their node goes anyway: a node that is not up yet is good enough for them then, it may well have been launched for them. */
  readonly leaving: boolean;
}

const MOST_ERRORS = 5;

/**
 * Schedules the pods of the candidates, of nodes that go already and those that wait, onto what is left of the cluster. Pods that nothing
 * can ever evict are not looked after: nobody knows when they will go.
 *
 * @param includesKept whether pods of the candidates are looked after that nothing can evict: repair does, which ends them in the end
 * @param settles whether nodes that pods came to or left not long ago are kept from more: consolidation does, drift does not
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go
 */
export function simulate(scene: Scene, candidates: readonly Candidate[], settles: boolean, includesKept = false): Simulation {
  const { cluster, now } = scene;
  const gone = new Set(candidates.map(({ node }) => node.name));
  const leaving = cluster.nodes.filter(({ deleting }) => deleting);
  const rest = cluster.nodes.filter((node) => !node.deleting && !gone.has(node.name));
  const queue = inOrderOfAge([
    ...grouped(leaving.flatMap(({ pods }) => pods).filter((pod) => isReschedulable(pod) && isMovable(pod, scene)), true),
    ...grouped(candidates.flatMap(({ reschedulable }) => reschedulable).filter((pod) => includesKept || isMovable(pod, scene)), false),
    ...cluster.scheduling.pods.map((group) => ({ group, pods: [], leaving: false })),
  ]);
  const moved = new Set(queue.flatMap(({ pods }) => pods));
  const input: ScheduleInput = {
    ...cluster.scheduling,
    nodePools: cluster.scheduling.nodePools.map((pool) => pool.replicas === undefined ? pool : { ...pool, replicas: 0 }),
    nodes: [
      ...rest.map((node) => settles && isSettling(node, cluster, now) ? { ...node, settling: true } : node),
      ...[...leaving, ...candidates.map(({ node }) => node)]
        .map((node) => ({ ...node, leaving: true, pods: node.pods.filter((pod) => !moved.has(pod)) })),
    ],
    pods: queue.map(({ group }) => group),
    settings: { ...cluster.scheduling.settings, reservedOfferings: 'Fallback' },
  };
  const solved = solveInput(input, cluster.catalog);
  const placements = placementsOf(solved);
  const claims = placements.nodeClaims.filter(({ pods }) => pods.length > 0);
  const onUnready = placements.filledNodes.filter(({ node }) => unready(rest, node))
    .flatMap(({ node, groups }) => [...groups.keys()].map((group) => ({ node, group })));
  const failure = () => failureOf({ input, solved, queue, onUnready, catalog: cluster.catalog });
  return { input, solved, claims, failure };
}

function isMovable(pod: ClusterPod, { limits, now }: Scene): boolean {
  return isDisruptable(pod, now) && blockingLimits(limits, pod, now, true).length === 0;
}

function unready(nodes: readonly ClusterNode[], name: string): boolean {
  return nodes.find((node) => node.name === name)?.initialized === false;
}

/** Pods of one size are placed by age. Those of which nothing is known are the youngest: they are still to be made. */
function inOrderOfAge(queue: readonly Queued[]): Queued[] {
  const dated = queue.map((each) => ({ each, age: each.group.age ?? oldest(each.pods) }));
  return dated.sort((left, right) => left.age === right.age ? 0 : left.age < right.age ? -1 : 1).map(({ each }) => each);
}

const YOUNGEST = '~';

function oldest(pods: readonly ClusterPod[]): string {
  const ages = pods.map(({ age, startedAt }) => age ?? (startedAt === undefined ? YOUNGEST : new Date(startedAt).toISOString()));
  return ages.reduce((least, age) => age < least ? age : least, YOUNGEST);
}

function grouped(pods: readonly ClusterPod[], leaving: boolean): Queued[] {
  const alike = new Map<string, Map<ClusterPod['shape'], ClusterPod[]>>();
  for (const pod of pods) {
    const shapes = alike.get(pod.namespace) ?? new Map<ClusterPod['shape'], ClusterPod[]>();
    alike.set(pod.namespace, shapes.set(pod.shape, [...shapes.get(pod.shape) ?? [], pod]));
  }
  return [...alike.values()].flatMap((shapes) => [...shapes.values()]).map((members) => {
    const [{ namespace, name, shape }] = members;
    return { group: { namespace, name, count: members.length, shape, bare: members.length === 1, moving: !leaving }, pods: members, leaving };
  });
}

interface Evidence extends Pick<Simulation, 'input' | 'solved'> {
  readonly queue: readonly Queued[];
  /** Groups with pods on nodes that are not up yet: nothing is decided by these. */
  readonly onUnready: ReadonlyArray<{ readonly node: string; readonly group: number }>;
  readonly catalog: Parameters<typeof planOf>[2];
}

function failureOf({ input, solved, queue, onUnready, catalog }: Evidence): string | undefined {
  const left = leftBehind(solved);
  const isMoving = (group: number) => queue[group] !== undefined && queue[group].pods.length > 0;
  const unevaluated = solved.notEvaluated.find(({ group }) => isMoving(group));
  if (unevaluated) return `not all pods can be evaluated, ${podKey(queue[unevaluated.group].pods[0])} => ${unevaluated.what.join(', ')}`;
  const uncertain = onUnready.filter(({ group }) => isMoving(group) && !queue[group].leaving)
    .map(({ node, group }) => `${podKey(queue[group].pods[0])} => would schedule against uninitialized node/${node}`);
  const stuck = [...left].filter(([group]) => isMoving(group));
  if (stuck.length === 0) return uncertain.length === 0 ? undefined : sentence(uncertain);
  const { unschedulable } = planOf(solved, input, catalog);
  const reasons = stuck.flatMap(([group, count]) => {
    const said = unschedulable.find((pod) => pod.group === group)?.reasons.map(({ message }) => message).join('; ') ?? 'no NodePool is left to try';
    return queue[group].pods.slice(-count).map((pod) => `${podKey(pod)} => ${said}`);
  });
  return sentence([...reasons, ...uncertain]);
}

function sentence(errors: readonly string[]): string {
  const others = errors.length > MOST_ERRORS ? ` and ${errors.length - MOST_ERRORS} other(s)` : '';
  return `not all pods would schedule, ${errors.slice(0, MOST_ERRORS).join(' ')}${others}`;
}
