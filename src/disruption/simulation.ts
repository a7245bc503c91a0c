import { claimsOf, groupsOnNodes, inputWith, leftBehind, PlannedNodeClaim, planOf, ScheduleInput, SolvedInput, solveAgain, withRoom } from '../scheduling';
import { Candidate, Scene } from './candidates';
import { groundOf, groupsOf, leavingNode, movable } from './ground';
import { podKey } from './pod-eviction';
import { grouped, inOrderOfAge, Queued } from './queued';

/** What would become of the pods if some nodes were not there. */
export interface Simulation {
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  /** New nodes, those without a pod aside. */
  readonly claims: readonly PlannedNodeClaim[];
  /** Why a pod that runs has no other place, in Karpenter's own words; undefined where every one has. Pods that wait already do not count. */
  readonly failure: () => string | undefined;
  /** Names of the nodes that pods come to: Karpenter keeps them for these. */
  readonly destinations: () => string[];
}

export interface SimulationMore {
  /** Whether pods of the candidates are looked after that nothing can evict: repair does, which ends them in the end. @default false */
  readonly includesKept?: boolean;
  /**
   * The capacity reservation that has room for one instance more once the candidates have gone: as when pods that wait are provisioned for
   * then, those whose reservations others take are not put elsewhere. @default - none
   */
  readonly freed?: string;
}

const MOST_ERRORS = 5;

/**
 * Schedules the pods of the candidates, of nodes that go already and those that wait, onto what is left of the cluster. Pods that nothing
 * can ever evict are not looked after: nobody knows when they will go.
 *
 * @param settles whether nodes that pods came to or left not long ago are kept from more: consolidation does, drift does not
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go
 */
export function simulate(
  scene: Scene, candidates: readonly Candidate[], settles: boolean, { includesKept = false, freed }: SimulationMore = {},
): Simulation {
  const { catalog, scheduling: { settings, nodeClasses } } = scene.cluster;
  const ground = groundOf(scene, settles);
  const moved = candidates.map(({ node }) => movable(node, scene, includesKept));
  const coming = candidates.length === 1 ? groupsOf(candidates[0].node, moved[0]) : grouped(moved, false);
  const queue = inOrderOfAge([...ground.others.leaving, ...coming, ...ground.others.waiting]);
  const nodes = [...ground.nodes];
  candidates.forEach(({ node }, at) => { nodes[scene.cluster.nodes.indexOf(node)] = leavingNode(node, moved[at]); });
  const given = freed === undefined ? ground.input : { ...ground.input, settings, nodeClasses: withRoom(nodeClasses, freed, 1) };
  const input = inputWith(given, nodes, queue.map(({ group }) => group));
  const solved = solveAgain(input, catalog);
  const claims = claimsOf(solved).filter(({ pods }) => pods.length > 0);
  const onUnready = groupsOnNodes(solved, ground.unready);
  const failure = () => failureOf({ input, solved, queue, onUnready, catalog });
  const destinations = () => groupsOnNodes(solved).filter(({ group }) => queue[group].group.buffer === undefined).map(({ node }) => node);
  return { input, solved, claims, failure, destinations };
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
