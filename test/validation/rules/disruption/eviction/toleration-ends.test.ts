import { tolerationEnds } from '../../../../../src/validation/rules/disruption/eviction/toleration-ends';
import { deployment, judge, nodeClass, nodePool } from '../../judge';

const rule = tolerationEnds;
const POOL = [nodeClass(), nodePool('batch', { taints: [{ key: 'team', value: 'batch', effect: 'NoExecute' }] })];
const tolerating = (...tolerations: object[]) => deployment('web', { tolerations });
const BATCH = { key: 'team', operator: 'Equal', value: 'batch', effect: 'NoExecute' };

describe('KARP-439 toleration-ends', () => {
  test('reports a toleration of the NodePool that ends', () => {
    expect(judge(rule, [...POOL, tolerating({ ...BATCH, tolerationSeconds: 300 })]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'tolerations', 0, 'tolerationSeconds'],
        message:
          'tolerates team=batch:NoExecute of NodePool batch for 300 s: each pod is evicted 300 s after its start, and its successor starts on the same kind of node',
        remedy: 'remove tolerationSeconds',
        evidence: { taint: 'team=batch:NoExecute', nodePool: 'batch', tolerationSeconds: 300 },
      },
    ]);
  });

  test('passes if an earlier toleration has no end, or the seconds are of another taint', () => {
    const ready = {
      key: 'node.kubernetes.io/not-ready',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 60,
    };
    expect(
      judge(rule, [...POOL, tolerating(BATCH, { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 })])
        .states,
    ).toEqual(['pass Deployment/web']);
    expect(judge(rule, [...POOL, tolerating(ready, BATCH)]).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to tolerations without an end', () => {
    expect(judge(rule, [...POOL, tolerating(BATCH)]).outcomes).toEqual([]);
  });
});
