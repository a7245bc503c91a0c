import fc from 'fast-check';
import { PdbLimits } from '../../../../src/disruption/budgets/pdb-limits';
import { PodDisruptionBudget, PodOwner } from '../../../../src/disruption/cluster';
import { SimulatedCluster } from '../../../../src/disruption/scenario/cluster/simulated-cluster';
import { SimulatedPod } from '../../../../src/disruption/scenario/cluster/simulated-pod';
import { clusterOf, machine, pod } from '../../builders';
import { simulatedCluster } from '../builders';

const OWNERS: readonly PodOwner[] = [
  { kind: 'Deployment', name: 'web' },
  { kind: 'StatefulSet', name: 'db' },
  { kind: 'Job', name: 'batch' },
];
const pdb = (name: string, app: string | undefined, allowed: Partial<PodDisruptionBudget>): PodDisruptionBudget => ({
  namespace: 'default',
  name,
  selector: app === undefined ? {} : { matchLabels: { app } },
  ...allowed,
});
const PDBS = [
  pdb('web', 'web', { maxUnavailable: 1 }),
  pdb('db', 'db', { minAvailable: '50%' }),
  pdb('batch', 'batch', { maxUnavailable: 1 }),
  pdb('all', undefined, { minAvailable: 3 }),
  pdb('none', 'absent', { maxUnavailable: 0 }),
];

function newCluster(): SimulatedCluster {
  const pods = (node: string, isTerminating: boolean) =>
    OWNERS.flatMap((owner) =>
      ['x', 'y'].map((name) =>
        pod(
          `${owner.name}-${node}-${name}`,
          { cpu: '100m' },
          {
            owner,
            more: { labels: { app: owner.name } },
            ...(isTerminating && name === 'y' ? { terminating: true } : {}),
          },
        ),
      ),
    );
  const bare = pod('bare', { cpu: '100m' }, { owner: undefined, more: { labels: { app: 'web' } } });
  const nodes = ['a', 'b', 'c'].map((name) =>
    machine(name, 'm5.large', name === 'c' ? [bare] : pods(name, name === 'b')),
  );
  return simulatedCluster(clusterOf(nodes, { pdbs: PDBS }));
}

/** Changes of a pod or a node; the number selects which one. */
const CHANGES: Readonly<Record<string, (cluster: SimulatedCluster, which: number) => void>> = {
  startTermination: (cluster, which) =>
    withPod(cluster, which, (subject) => {
      if (subject.phase !== 'terminating') cluster.podLifecycle.startTermination(subject);
    }),
  forceDelete: (cluster, which) => withPod(cluster, which, (subject) => cluster.podLifecycle.forceDelete(subject)),
  advancePhase: (cluster, which) => withPod(cluster, which, (subject) => cluster.podLifecycle.advancePhase(subject)),
  start: (cluster, which) => {
    const started = pod(`new-${which}`, { cpu: '100m' }, { more: { labels: { app: 'web' } } });
    cluster.pods.addStarting(started, nodeOf(cluster, which), cluster.now);
  },
  bind: (cluster, which) => {
    const [subject] = cluster.pods.pending();
    if (subject)
      cluster.pods.update(subject, { phase: 'starting', node: nodeOf(cluster, which), phaseEnds: cluster.now });
  },
  markUnreachable: (cluster, which) => cluster.pods.markUnreachable(nodeOf(cluster, which)),
  removeNode: (cluster, which) => {
    if (cluster.nodes.size > 1) cluster.removeNode(nodeOf(cluster, which), 'is taken away');
  },
};

function nodeOf({ nodes }: SimulatedCluster, which: number): string {
  return [...nodes.keys()][which % nodes.size];
}

function withPod(cluster: SimulatedCluster, which: number, change: (subject: SimulatedPod) => void): void {
  const pods = [...cluster.nodes.keys()].flatMap((name) => cluster.pods.onNode(name));
  if (pods.length > 0) change(pods[which % pods.length]);
}

/** @param check called after each change */
function afterChanges(check: (cluster: SimulatedCluster) => void): void {
  const step = fc.record({ change: fc.constantFrom(...Object.keys(CHANGES)), which: fc.nat(20), later: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const cluster = newCluster();
      for (const { change, which, later } of steps) {
        cluster.now += later * 1_000;
        CHANGES[change](cluster, which);
        check(cluster);
      }
    }),
    { numRuns: 200 },
  );
}

describe('after each change of a pod or node', () => {
  test('the PDB counts equal those that are counted from all pods', () => {
    afterChanges((cluster) => {
      const { nodes, replicas } = cluster.snapshot();
      const recounted = new PdbLimits({ pdbs: [...PDBS], nodes: [...nodes], replicas });
      expect(new PdbLimits(cluster.snapshot()).all).toEqual(recounted.all);
    });
  });

  test('nextPhaseEnd is the earliest end of a phase', () => {
    afterChanges(({ nodes, pods }) => {
      const ends = [...nodes.keys()].flatMap((name) => pods.onNode(name)).flatMap(({ phaseEnds }) => phaseEnds ?? []);
      expect(pods.nextPhaseEnd()).toBe(Math.min(...ends));
    });
  });
});
