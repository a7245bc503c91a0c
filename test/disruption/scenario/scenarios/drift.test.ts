import { runScenario } from '../../../../src/disruption';
import { ofTypes } from '../../../scheduling/builders';
import { amounts, anyPool, clusterOf, HOUR, machine, MINUTE, NOW, pod } from '../../builders';
import { budget, simulated, single, TIMES, web, webReport } from '../web-workload';

describe('drift', () => {
  const three = [single('a'), single('b'), single('c')];

  test('decides again at once after a command, as far as disruption budgets allow', () => {
    const four = [...three, single('d')];
    const [report] = simulated('drift', four, { disruption: { budgets: [{ nodes: '3' }] } });
    const decided = report.timeline.filter(({ what }) => what.startsWith('Drift decides')).map(({ second }) => second);
    expect(decided.slice(0, 3)).toEqual([0, 0, 0]);
    expect(decided[3]).toBeGreaterThan(0);
  });

  test('does not disrupt a node that is nominated, until twenty seconds later', () => {
    const nodes = [
      machine('a', 'm5.2xlarge', [web('x', {}, '400m')]),
      machine('b', 'm5.2xlarge', [web('y', {}, '400m')]),
    ];
    const [report] = simulated('drift', nodes, { disruption: { budgets: [{ nodes: '2' }] } });
    const decided = report.timeline.filter(({ what }) => what.startsWith('Drift decides'));
    expect(decided).toEqual([
      { second: 0, what: 'Drift decides to delete a' },
      { second: 20, what: 'Drift decides to replace b' },
    ]);
    expect(webReport(report)).toMatchObject({ evictions: 3, lowestReady: 0 });
  });

  test('replaces one node after the other with the budget 1, and initializes each replacement first', () => {
    const [report] = simulated('drift', three, { pdbs: [budget()], disruption: { budgets: [{ nodes: '1' }] } });
    expect(webReport(report)).toMatchObject({ lowestReady: 2, evictions: 3, secondsBelowBudget: 0 });
    expect(report.timeline.filter(({ what }) => what.endsWith('drains'))).toHaveLength(3);
    expect(report.after.nodes).toBe(3);
    expect(report.stuck).toEqual([]);
  });

  test('ends when the last pod is ready, regardless of consolidateAfter', () => {
    const [report] = simulated('drift', [single('a')], { disruption: { consolidateAfter: 240 * HOUR } });
    expect(report).toMatchObject({ seconds: 60 + 20, unfinished: false });
  });

  test('is slower with a smaller budget', () => {
    const seconds = (nodes: string) => simulated('drift', three, { disruption: { budgets: [{ nodes }] } })[0].seconds;
    expect(seconds('1')).toBeGreaterThan(2 * seconds('3'));
  });

  test('reports a stuck node with a remedy', () => {
    const [report] = simulated('drift', [single('a')], { pdbs: [budget({ maxUnavailable: 0 })] });
    expect(report.stuck).toEqual([
      {
        what: 'node a',
        why: 'pdb prevents pod evictions (PodDisruptionBudget=[default/web])',
        remedy:
          'allow one eviction at a time (maxUnavailable: 1, and at least two replicas), or set terminationGracePeriod in the NodePool',
      },
    ]);
  });

  test('names the pending pod that must be scheduled before a PodDisruptionBudget allows the drain', () => {
    const pools = [anyPool({ requirements: [ofTypes('m5.large')], limits: amounts({ cpu: '0' }) })];
    const [report] = simulated('deletion', [single('a'), single('b')], { pools, pdbs: [budget()] });
    expect(report.stuck).toEqual([
      {
        what: 'node b',
        why: 'PodDisruptionBudget default/web blocks the eviction of pod default/web-b',
        remedy: 'get pod default/web-new-0 scheduled: until it is ready, the PodDisruptionBudget allows no eviction',
      },
    ]);
  });

  test('deletes a blocked pod in time for the terminationGracePeriod of the node', () => {
    const node = single('a');
    const [report] = simulated('drift', [{ ...node, claim: { ...node.claim!, terminationGracePeriod: HOUR } }], {
      pdbs: [budget({ maxUnavailable: 0 })],
    });
    expect(report.stuck).toEqual([]);
    // Its eviction is tried every ten seconds, from second 12.7 on. From second 3570 on, the pod is deleted.
    expect(report.timeline).toContainEqual({ second: Math.ceil(3572.7 + 10), what: 'a is terminated' });
  });

  test('limits a slow termination to the terminationGracePeriod of the node', () => {
    const node = machine('a', 'm5.large', [web('slow', { terminationGraceSeconds: 3600 })]);
    const cluster = clusterOf([{ ...node, claim: { ...node.claim!, terminationGracePeriod: 5 * MINUTE } }]);
    const [report] = runScenario('drift', cluster, { start: NOW, times: { ...TIMES, podStop: 1800 } });
    expect(report.drains).toEqual([{ node: 'a', nodePool: 'default', pods: 1, seconds: 300 }]);
  });

  test('reports the duration and the pods of each completed drain', () => {
    const [daemon] = [pod('logs', undefined, { daemon: true, owner: { kind: 'DaemonSet', name: 'logs' } })];
    const node = single('a');
    const [report] = simulated('drift', [{ ...node, pods: [...node.pods, daemon] }]);
    const seconds = (end: string) => report.timeline.find(({ what }) => what === `a ${end}`)!.second;
    expect(report.drains).toEqual([
      { node: 'a', nodePool: 'default', pods: 1, seconds: seconds('is terminated') - seconds('drains') },
    ]);
    expect(simulated('drift', [node], { pdbs: [budget({ maxUnavailable: 0 })] })[0].drains).toEqual([]);
  });

  test('waits until the schedule of a budget ends', () => {
    const closed = { nodes: '0', schedule: '0 9 * * *', duration: 8 * HOUR };
    const [report] = simulated('drift', [single('a')], { disruption: { budgets: [closed] } });
    expect(report.timeline[0].second).toBe(5 * 3600);
  });

  test('starts as soon as no budget is active, even if that lasts only minutes', () => {
    const closed = { nodes: '0', schedule: '57 11 * * *', duration: 24 * HOUR - 2 * MINUTE };
    const [report] = simulated('drift', [single('a')], { disruption: { budgets: [closed] } });
    expect(report.timeline[0].second).toBe(24 * 3600 - 5 * 60);
    expect(report.stuck).toEqual([]);
  });

  test('never disrupts a node if the budget is 0', () => {
    const [report] = simulated('drift', [single('a')], { disruption: { budgets: [{ nodes: '0' }] } });
    expect(report.timeline).toEqual([]);
    expect(report.stuck[0].why).toBe('the disruption budgets of NodePool "default" allow no more at this time');
  });
});
