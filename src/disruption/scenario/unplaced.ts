import { planOf, solveAgain } from '../../scheduling';
import { podKey } from '../pod-eviction';
import { inputOf, outside, waiting, withinRoom } from './placing';
import { workloadOf } from './pod-phase';
import { UnplacedPods } from './scenario-report';
import { World } from './world';
import { WorldPod } from './world-pods';

/** Why the pods that wait, or are not even made, have no node; those aside that would get one. */
export function unplaced(world: World): UnplacedPods[] {
  return [...ofPending(world), ...world.ordered.notMade.map((pod): UnplacedPods =>
    ({ workload: workloadOf(pod), pods: [podKey(pod)], why: 'its StatefulSet makes it only when those before it are ready' }))];
}

function ofPending(world: World): UnplacedPods[] {
  const { failedZone, cluster: { scheduling, catalog } } = world;
  const groups = failedZone === undefined ? waiting(world) : withinRoom(world, failedZone);
  if (groups.length === 0) return [];
  const pools = failedZone === undefined ? scheduling.nodePools : outside(failedZone, scheduling.nodePools);
  const input = inputOf(world, groups.map(({ group }) => group), pools);
  const plan = planOf(solveAgain(input, catalog), input, catalog);
  return groups.flatMap(({ group: { count }, pods }, at) => {
    const refused = plan.unschedulable.filter(({ group }) => group === at);
    const why = refused[0]?.reasons.map(({ message }) => message).join('; ') ?? '';
    const spread = `hard spread over zones still counts ${failedZone}, and allows no more in the others`;
    return [...story(pods.slice(count - refused.length, count), why), ...story(pods.slice(count), spread)];
  });
}

function story(subjects: readonly WorldPod[], why: string): UnplacedPods[] {
  if (subjects.length === 0 || why === '') return [];
  const workload = workloadOf(subjects[0].pod);
  return [{ ...(workload === undefined ? {} : { workload }), pods: subjects.map(({ pod }) => podKey(pod)), why }];
}
