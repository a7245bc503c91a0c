import { agentTaintNotExpected } from '../../../../src/validation/rules/instance-selection/agent-taint-not-expected';
import { daemonSet, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = agentTaintNotExpected;
const CILIUM = daemonSet('cilium', { cpu: '100m' });
const TAINT = { key: 'node.cilium.io/agent-not-ready', value: 'true', effect: 'NoExecute' };
const POOL = nodePool('core');

function poolWith(startupTaints: unknown): string {
  const pool = JSON.parse(POOL);
  pool.spec.template.spec.startupTaints = startupTaints;
  return JSON.stringify(pool);
}

describe('KARP-250 agent-taint-not-expected', () => {
  test('reports a NodePool without the startup taint of Cilium', () => {
    const { findings } = judge(rule, [nodeClass(), POOL, CILIUM]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'startupTaints'],
        remedy: 'add the startup taint node.cilium.io/agent-not-ready=true:NoExecute',
        evidence: { agent: 'Cilium', taint: TAINT.key },
        fix: { edits: [{ operation: 'append', value: TAINT }] },
      },
    ]);
    expect(findings[0].message).toContain('Karpenter launches further nodes');
  });

  test('passes after the remedy', () => {
    expect(judge(rule, [nodeClass(), poolWith([TAINT]), CILIUM]).states).toEqual(['pass NodePool/core']);
  });

  test('leaves a taint among the permanent ones to KARP-211', () => {
    const pool = nodePool('core', { taints: [TAINT] });
    expect(judge(rule, [nodeClass(), pool, CILIUM]).findings).toEqual([]);
  });

  test('reads the values of the chart of Cilium', () => {
    const found = (values: object) => {
      const chart = { spec: { chart: 'cilium', version: '1.16.1', sourceRef: { kind: 'HelmRepository', name: 'c' } } };
      const release = manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'cilium', { chart, values });
      return judge(rule, [nodeClass(), POOL, release]).findings;
    };
    expect(found({ operator: { replicas: 1 } })).toHaveLength(1);
    expect(found({ operator: { setNodeTaints: false } })).toEqual([]);
  });

  const config = (data: object) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cilium-config', namespace: 'kube-system' },
      data,
    });

  test.each([{ 'set-cilium-node-taints': 'false' }, { 'remove-cilium-node-taints': 'true' }])(
    'does not apply if the ConfigMap of Cilium does not switch its taint on: %j',
    (data) => {
      expect(judge(rule, [nodeClass(), POOL, CILIUM, config(data)]).outcomes).toEqual([]);
    },
  );

  test('reports the NodePool if the ConfigMap of Cilium switches its taint on', () => {
    expect(
      judge(rule, [nodeClass(), POOL, CILIUM, config({ 'set-cilium-node-taints': 'true' })]).findings,
    ).toHaveLength(1);
  });

  test('does not evaluate startup taints that are known only at deployment', () => {
    expect(judge(rule, [nodeClass(), poolWith([{ key: '${Token[TOKEN.1]}' }]), CILIUM]).whys).toHaveLength(1);
  });

  test('does not apply without the agent', () => {
    expect(judge(rule, [nodeClass(), POOL]).outcomes).toEqual([]);
  });
});
