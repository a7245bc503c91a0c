import { newChart, newNodePool, specOf } from './fixtures';
import * as nodes from '../../src/nodes';

const { Architecture, CapacityType, CpuManufacturer, InstanceCategory, InstanceHypervisor, OperatingSystem, Requirement } = nodes;

function written(requirement: nodes.Requirement): unknown {
  const chart = newChart();
  newNodePool(chart, { requirements: [requirement] });
  return specOf(chart, 'NodePool').template.spec.requirements[0];
}

describe('Requirement', () => {
  test.each<[nodes.Requirement, string, string, string[] | undefined]>([
    [Requirement.capacityType().in(CapacityType.SPOT, CapacityType.RESERVED), 'karpenter.sh/capacity-type', 'In', ['spot', 'reserved']],
    [Requirement.architecture().notIn(Architecture.ARM64), 'kubernetes.io/arch', 'NotIn', ['arm64']],
    [Requirement.operatingSystem().in(OperatingSystem.WINDOWS), 'kubernetes.io/os', 'In', ['windows']],
    [Requirement.instanceCategory().notIn(InstanceCategory.T, InstanceCategory.of('mac')), 'karpenter.k8s.aws/instance-category', 'NotIn', ['t', 'mac']],
    [Requirement.instanceHypervisor().in(InstanceHypervisor.NITRO), 'karpenter.k8s.aws/instance-hypervisor', 'In', ['nitro']],
    [Requirement.instanceCpuManufacturer().in(CpuManufacturer.AWS), 'karpenter.k8s.aws/instance-cpu-manufacturer', 'In', ['aws']],
    [Requirement.zone().in('us-east-1a'), 'topology.kubernetes.io/zone', 'In', ['us-east-1a']],
    [Requirement.zoneId().notIn('use1-az3'), 'topology.k8s.aws/zone-id', 'NotIn', ['use1-az3']],
    [Requirement.instanceGeneration().greaterThan(3), 'karpenter.k8s.aws/instance-generation', 'Gt', ['3']],
    [Requirement.instanceCpu().lessThan(17), 'karpenter.k8s.aws/instance-cpu', 'Lt', ['17']],
    [Requirement.instanceMemory().greaterThanOrEqual(4096), 'karpenter.k8s.aws/instance-memory', 'Gte', ['4096']],
    [Requirement.instanceGpuCount().lessThanOrEqual(4), 'karpenter.k8s.aws/instance-gpu-count', 'Lte', ['4']],
    [Requirement.instanceCpu().in(4, 8), 'karpenter.k8s.aws/instance-cpu', 'In', ['4', '8']],
    [Requirement.instanceLocalNvme().exists(), 'karpenter.k8s.aws/instance-local-nvme', 'Exists', undefined],
    [Requirement.instanceGpuName().doesNotExist(), 'karpenter.k8s.aws/instance-gpu-name', 'DoesNotExist', undefined],
    [Requirement.of('example.com/team').in('a', 'b'), 'example.com/team', 'In', ['a', 'b']],
    [Requirement.of('example.com/rank').greaterThan(1), 'example.com/rank', 'Gt', ['1']],
  ])('%#: writes key, operator and values', (requirement, key, operator, values) => {
    expect(written(requirement)).toEqual(values ? { key, operator, values } : { key, operator });
  });

  test('with minValues is another requirement', () => {
    const plain = Requirement.instanceFamily().in('m5', 'm6i', 'm7i');
    expect([written(plain.withMinValues(2)), written(plain)]).toEqual([
      { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5', 'm6i', 'm7i'], minValues: 2 },
      { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5', 'm6i', 'm7i'] },
    ]);
  });

  test('rejects fractions, which no node has', () => {
    expect(() => Requirement.instanceCpu().in(4, 4.5)).toThrow('karpenter.k8s.aws/instance-cpu: must be compared with whole numbers, got 4.5; write for example 4');
  });

  test('rejects an empty list of values', () => {
    expect(() => written(Requirement.zone().in())).toThrow('spec.template.spec.requirements[0].values: must hold a value when the operator is In, got []; add a value, or use Exists');
  });
});
