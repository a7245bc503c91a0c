import { devicePluginKeptOff } from '../../../../../src/validation/rules/instance-selection/devices/device-plugin-kept-off';
import { daemonSet, deployment, judge, nodeClass, nodePool, types } from '../../judge';

const rule = devicePluginKeptOff;
const TAINTS = [
  { key: 'nvidia.com/gpu', effect: 'NoSchedule' },
  { key: 'team', value: 'ml', effect: 'NoSchedule' },
];
const POOL = nodePool('gpu', { requirements: [types('g5.xlarge')], taints: TAINTS });
const resources = { requests: { cpu: '1', 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } };
const INFER = deployment('infer', {
  tolerations: [{ operator: 'Exists' }],
  containers: [{ name: 'main', image: 'app', resources }],
});

function plugin(...tolerations: object[]): string {
  return daemonSet('nvidia-device-plugin-daemonset', { cpu: '10m' }, { tolerations });
}

const OWN = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };

describe('KARP-255 device-plugin-kept-off', () => {
  test('reports a plugin that does not tolerate a taint of the NodePool', () => {
    const { findings } = judge(rule, [nodeClass(), POOL, INFER, plugin(OWN)]);
    expect(findings).toMatchObject([
      {
        object: { kind: 'DaemonSet', name: 'nvidia-device-plugin-daemonset' },
        path: ['spec', 'template', 'spec', 'tolerations'],
        remedy: 'add tolerations for team=ml:NoSchedule',
        evidence: { nodePool: 'gpu', resource: 'nvidia.com/gpu', taints: ['team=ml:NoSchedule'] },
        fix: { edits: [{ operation: 'append', value: { key: 'team', operator: 'Exists', effect: 'NoSchedule' } }] },
      },
    ]);
    expect(findings[0].message).toContain('they never report nvidia.com/gpu');
  });

  test('passes a plugin that tolerates all taints', () => {
    expect(judge(rule, [nodeClass(), POOL, INFER, plugin({ operator: 'Exists' })]).states).toEqual([
      'pass NodePool/gpu',
    ]);
  });

  test('passes if another DaemonSet of the plugin tolerates the taints', () => {
    const other = daemonSet('ml-nvidia-device-plugin', { cpu: '10m' }, { tolerations: [{ operator: 'Exists' }] });
    expect(judge(rule, [nodeClass(), POOL, INFER, plugin(OWN), other]).findings).toEqual([]);
  });

  const selecting = (nodeSelector: object) =>
    daemonSet('nvidia-device-plugin', { cpu: '10m' }, { tolerations: [{ operator: 'Exists' }], nodeSelector });

  test('reports a plugin that selects other nodes', () => {
    expect(
      judge(rule, [nodeClass(), POOL, INFER, selecting({ 'karpenter.sh/nodepool': 'gpus' })]).findings,
    ).toMatchObject([
      {
        object: { kind: 'DaemonSet' },
        path: ['spec', 'template', 'spec', 'nodeSelector', 'karpenter.sh/nodepool'],
        remedy: 'write gpu instead of gpus',
        evidence: { nodePool: 'gpu', key: 'karpenter.sh/nodepool', values: ['gpus'] },
      },
    ]);
  });

  test.each([{ 'karpenter.sh/nodepool': 'gpu' }, { 'feature.node.kubernetes.io/pci-10de.present': 'true' }])(
    'passes a plugin that selects the nodes, or labels that an agent sets: %j',
    (labels) => {
      expect(judge(rule, [nodeClass(), POOL, INFER, selecting(labels)]).findings).toEqual([]);
    },
  );

  test('does not apply without the plugin in the input', () => {
    expect(judge(rule, [nodeClass(), POOL, INFER]).outcomes).toEqual([]);
  });
});
