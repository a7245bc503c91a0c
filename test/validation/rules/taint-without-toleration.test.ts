import { daemonSet, deployment, foreignNode, judge, nodeClass, nodePool, requiredAffinity } from './helper';
import { TaintWithoutToleration } from '../../../src/validation/rules/taint-without-toleration';

const rule = new TaintWithoutToleration();
const GPU = { key: 'nvidia.com/gpu', effect: 'NoSchedule' };
const gpuPool = nodePool('gpu', { labels: { pool: 'gpu' }, taints: [GPU] });
const toleration = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };
const train = (pod: object) => deployment('train', { nodeSelector: { pool: 'gpu' }, ...pod });
const ofTrain = (states: readonly string[]) => states.filter((state) => state.endsWith('Deployment/train'));

describe('KARP-211 taint-without-toleration', () => {
  test('fails for a workload whose only NodePools have taints that it does not tolerate', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), gpuPool, train({})]);
    expect(ofTrain(states)).toEqual(['fail Deployment/train']);
    expect(findings[0].message).toContain('NodePool gpu has nvidia.com/gpu:NoSchedule');
    expect(findings[0].remedy).toContain('{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}');
    expect(findings[0].severity).toBeUndefined();
  });

  test('names the value of the taint in the toleration to write', () => {
    const pool = nodePool('team', { taints: [{ key: 'team', value: 'a', effect: 'NoExecute' }] });
    expect(judge(rule, [nodeClass(), pool, deployment('train')]).findings[0].remedy)
      .toContain('{key: team, operator: Equal, value: "a", effect: NoExecute}');
  });

  test('names all taints that are not tolerated, since one toleration would not help', () => {
    const pool = nodePool('team', { taints: [{ key: 'team', value: 'a', effect: 'NoExecute' }, GPU, { key: 'soft', effect: 'PreferNoSchedule' }] });
    const { findings: [ofWorkload, ofPool] } = judge(rule, [nodeClass(), pool, deployment('train')]);
    const both = 'tolerations of {key: team, operator: Equal, value: "a", effect: NoExecute} and {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}';
    expect(ofWorkload.message).toContain('NodePool team has team=a:NoExecute and nvidia.com/gpu:NoSchedule');
    expect(ofWorkload.remedy).toBe(`add ${both}, or let another NodePool take these pods`);
    expect(ofPool.remedy).toBe(`add ${both} to the pods that are meant for it, or drop the taints`);
  });

  test('passes for a workload that has its node in the cluster', () => {
    expect(judge(rule, [nodeClass(), gpuPool, deployment('web')], { cluster: foreignNode() }).states).toEqual(['pass Deployment/web', 'fail NodePool/gpu']);
  });

  test('passes when the taint is tolerated', () => {
    expect(judge(rule, [nodeClass(), gpuPool, train({ tolerations: [toleration] })]).states)
      .toEqual(['pass Deployment/train', 'pass NodePool/gpu']);
  });

  test('passes when another NodePool takes the pods', () => {
    expect(ofTrain(judge(rule, [nodeClass(), gpuPool, nodePool('plain', { labels: { pool: 'gpu' } }), train({})]).states))
      .toEqual(['pass Deployment/train']);
  });

  test('passes a taint that is only a preference', () => {
    const pool = nodePool('soft', { taints: [{ key: 'a', effect: 'PreferNoSchedule' }] });
    expect(judge(rule, [nodeClass(), pool, deployment('train')]).states).toEqual(['pass Deployment/train']);
  });

  test('warns of a NodePool with a taint that no workload tolerates', () => {
    const { findings } = judge(rule, [nodeClass(), gpuPool, nodePool('default'), deployment('web')]);
    expect(findings.map(({ severity, object }) => [severity, object.name])).toEqual([['warning', 'gpu']]);
  });

  test('does not apply to workloads that no NodePool could take anyway, for other nodes, or to daemonsets', () => {
    const lost = deployment('train', { nodeSelector: { unknown: 'x' } });
    const other = deployment('train', requiredAffinity([{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }]));
    for (const documents of [[lost], [other], [daemonSet('train', {})]]) {
      expect(ofTrain(judge(rule, [nodeClass(), gpuPool, ...documents]).states)).toEqual([]);
    }
  });

  test('does not apply without workloads or without NodePools', () => {
    expect(judge(rule, [nodeClass(), gpuPool]).outcomes).toEqual([]);
    expect(judge(rule, [train({})]).outcomes).toEqual([]);
  });

  test('is not evaluated when a NodePool, or a toleration, is known only at deployment', () => {
    const unknown = nodePool('unknown', { labels: { pool: '${Token[TOKEN.5]}' } });
    expect(ofTrain(judge(rule, [nodeClass(), gpuPool, unknown, train({})]).states)).toEqual(['not-evaluated Deployment/train']);
    const open = train({ tolerations: [{ ...toleration, key: '${Token[TOKEN.6]}' }] });
    expect(judge(rule, [nodeClass(), gpuPool, open]).states).not.toContainEqual(expect.stringContaining('fail'));
  });
});
