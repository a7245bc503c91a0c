import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, run } from './run';

const FOLDER = folderOf({});
cpSync(join(__dirname, '..', 'validation', 'scenario', 'stays', 'almost-empty'), FOLDER, { recursive: true });
const INPUT = [join(FOLDER, 'pool.yaml'), join(FOLDER, 'web.yaml'), '--cluster', join(FOLDER, 'cluster.yaml')];

describe('explain --node', () => {
  test('prints why the node stays, and the change that frees it', async () => {
    const { code, out, err } = await run(['explain', ...INPUT, '--node', 'n1']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`n1 stays (NodePool fruit, m7i.4xlarge on-demand, $589/month)
  PodDisruptionBudget default/keeper (maxUnavailable: 0) allows no eviction: 1 pod is healthy, and 1 must be
  Karpenter: DisruptionBlocked: Pdb prevents pod evictions (PodDisruptionBudget=[default/keeper])
  → write maxUnavailable: 1 in PodDisruptionBudget default/keeper: saves $589/month (simulated)

In the whole cluster, $1,104/month stays on the table`);
  });

  test('prints the events of a node that is removed', async () => {
    const { out } = await run(['explain', ...INPUT, '--node', 'n0']);
    expect(out).toContain(`n0 is removed by consolidation
   00:00:15  SingleNodeConsolidation decides to delete n0
   00:00:15  n0 drains
   00:00:25  n0 is terminated
`);
  });

  test('writes JSON for all nodes of a pattern', async () => {
    const { out } = await run(['explain', ...INPUT, '--node', 'n*', '--format', 'json']);
    expect(JSON.parse(out)).toMatchObject([
      { node: 'n0', events: [{ second: 15 }, { second: 15 }, { second: 25 }] },
      { node: 'n1', stays: { reason: 'pod-disruption-budget', event: { object: 'Node' } }, events: [] },
      { node: 'n2', stays: { reason: 'protected-pod' } },
    ]);
  });

  test.each([
    ['an unknown node', ['--node', 'n7x1'], '--node: no node is called "n7x1"; the nodes are n0, n1 and n2'],
    ['pods and nodes at once', ['--node', 'n1', '--pod', 'api'], 'explain either pods or nodes'],
    ['neither', [], 'nothing to explain; name a pod with --pod, or a node with --node'],
  ])('rejects %s', async (_, flags, message) => {
    const { code, err } = await run(['explain', ...INPUT, ...flags]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
