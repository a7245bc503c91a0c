import { toleratesDisruptedTaint } from '../../../../../src/validation/rules/disruption/eviction/tolerates-disrupted-taint';
import { daemonSet, deployment, judge } from '../../judge';

const rule = toleratesDisruptedTaint;
const stateOf = (...tolerations: object[]) => judge(rule, [deployment('web', { tolerations })]).states;

describe('KARP-423 tolerates-disrupted-taint', () => {
  test.each([
    { operator: 'Exists' },
    { operator: 'Exists', effect: 'NoSchedule' },
    { key: 'karpenter.sh/disrupted', operator: 'Exists' },
    { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
  ])('reports %j', (toleration) => {
    const { states, findings } = judge(rule, [
      deployment('web', { tolerations: [{ key: 'team', operator: 'Exists' }, toleration] }),
    ]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.tolerations[1]');
    expect(findings[0].message).toContain(
      'key' in toleration
        ? 'tolerates karpenter.sh/disrupted:'
        : 'tolerates every taint, and so karpenter.sh/disrupted:',
    );
    expect([findings[0].remedy, findings[0].fix !== undefined]).toEqual(
      'key' in toleration
        ? ['remove the toleration', true]
        : ['list the taints that the pods should tolerate by their keys', false],
    );
  });

  test('passes tolerations of other taints and other effects', () => {
    expect(
      stateOf(
        { key: 'team', operator: 'Exists' },
        { operator: 'Exists', effect: 'NoExecute' },
        { key: 'karpenter.sh/disrupted', value: 'x' },
      ),
    ).toEqual(['pass Deployment/web']);
  });

  test.each([
    ['0.34.0', 'karpenter.sh/disruption', 'fail'],
    ['0.34.0', 'karpenter.sh/disrupted', 'pass'],
    ['0.31.0', 'karpenter.sh/disruption', undefined],
    [undefined, 'karpenter.sh/disruption', 'pass'],
  ])('takes the taint of the release: of %s, %s', (servingVersion, key, state) => {
    const web = deployment('web', { tolerations: [{ key, operator: 'Exists' }] });
    expect(judge(rule, [web], { servingVersion }).states).toEqual(state ? [`${state} Deployment/web`] : []);
  });

  test('is not evaluated if a key is known only at deployment', () => {
    expect(stateOf({ key: '${Key}', operator: 'Exists' })).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to daemonsets, without tolerations, and to pods on nodes that Karpenter does not launch', () => {
    const tolerations = [{ operator: 'Exists' }];
    const managed = deployment('managed', { tolerations, nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } });
    const byField = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
      },
    };
    const named = [
      deployment('one', { tolerations, nodeName: 'a' }),
      deployment('other', { tolerations, affinity: { nodeAffinity: byField } }),
    ];
    expect(
      judge(rule, [daemonSet('agent', {}, { tolerations }), deployment('web'), managed, ...named]).outcomes,
    ).toEqual([]);
  });
});
