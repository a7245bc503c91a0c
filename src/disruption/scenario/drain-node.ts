import { isDrained } from '../pod-eviction';
import { World } from './world';

/** Deletes the NodeClaim: from now on the node drains. */
export function drain(world: World, name: string, terminationGracePeriod: number | undefined): void {
  const state = world.nodes.get(name);
  if (!state) return;
  const isNew = state.phase !== 'draining';
  if (isNew && state.phase !== 'leaving') world.memory.change(world.now);
  state.phase = 'draining';
  state.drain ??= { since: world.now, pods: world.pods.on(name).filter(({ pod }) => isDrained(pod) && !pod.daemon).length };
  if (terminationGracePeriod !== undefined) state.deadline = Math.min(state.deadline ?? Infinity, world.now + terminationGracePeriod);
  world.nominations.wake();
  world.unsettled = true;
  if (isNew) world.tell(`${name} drains`);
}
