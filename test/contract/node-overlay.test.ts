import { checkNodeOverlaySpec, FieldProblem, formatFieldPath } from '../../src/contract';

const summary = (problems: FieldProblem[]) => problems.map((p) => `${p.consequence} ${formatFieldPath(p.path)}`);
const withRequirement = (requirement: object) => ({ requirements: [{ key: 'a', operator: 'Exists', ...requirement }] });

describe('NodeOverlay spec', () => {
  test.each([
    ['an empty list of requirements', { requirements: [] }],
    ['a NodePool', withRequirement({ key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] })],
    ['a price', { requirements: [], price: '0.25' }],
    ['an adjustment without a leading zero', { requirements: [], priceAdjustment: '+.5' }],
    ['GPUs and huge pages', { requirements: [], capacity: { 'nvidia.com/gpu': 8, 'hugepages-2Mi': '100Mi' } }],
  ])('is accepted with %s', (_, spec) => {
    expect(checkNodeOverlaySpec(spec)).toEqual([]);
  });

  test.each([
    ['no spec', undefined, ['rejected spec']],
    ['no requirements', {}, ['rejected spec.requirements']],
    [
      '101 requirements',
      { requirements: Array(101).fill({ key: 'a', operator: 'Exists' }) },
      ['rejected spec.requirements'],
    ],
    ['a requirement that is a string', { requirements: ['a'] }, ['rejected spec.requirements[0]']],
    ['NotIn without values', withRequirement({ operator: 'NotIn' }), ['rejected spec.requirements[0].values']],
    ['minValues', withRequirement({ minValues: 1 }), ['rejected spec.requirements[0].minValues']],
    [
      'the tenancy, which is only allowed in NodePools',
      withRequirement({ key: 'karpenter.k8s.aws/instance-tenancy' }),
      ['rejected spec.requirements[0].key'],
    ],
    [
      'a capacity reservation',
      withRequirement({ key: 'karpenter.k8s.aws/capacity-reservation-id' }),
      ['rejected spec.requirements[0].key'],
    ],
    ['a host', withRequirement({ key: 'kubernetes.io/hostname' }), ['rejected spec.requirements[0].key']],
    [
      'the node class',
      withRequirement({ key: 'karpenter.k8s.aws/ec2nodeclass' }),
      ['not-ready spec.requirements[0].key'],
    ],
    ['a price that is a number', { requirements: [], price: 1 }, ['rejected spec.price']],
    ['an adjustment without a sign', { requirements: [], priceAdjustment: '10%' }, ['rejected spec.priceAdjustment']],
    [
      'price and priceAdjustment',
      { requirements: [], price: '1', priceAdjustment: '+1' },
      ['rejected spec.priceAdjustment'],
    ],
    ['pods', { requirements: [], capacity: { pods: '10' } }, ['rejected spec.capacity.pods']],
    [
      'EFA interfaces',
      { requirements: [], capacity: { 'vpc.amazonaws.com/efa': '1' } },
      ['not-ready spec.capacity["vpc.amazonaws.com/efa"]'],
    ],
    ['a negative quantity', { requirements: [], capacity: { 'a.b/c': '-1' } }, ['misread spec.capacity["a.b/c"]']],
    ['a weight of 10001', { requirements: [], weight: 10001 }, ['rejected spec.weight']],
  ])('is invalid with %s', (_, spec, expected) => {
    expect(summary(checkNodeOverlaySpec(spec))).toEqual(expected);
  });
});
