import fc from 'fast-check';
import { timesOf } from '../../../src/disruption';
import { PodBudget, PodOwner } from '../../../src/disruption/cluster';
import { PodLimits } from '../../../src/disruption/pdb';
import { World } from '../../../src/disruption/scenario/world';
import { WorldPod } from '../../../src/disruption/scenario/world-pods';
import { clusterOf, machine, NOW, pod } from '../builders';

const owners: readonly PodOwner[] = [{ kind: 'Deployment', name: 'web' }, { kind: 'StatefulSet', name: 'db' }, { kind: 'Job', name: 'batch' }];
const budget = (name: string, app: string | undefined, allowed: Partial<PodBudget>): PodBudget =>
  ({ namespace: 'default', name, selector: app === undefined ? {} : { matchLabels: { app } }, ...allowed });
const pdbs = [
  budget('web', 'web', { maxUnavailable: 1 }), budget('db', 'db', { minAvailable: '50%' }), budget('batch', 'batch', { maxUnavailable: 1 }),
  budget('all', undefined, { minAvailable: 3 }), budget('none', 'absent', { maxUnavailable: 0 }),
];

function worldOf(): World {
  const pods = (node: string, ending: boolean) => owners.flatMap((owner) => ['x', 'y'].map((name) => pod(`${owner.name}-${node}-${name}`, { cpu: '100m' }, {
    owner, more: { labels: { app: owner.name } }, ...(ending && name === 'y' ? { terminating: true } : {}),
  })));
  const bare = pod('bare', { cpu: '100m' }, { owner: undefined, more: { labels: { app: 'web' } } });
  const nodes = ['a', 'b', 'c'].map((name) => machine(name, 'm5.large', name === 'c' ? [bare] : pods(name, name === 'b')));
  return new World(clusterOf(nodes, { pdbs }), NOW, timesOf('consolidation', {}));
}

/** Something that happens to a pod or a node; the numbers say to which. */
const acts: Readonly<Record<string, (world: World, which: number) => void>> = {
  end: (world, which) => onPod(world, which, (subject) => { if (subject.phase !== 'ending') world.end(subject); }),
  kill: (world, which) => onPod(world, which, (subject) => world.kill(subject)),
  pass: (world, which) => onPod(world, which, (subject) => world.pass(subject)),
  start: (world, which) => world.pods.addStarting(pod(`new-${which}`, { cpu: '100m' }, { more: { labels: { app: 'web' } } }), nodeOf(world, which), world.now),
  bind: (world, which) => {
    const [subject] = world.pods.pending();
    if (subject) world.pods.become(subject, { phase: 'starting', node: nodeOf(world, which), until: world.now });
  },
  silence: (world, which) => world.pods.fallSilent(nodeOf(world, which)),
  remove: (world, which) => { if (world.nodes.size > 1) world.remove(nodeOf(world, which), 'is taken away'); },
};

function nodeOf({ nodes }: World, which: number): string {
  return [...nodes.keys()][which % nodes.size];
}

function onPod(world: World, which: number, act: (subject: WorldPod) => void): void {
  const all = [...world.nodes.keys()].flatMap((name) => world.pods.on(name));
  if (all.length > 0) act(all[which % all.length]);
}

/** @param check asked after each of some steps */
function afterSteps(check: (world: World) => void): void {
  const step = fc.record({ act: fc.constantFrom(...Object.keys(acts)), which: fc.nat(20), later: fc.nat(3) });
  fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
    const world = worldOf();
    for (const { act, which, later } of steps) {
      world.now += later * 1_000;
      acts[act](world, which);
      check(world);
    }
  }), { numRuns: 200 });
}

describe('while time passes', () => {
  test('what budgets select is what they select of the pods that are there then', () => {
    afterSteps((world) => {
      const { nodes, replicas } = world.snapshot();
      const anew = new PodLimits({ pdbs: [...pdbs], nodes: [...nodes], replicas });
      expect(new PodLimits(world.snapshot()).all).toEqual(anew.all);
    });
  });

  test('the next phase that is over is the first of those that end', () => {
    afterSteps(({ nodes, pods }) => {
      const ends = [...nodes.keys()].flatMap((name) => pods.on(name)).flatMap(({ until }) => until ?? []);
      expect(pods.nextDue()).toBe(Math.min(...ends));
    });
  });
});
