import { planOf, PodGroup, solveAgain } from '../../scheduling';
import { podKey } from '../pod-eviction';
import { anywhere } from './anywhere';
import { inputOf, outside, withinRoom } from './placing';
import { workloadOf } from './pod-phase';
import { UnplacedPods } from './scenario-report';
import { waitingOf } from './waiting-pods';
import { World } from './world';
import { WorldPod } from './world-pods';

const ENDLESS = 'Karpenter launches one node after the other, and none will do once it is up';

/**
 * Why the pods that wait, or are not even made, have no node; those aside that would get one.
 *
 * @param isEndless whether nodes were launched without end
 */
export function unplaced(world: World, isEndless = false): UnplacedPods[] {
  const refused = ofPending(world);
  const told = new Set(refused.flatMap(({ pods }) => pods));
  const left = isEndless ? waitingOf(world.pods.pending()) : [];
  const others = left.flatMap(({ pods }) => story(pods.filter(({ pod }) => !told.has(podKey(pod))), ENDLESS));
  return [...refused, ...others, ...world.ordered.notMade.map((pod): UnplacedPods =>
    ({ workload: workloadOf(pod), pods: [podKey(pod)], why: 'its StatefulSet makes it only when those before it are ready' }))];
}

function ofPending(world: World): UnplacedPods[] {
  const { failedZone } = world;
  const groups = failedZone === undefined ? waitingOf(world.pods.pending()) : withinRoom(world, failedZone);
  if (groups.length === 0) return [];
  const told = refusalsOf(groups.map(({ group }) => group), world);
  const excess = groups.filter(({ group, pods }) => pods.length > group.count);
  // Of what hard spread keeps out some would have no node either way: that is worth more to know.
  const alone = refusalsOf(excess.map(({ group, pods }) => ({ ...group, count: pods.length - group.count, shape: anywhere(group.shape) })), world);
  return groups.flatMap((each, at) => {
    const { group: { count }, pods } = each;
    const { refused, why } = told[at];
    const without = alone[excess.indexOf(each)] ?? { refused: 0, why: '' };
    const spread = `hard spread over zones still counts ${failedZone}, and allows no more in the others`;
    return [
      ...story(pods.slice(count - refused, count), why),
      ...story(pods.slice(count, pods.length - without.refused), spread),
      ...story(pods.slice(pods.length - without.refused), without.why),
    ];
  });
}

/** Of each group how many have no node, and why. */
function refusalsOf(groups: readonly PodGroup[], world: World): Array<{ readonly refused: number; readonly why: string }> {
  if (groups.length === 0) return [];
  const { failedZone, cluster: { scheduling, catalog } } = world;
  const pools = failedZone === undefined ? scheduling.nodePools : outside(failedZone, scheduling.nodePools);
  const input = inputOf(world, groups, pools);
  const { unschedulable, notEvaluated } = planOf(solveAgain(input, catalog), input, catalog);
  return groups.map(({ count }, at) => {
    const unevaluated = notEvaluated.find(({ group }) => group === at);
    if (unevaluated) return { refused: count, why: `it is not evaluated, and so not placed: ${unevaluated.what.join(', ')}` };
    const refused = unschedulable.filter(({ group }) => group === at);
    return { refused: refused.length, why: refused[0]?.reasons.map(({ message }) => message).join('; ') ?? '' };
  });
}

function story(subjects: readonly WorldPod[], why: string): UnplacedPods[] {
  if (subjects.length === 0 || why === '') return [];
  const workload = workloadOf(subjects[0].pod);
  return [{ ...(workload === undefined ? {} : { workload }), pods: subjects.map(({ pod }) => podKey(pod)), why }];
}
