import { Size, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { newChart, specOf } from './fixtures';
import * as nodes from '../../src/nodes';

const { BufferedPods, CapacityBuffer, ProvisioningStrategy } = nodes;

function written(props: nodes.CapacityBufferProps): any {
  const chart = newChart();
  new CapacityBuffer(chart, 'buffer', props);
  return specOf(chart, 'CapacityBuffer');
}

describe('CapacityBuffer', () => {
  test('keeps room for pods of a template', () => {
    expect(written({ pods: BufferedPods.podTemplate('web'), replicas: 2 })).toEqual({
      podTemplateRef: { name: 'web' },
      replicas: 2,
    });
  });

  test('keeps room for a percentage of a workload, within limits', () => {
    const limits = { cpu: 4, memory: Size.gibibytes(8), other: { 'nvidia.com/gpu': '1' } };
    expect(
      written({
        pods: BufferedPods.deployment('web'),
        percentage: 20,
        limits,
        provisioningStrategy: ProvisioningStrategy.ACTIVE_CAPACITY,
      }),
    ).toEqual({
      scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' },
      percentage: 20,
      limits: { cpu: '4', memory: '8Gi', 'nvidia.com/gpu': '1' },
      provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
    });
  });

  test.each([
    [BufferedPods.statefulSet('db'), { apiGroup: 'apps', kind: 'StatefulSet', name: 'db' }],
    [BufferedPods.replicaSet('old'), { apiGroup: 'apps', kind: 'ReplicaSet', name: 'old' }],
  ])('%#: refers to a workload by name', (pods, expected) => {
    expect(written({ pods, replicas: 1 }).scalableRef).toEqual(expected);
  });

  test('refers to a workload that is a construct', () => {
    const chart = newChart();
    const deployment = new Deployment(chart, 'web', { containers: [{ image: 'nginx' }] });
    new CapacityBuffer(chart, 'buffer', { pods: BufferedPods.of(deployment), replicas: 1 });
    expect(specOf(chart, 'CapacityBuffer').scalableRef).toEqual({
      apiGroup: 'apps',
      kind: 'Deployment',
      name: deployment.name,
    });
  });

  test('is in the namespace of its metadata', () => {
    const chart = newChart();
    const buffer = new CapacityBuffer(chart, 'buffer', {
      metadata: { name: 'spare', namespace: 'web' },
      pods: BufferedPods.podTemplate('web'),
      replicas: 1,
    });
    expect(buffer.name).toBe('spare');
    expect(Testing.synth(chart)[0]).toMatchObject({
      apiVersion: 'autoscaling.x-k8s.io/v1beta1',
      metadata: { name: 'spare', namespace: 'web' },
    });
  });
});

describe('CapacityBuffer with invalid props', () => {
  const pods = BufferedPods.deployment('web');

  test.each<[string, nodes.CapacityBufferProps, string]>([
    [
      'a template without a number',
      { pods: BufferedPods.podTemplate('web') },
      'chart/buffer/spec.replicas: must be set, or limits, if podTemplateRef is set, got nothing',
    ],
    [
      'a workload without a number',
      { pods },
      'chart/buffer/spec.replicas: must be set, or percentage or limits, or the buffer is empty, got nothing',
    ],
    [
      'a share of a template',
      { pods: BufferedPods.podTemplate('web'), replicas: 1, percentage: 10 },
      'chart/buffer/spec.percentage: must be absent if podTemplateRef is set, because a pod template has no replicas, got 10; write replicas',
    ],
    ['a number below 0', { pods, replicas: -1 }, 'chart/buffer/spec.replicas: must be an integer of 0 or more, got -1'],
  ])('rejects %s', (_, props, message) => {
    expect(() => written(props)).toThrow(message);
  });
});
