import {
  isRestrictedLabel,
  Label,
  labelDomain,
  labelName,
  normalizeLabelKey,
  WELL_KNOWN_LABELS,
  WELL_KNOWN_VALUES,
} from '../../src/model';

describe('WELL_KNOWN_LABELS', () => {
  test('has the 8 labels of Karpenter and the 28 labels of its AWS provider 1.15.1', () => {
    expect(WELL_KNOWN_LABELS.size).toBe(36);
    expect(
      Object.values(Label)
        .filter((key) => !WELL_KNOWN_LABELS.has(key))
        .sort(),
    ).toEqual([
      'karpenter.k8s.aws/ec2nodeclass',
      'karpenter.sh/initialized',
      'karpenter.sh/registered',
      'kubernetes.io/hostname',
    ]);
  });

  test('has known values for capacity type and tenancy only', () => {
    expect([...WELL_KNOWN_VALUES.keys()]).toEqual([Label.CAPACITY_TYPE, Label.INSTANCE_TENANCY]);
    expect(WELL_KNOWN_VALUES.get(Label.CAPACITY_TYPE)).toEqual(new Set(['on-demand', 'spot', 'reserved']));
  });
});

describe('normalizeLabelKey', () => {
  test.each([
    ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
    ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
    ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
    ['beta.kubernetes.io/os', 'kubernetes.io/os'],
    ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
    ['topology.ebs.csi.aws.com/zone', 'topology.kubernetes.io/zone'],
    ['team', 'team'],
  ])('turns %s into %s', (key, expected) => {
    expect(normalizeLabelKey(key)).toBe(expected);
  });
});

describe('isRestrictedLabel', () => {
  test.each([
    'karpenter.sh/custom',
    'karpenter.sh/initialized',
    'sub.karpenter.sh/x',
    'karpenter.k8s.aws/ec2nodeclass',
    'a.karpenter.k8s.aws/x',
    'kubernetes.io/hostname',
  ])('returns true for %s', (key) => {
    expect(isRestrictedLabel(key)).toBe(true);
  });

  test.each([
    'karpenter.sh/capacity-type',
    'karpenter.k8s.aws/instance-cpu',
    'team',
    'karpenter.sh',
    'notkarpenter.sh/x',
    'kubernetes.io/custom',
    'k8s.io/custom',
  ])('returns false for %s', (key) => {
    expect(isRestrictedLabel(key)).toBe(false);
  });
});

describe('labelDomain and labelName', () => {
  test.each([
    ['a.io/b', 'a.io', 'b'],
    ['b', '', 'b'],
    ['a/b/c', 'a', 'b/c'],
    ['/b', '', 'b'],
  ])('split %s into domain %j and name %j', (key, domain, name) => {
    expect(labelDomain(key)).toBe(domain);
    expect(labelName(key)).toBe(name);
  });
});
