import { devicePluginKeptOff } from '../../../../../src/validation/rules/instance-selection/devices/device-plugin-kept-off';
import { daemonSet, deployment, judge, manifest, nodeClass, nodePool, types } from '../../judge';

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

  const NFD = { 'feature.node.kubernetes.io/pci-10de.present': 'true' };
  const nfd = (tolerations: object[]) => daemonSet('nfd-worker', { cpu: '10m' }, { tolerations });
  const ALL = [{ operator: 'Exists' }];

  test.each([
    [{ 'karpenter.sh/nodepool': 'gpu' }, []],
    [NFD, [nfd(ALL)]],
    [{ team: 'ml' }, [nodePool('gpu', { requirements: [types('g5.xlarge')], labels: { team: 'ml' } })]],
  ])('passes a plugin that selects the nodes, or a label that something sets: %j', (labels, more) => {
    const given = more.some((text) => text.includes('NodePool')) ? more : [POOL, ...more];
    expect(judge(rule, [nodeClass(), INFER, selecting(labels), ...given]).findings).toEqual([]);
  });

  test('reports a plugin that requires a label that nothing sets', () => {
    const found = (labels: object, ...more: string[]) =>
      judge(rule, [nodeClass(), POOL, INFER, selecting(labels), ...more]).findings;
    expect(found(NFD)).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('which nothing in the input sets on nodes'),
        remedy:
          'require karpenter.k8s.aws/instance-gpu-manufacturer: nvidia instead, or install Node Feature Discovery',
        fix: { edits: [{ operation: 'remove' }, { operation: 'set', value: 'nvidia' }] },
      },
    ]);
    expect(found(NFD, nfd([OWN]))).toMatchObject([
      {
        object: { name: 'nfd-worker' },
        message: expect.stringContaining('worker of Node Feature Discovery does not tolerate team=ml:NoSchedule'),
      },
    ]);
    expect(found({ 'k8s.amazonaws.com/accelerator': 'a10g' })).toMatchObject([{ severity: 'error' }]);
  });

  test('reads the defaults of the charts of NVIDIA', () => {
    const chart = (name: string, version: string, values: object) =>
      manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', name, {
        chart: { spec: { chart: name, version, sourceRef: { kind: 'HelmRepository', name: 'nvidia' } } },
        values,
      });
    const found = (...release: Parameters<typeof chart>) =>
      judge(rule, [nodeClass(), POOL, INFER, chart(...release)]).findings;
    const affinity = { nodeAffinity: null };
    expect(found('nvidia-device-plugin', '0.17.1', { tolerations: ALL })).toMatchObject([
      { object: { kind: 'HelmRelease' }, remedy: expect.stringContaining('set affinity in the values to') },
    ]);
    expect(found('nvidia-device-plugin', '0.17.1', { tolerations: ALL, gfd: { enabled: true } })).toEqual([]);
    expect(found('nvidia-device-plugin', '0.17.1', { tolerations: ALL, affinity })).toEqual([]);
    expect(found('nvidia-device-plugin', '0.14.0', {})).toEqual([]);
    expect(found('gpu-operator', 'v24.9.2', {})).toMatchObject([
      {
        remedy: expect.stringContaining('daemonsets.tolerations and node-feature-discovery.worker.tolerations'),
        fix: { edits: [{ path: ['spec', 'values', 'daemonsets', 'tolerations'], value: [OWN, { key: 'team' }] }] },
      },
    ]);
    expect(found('gpu-operator', 'v24.9.2', { daemonsets: { tolerations: ALL } })).toEqual([]);
  });

  test('does not apply without the plugin in the input', () => {
    expect(judge(rule, [nodeClass(), POOL, INFER]).outcomes).toEqual([]);
  });
});
