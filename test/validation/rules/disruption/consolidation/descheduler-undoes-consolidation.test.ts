import { deschedulerUndoesConsolidation } from '../../../../../src/validation/rules/disruption/consolidation/descheduler-undoes-consolidation';
import { judge, manifest, nodeClass, nodePool } from '../../judge';

const rule = deschedulerUndoesConsolidation;
const POOL = nodePool('default');
const policy = (...enabled: string[]) => ({ profiles: [{ name: 'default', plugins: { balance: { enabled } } }] });
const release = (values: object) =>
  manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'descheduler', {
    chart: { spec: { chart: 'descheduler', version: '0.32.2', sourceRef: { kind: 'HelmRepository', name: 'd' } } },
    values,
  });
const config = (text: object) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'policy' },
    data: { 'policy.yaml': JSON.stringify({ kind: 'DeschedulerPolicy', ...text }) },
  });
const found = (...documents: string[]) => judge(rule, [nodeClass(), POOL, ...documents]).findings;

describe('KARP-450 descheduler-undoes-consolidation', () => {
  test('reports the plugin in the values of the chart, and in its default policy', () => {
    const path = ['spec', 'values', 'deschedulerPolicy', 'profiles', 0, 'plugins', 'balance', 'enabled', 1];
    expect(found(release({ deschedulerPolicy: policy('RemoveDuplicates', 'LowNodeUtilization') }))).toMatchObject([
      {
        path,
        message: expect.stringContaining('Karpenter drains just those nodes of NodePool default'),
        fix: { edits: [{ operation: 'remove', path }] },
      },
    ]);
    expect(found(release({}))).toMatchObject([{ path: ['spec', 'values'] }]);
  });

  test('reports the plugin in a ConfigMap, of both versions of the policy', () => {
    const old = { strategies: { LowNodeUtilization: { enabled: true } } };
    for (const text of [policy('LowNodeUtilization'), old])
      expect(found(config(text))).toMatchObject([{ object: { kind: 'ConfigMap' }, path: ['data', 'policy.yaml'] }]);
  });

  test('passes other plugins, and policies that select nodes', () => {
    const selecting = { ...policy('LowNodeUtilization'), nodeSelector: 'team=a' };
    for (const text of [policy('RemoveDuplicates'), selecting]) {
      expect(found(release({ deschedulerPolicy: text }))).toEqual([]);
      expect(found(config(text))).toEqual([]);
    }
  });

  test('does not apply if Karpenter removes empty nodes only', () => {
    const pool = nodePool('default', { disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '1m' } });
    expect(judge(rule, [nodeClass(), pool, release({})]).outcomes).toEqual([]);
  });
});
