import { devicePluginMissing } from '../../../../../src/validation/rules/instance-selection/devices/device-plugin-missing';
import { daemonSet, deployment, judge, judgeStack, manifest, nodeClass, nodePool, types } from '../../judge';

const rule = devicePluginMissing;
const POOL = nodePool('gpu', { requirements: [types('g5.xlarge')] });

function requesting(resource: string): string {
  const resources = { requests: { cpu: '1', memory: '1Gi', [resource]: '1' }, limits: { [resource]: '1' } };
  return deployment('infer', { containers: [{ name: 'main', image: 'app', resources }] });
}

const INFER = requesting('nvidia.com/gpu');

describe('KARP-254 device-plugin-missing', () => {
  test('notes a planned GPU node on which nothing registers the GPU', () => {
    const { findings } = judge(rule, [nodeClass(), POOL, INFER]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'nodeClassRef'],
        severity: 'info',
        evidence: { resource: 'nvidia.com/gpu', amiFamily: 'AL2023', nodes: 1, plugin: 'NVIDIA device plugin' },
      },
    ]);
    expect(findings[0].message).toContain('at $0.3722/h');
  });

  test('is a warning if the input installs other programs on nodes', () => {
    const others = [daemonSet('logs', { cpu: '10m' }), daemonSet('metrics', { cpu: '10m' })];
    expect(judge(rule, [nodeClass(), POOL, INFER, ...others]).findings[0].severity).toBe('warning');
  });

  test.each([
    ['a DaemonSet', daemonSet('nvidia-device-plugin-daemonset', {})],
    [
      'the GPU operator of Argo CD',
      manifest('argoproj.io/v1alpha1', 'Application', 'gpu', { source: { chart: 'gpu-operator' } }),
    ],
    ['the GPU operator of Flux', manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'gpu-operator', {})],
  ])('passes with the plugin in %s', (_, installer) => {
    expect(judge(rule, [nodeClass(), POOL, INFER, installer]).states).toEqual(['pass NodePool/gpu']);
  });

  test('passes with the plugin in a chart of a template', () => {
    const Chart = {
      Type: 'Custom::AWSCDK-EKS-HelmChart',
      Properties: { ClusterName: 'prod', Chart: 'nvidia-device-plugin', Release: 'plugin' },
    };
    expect(judgeStack(rule, { Chart }, [nodeClass(), POOL, INFER]).states).toEqual(['pass NodePool/gpu']);
  });

  test.each([
    ['aws.amazon.com/neuron', 'inf2.xlarge', 'Neuron device plugin'],
    ['vpc.amazonaws.com/efa', 'g5.8xlarge', 'EFA device plugin'],
  ])('notes nodes with %s', (resource, type, plugin) => {
    const pool = nodePool('devices', { requirements: [types(type)] });
    expect(judge(rule, [nodeClass(), pool, requesting(resource)]).findings).toMatchObject([{ evidence: { plugin } }]);
  });

  test.each([
    ['Bottlerocket, whose AMIs have the plugin', { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] }],
    ['a custom AMI', { amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }], userData: 'x' }],
  ])('does not apply to %s', (_, fields) => {
    expect(judge(rule, [nodeClass('default', fields), POOL, INFER]).outcomes).toEqual([]);
  });

  test('passes in the synth of an app, which is seldom all that a cluster has', () => {
    expect(judge(rule, [nodeClass(), POOL, INFER], { isSynth: true }).states).toEqual(['pass NodePool/gpu']);
  });

  test('passes for a NodePool with a label by which charts of the plugin find their nodes', () => {
    const pool = nodePool('gpu', { requirements: [types('g5.xlarge')], labels: { 'nvidia.com/gpu.present': 'true' } });
    expect(judge(rule, [nodeClass(), pool, INFER]).states).toEqual(['pass NodePool/gpu']);
  });

  test('does not apply without pods that request a device', () => {
    expect(judge(rule, [nodeClass(), POOL, deployment('web')]).outcomes).toEqual([]);
  });
});
