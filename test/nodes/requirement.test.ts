import { newChart, newNodePool, specOf } from './fixtures';
import { WELL_KNOWN_LABELS } from '../../src/model';
import * as nodes from '../../src/nodes';

const {
  Architecture,
  CapacityReservationType,
  CapacityType,
  CpuManufacturer,
  InstanceCategory,
  InstanceFamily,
  InstanceHypervisor,
  InstanceSize,
  OperatingSystem,
  Requirement,
  Tenancy,
  Zone,
  ZoneId,
} = nodes;

/** The result of each method of `Requirement` without a parameter. */
function labelMethods(): Array<nodes.NodeLabel & { readonly method: string }> {
  const methods = Object.getOwnPropertyNames(Requirement) as Array<keyof typeof Requirement>;
  const labels = methods.filter(
    (method) => typeof Requirement[method] === 'function' && (Requirement[method] as () => unknown).length === 0,
  );
  return labels.map((method) => Object.assign((Requirement[method] as () => nodes.NodeLabel)(), { method }));
}

function written(requirement: nodes.Requirement): unknown {
  const chart = newChart();
  newNodePool(chart, { requirements: [requirement] });
  return specOf(chart, 'NodePool').template.spec.requirements[0];
}

describe('Requirement', () => {
  test.each<[nodes.Requirement, string, string, string[] | undefined]>([
    [
      Requirement.capacityType().in(CapacityType.SPOT, CapacityType.RESERVED),
      'karpenter.sh/capacity-type',
      'In',
      ['spot', 'reserved'],
    ],
    [Requirement.architecture().notIn(Architecture.ARM64), 'kubernetes.io/arch', 'NotIn', ['arm64']],
    [Requirement.operatingSystem().in(OperatingSystem.WINDOWS), 'kubernetes.io/os', 'In', ['windows']],
    [
      Requirement.instanceCategory().notIn(InstanceCategory.T, InstanceCategory.of('mac')),
      'karpenter.k8s.aws/instance-category',
      'NotIn',
      ['t', 'mac'],
    ],
    [
      Requirement.instanceHypervisor().in(InstanceHypervisor.NITRO),
      'karpenter.k8s.aws/instance-hypervisor',
      'In',
      ['nitro'],
    ],
    [
      Requirement.instanceCpuManufacturer().in(CpuManufacturer.AWS),
      'karpenter.k8s.aws/instance-cpu-manufacturer',
      'In',
      ['aws'],
    ],
    [Requirement.zone().in(Zone.of('us-east-1a')), 'topology.kubernetes.io/zone', 'In', ['us-east-1a']],
    [Requirement.zoneId().notIn(ZoneId.of('use1-az3')), 'topology.k8s.aws/zone-id', 'NotIn', ['use1-az3']],
    [Requirement.instanceGeneration().greaterThan(3), 'karpenter.k8s.aws/instance-generation', 'Gt', ['3']],
    [Requirement.instanceCpu().lessThan(17), 'karpenter.k8s.aws/instance-cpu', 'Lt', ['17']],
    [Requirement.instanceMemory().greaterThanOrEqual(4096), 'karpenter.k8s.aws/instance-memory', 'Gte', ['4096']],
    [Requirement.instanceGpuCount().lessThanOrEqual(4), 'karpenter.k8s.aws/instance-gpu-count', 'Lte', ['4']],
    [Requirement.instanceCpu().in(4, 8), 'karpenter.k8s.aws/instance-cpu', 'In', ['4', '8']],
    [Requirement.instanceLocalNvme().exists(), 'karpenter.k8s.aws/instance-local-nvme', 'Exists', undefined],
    [Requirement.instanceGpuName().doesNotExist(), 'karpenter.k8s.aws/instance-gpu-name', 'DoesNotExist', undefined],
    [
      Requirement.instanceSize().in(InstanceSize.XLARGE2, InstanceSize.METAL_24XL),
      'karpenter.k8s.aws/instance-size',
      'In',
      ['2xlarge', 'metal-24xl'],
    ],
    [
      Requirement.instanceFamily().notIn(InstanceFamily.M7I_FLEX, InstanceFamily.of('mac2')),
      'karpenter.k8s.aws/instance-family',
      'NotIn',
      ['m7i-flex', 'mac2'],
    ],
    [Requirement.tenancy().in(Tenancy.DEDICATED), 'karpenter.k8s.aws/instance-tenancy', 'In', ['dedicated']],
    [
      Requirement.capacityReservationType().in(CapacityReservationType.CAPACITY_BLOCK),
      'karpenter.k8s.aws/capacity-reservation-type',
      'In',
      ['capacity-block'],
    ],
    [
      Requirement.capacityReservationInterruptible().isFalse(),
      'karpenter.k8s.aws/capacity-reservation-interruptible',
      'In',
      ['false'],
    ],
    [
      Requirement.instanceEncryptionInTransitSupported().isTrue(),
      'karpenter.k8s.aws/instance-encryption-in-transit-supported',
      'In',
      ['true'],
    ],
    [Requirement.placementGroupPartition().in(1), 'karpenter.k8s.aws/placement-group-partition', 'In', ['1']],
    [Requirement.of('example.com/team').in('a', 'b'), 'example.com/team', 'In', ['a', 'b']],
    [Requirement.of('example.com/rank').greaterThan(1), 'example.com/rank', 'Gt', ['1']],
  ])('%#: writes key, operator and values', (requirement, key, operator, values) => {
    expect(written(requirement)).toEqual(values ? { key, operator, values } : { key, operator });
  });

  test('withMinValues returns a new requirement', () => {
    const plain = Requirement.instanceFamily().in(InstanceFamily.M5, InstanceFamily.M6I, InstanceFamily.M7I);
    expect([written(plain.withMinValues(2)), written(plain)]).toEqual([
      { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5', 'm6i', 'm7i'], minValues: 2 },
      { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5', 'm6i', 'm7i'] },
    ]);
  });

  test('rejects fractions, because no node has them', () => {
    expect(() => Requirement.instanceCpu().in(4, 4.5)).toThrow(
      'karpenter.k8s.aws/instance-cpu: must be compared with whole numbers, got 4.5; write for example 4',
    );
  });

  test('rejects an empty list of values', () => {
    expect(() => written(Requirement.zone().in())).toThrow(
      'spec.template.spec.requirements[0].values: must have a value when the operator is In, got []; add a value, or use Exists',
    );
  });

  test('has a method for every label that a NodePool may require', () => {
    const keys = labelMethods().map(({ key }) => key);
    const missing = [...WELL_KNOWN_LABELS].filter((key) => !keys.includes(key));
    expect([missing, new Set(keys).size]).toEqual([[], keys.length]);
  });

  test.each(labelMethods().filter(({ key }) => key !== 'karpenter.sh/nodepool'))(
    '$method requires a label that NodePools allow',
    (label) => {
      expect(written(label.exists())).toEqual({ key: label.key, operator: 'Exists' });
    },
  );
});

describe('Zone and ZoneId', () => {
  test('name the zones of a region', () => {
    expect(Zone.ofRegion('eu-west-1', 'a', 'b').map(({ value }) => value)).toEqual(['eu-west-1a', 'eu-west-1b']);
  });

  test.each(['us-west-2-lax-1a', 'us-east-1-wl1-bos-wlz-1', 'outpost'])('take %s as a name', (name) => {
    expect(Zone.of(name).value).toBe(name);
  });

  test.each(['use1-az1', 'usw2-lax1-az1', 'use1-wl1-bos-wlz1'])('reject the id %s as a name', (id) => {
    expect(() => Zone.of(id)).toThrow(
      `topology.kubernetes.io/zone: must be the name of a zone, got its id "${id}"; use Requirement.zoneId()`,
    );
    expect(ZoneId.of(id).value).toBe(id);
  });

  test.each(['us-east-1a', 'us-west-2-lax-1a'])('reject the name %s as an id', (name) => {
    expect(() => ZoneId.of(name)).toThrow(
      `topology.k8s.aws/zone-id: must be the id of a zone, got its name "${name}"; use Requirement.zone()`,
    );
  });
});
