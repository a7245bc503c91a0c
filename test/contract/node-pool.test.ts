import { problemsOf, nodePool } from './objects';
import { checkNodePoolSpec, FieldProblem, formatFieldPath } from '../../src/contract';

const NODE_CLASS_REF = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

/** A valid NodePool spec with other fields in `template.spec`. */
const withTemplateSpec = (fields: object) => ({
  template: { spec: { nodeClassRef: NODE_CLASS_REF, requirements: [], ...fields } },
});
const withSpec = (fields: object) => ({ ...withTemplateSpec({}), ...fields });
const withRequirement = (requirement: object) => withTemplateSpec({ requirements: [requirement] });
const summary = (problems: FieldProblem[]) => problems.map((p) => `${p.consequence} ${formatFieldPath(p.path)}`);

describe('NodePool spec', () => {
  test('is accepted with only the required fields', () => {
    expect(checkNodePoolSpec(withSpec({}))).toEqual([]);
  });

  test('is accepted with every field at a bound of its range', () => {
    const spec = {
      template: {
        metadata: { labels: { team: 'a'.repeat(63), empty: '' } },
        spec: {
          nodeClassRef: NODE_CLASS_REF,
          requirements: [
            { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5', 'm6i'], minValues: 2 },
            { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gte', values: ['0'] },
            { key: 'example.com/team', operator: 'Exists', minValues: 50 },
          ],
          taints: [
            { key: 'example.com/batch', effect: 'NoSchedule' },
            { key: 'example.com/batch', effect: 'NoExecute', value: 'yes' },
          ],
          startupTaints: [{ key: 'cni', value: 'starting', effect: 'NoExecute' }],
          expireAfter: 'Never',
          terminationGracePeriod: '1h30m',
        },
      },
      disruption: {
        consolidateAfter: '0s',
        consolidationPolicy: 'Balanced',
        budgets: [
          { nodes: '100%' },
          { nodes: '0', reasons: ['Drifted', 'Unhealthy'], schedule: '0 9 * * mon-fri', duration: '8h0s' },
          { nodes: '5', schedule: '@daily', duration: '10m' },
        ],
      },
      limits: { cpu: 1000, memory: '1000Gi', 'nvidia.com/gpu': '2e3' },
      weight: 100,
    };
    expect(checkNodePoolSpec(spec)).toEqual([]);
  });

  test('treats null as an absent field, as the API server does', () => {
    expect(
      checkNodePoolSpec(
        withSpec({ weight: null, limits: null, disruption: { budgets: [{ nodes: '1', schedule: null }] } }),
      ),
    ).toEqual([]);
  });

  test.each([
    ['no spec', undefined, ['rejected spec']],
    ['no template', {}, ['rejected spec.template']],
    ['an empty template', { template: {} }, ['rejected spec.template.spec']],
    [
      'neither class nor requirements',
      { template: { spec: {} } },
      ['rejected spec.template.spec.nodeClassRef', 'rejected spec.template.spec.requirements'],
    ],
    [
      'a class with a version in its group',
      withTemplateSpec({ nodeClassRef: { ...NODE_CLASS_REF, group: 'karpenter.k8s.aws/v1' } }),
      ['rejected spec.template.spec.nodeClassRef.group'],
    ],
    [
      'a class without a name',
      withTemplateSpec({ nodeClassRef: { ...NODE_CLASS_REF, name: '' } }),
      ['rejected spec.template.spec.nodeClassRef.name'],
    ],
    ['weight 0', withSpec({ weight: 0 }), ['rejected spec.weight']],
    ['weight 101', withSpec({ weight: 101 }), ['rejected spec.weight']],
    ['a weight in quotes', withSpec({ weight: '10' }), ['rejected spec.weight']],
    ['a limit that is not a quantity', withSpec({ limits: { memory: '1000GB' } }), ['rejected spec.limits.memory']],
    ['a negative limit', withSpec({ limits: { cpu: '-1' } }), ['misread spec.limits.cpu']],
    [
      'replicas with a weight and a CPU limit',
      withSpec({ replicas: 2, weight: 1, limits: { cpu: 1, nodes: 3 } }),
      ['rejected spec.limits', 'rejected spec.weight'],
    ],
    ['days as a unit', withTemplateSpec({ expireAfter: '30d' }), ['rejected spec.template.spec.expireAfter']],
    [
      'a grace period that never ends',
      withTemplateSpec({ terminationGracePeriod: 'Never' }),
      ['rejected spec.template.spec.terminationGracePeriod'],
    ],
    [
      'the consolidation policy of v1beta1',
      withSpec({ disruption: { consolidationPolicy: 'WhenUnderutilized' } }),
      ['rejected spec.disruption.consolidationPolicy'],
    ],
    [
      'a label value that is a number',
      { template: { metadata: { labels: { tier: 1 } }, spec: withTemplateSpec({}).template.spec } },
      ['rejected spec.template.metadata.labels.tier'],
    ],
    [
      'a label key with a space',
      { template: { metadata: { labels: { 'a b': 'c' } }, spec: withTemplateSpec({}).template.spec } },
      ['not-ready spec.template.metadata.labels["a b"]'],
    ],
    [
      'a class whose name is too long for a label',
      withTemplateSpec({ nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'a'.repeat(64) } }),
      ['launch-fails spec.template.spec.nodeClassRef.name'],
    ],
    [
      '101 requirements',
      withTemplateSpec({ requirements: Array(101).fill({ key: 'a', operator: 'Exists' }) }),
      ['rejected spec.template.spec.requirements'],
    ],
  ])('is invalid with %s', (_, spec, expected) => {
    expect(summary(checkNodePoolSpec(spec))).toEqual(expected);
  });

  test.each([
    ['nodes over 100%', { nodes: '101%' }, ['rejected nodes']],
    ['nodes as a number', { nodes: 10 }, ['rejected nodes']],
    ['a schedule without a duration', { nodes: '1', schedule: '@daily' }, ['rejected duration']],
    ['a duration without a schedule', { nodes: '1', duration: '8h' }, ['rejected schedule']],
    ['seconds in the duration', { nodes: '1', schedule: '@daily', duration: '90s' }, ['rejected duration']],
    ['a reason that does not exist', { nodes: '1', reasons: ['Expired'] }, ['rejected reasons[0]']],
    ['a reason twice', { nodes: '1', reasons: ['Empty', 'Empty'] }, ['rejected reasons[1]']],
    ['a schedule of four fields', { nodes: '1', schedule: '0 9 * *', duration: '8h' }, ['rejected schedule']],
    [
      'an unknown macro that begins like a known one',
      { nodes: '1', schedule: '@dailyx', duration: '8h' },
      ['misread schedule'],
    ],
    ['a schedule of six fields', { nodes: '1', schedule: '0 0 9 * * mon', duration: '8h' }, ['misread schedule']],
  ])('is invalid with a budget that has %s', (_, budget, expected) => {
    const problems = summary(checkNodePoolSpec(withSpec({ disruption: { budgets: [budget] } })));
    expect(problems).toEqual(expected.map((line) => line.replace(' ', ' spec.disruption.budgets[0].')));
  });

  test.each([
    [{ nodes: '0', schedule: '@daily' }, 'write how long the window lasts, for example duration: 8h'],
    [{ nodes: '0%', duration: '8h' }, 'write when the window begins, for example schedule: "0 2 * * *"'],
    [{ nodes: '10%', duration: '8h' }, 'add it, or remove the other one'],
  ])('does not advise to remove the window of a budget that allows no node: %p', (budget, remedy) => {
    expect(checkNodePoolSpec(withSpec({ disruption: { budgets: [budget] } }))).toMatchObject([{ remedy }]);
  });

  test('is validated in linear time with a hostile schedule', () => {
    const schedule = `${'a '.repeat(50_000)}!`;
    expect(
      summary(checkNodePoolSpec(withSpec({ disruption: { budgets: [{ nodes: '1', schedule, duration: '1h' }] } }))),
    ).toEqual(['misread spec.disruption.budgets[0].schedule']);
  });
});

test('a NodePool name longer than a label value makes launches fail', () => {
  const named = (name: string) => problemsOf({ ...nodePool(), metadata: { name } });
  expect(named('a'.repeat(63))).toEqual([]);
  expect(named('a'.repeat(64))).toEqual(['launch-fails metadata.name']);
});

test('a node class name longer than a label value makes launches fail since 1.1.0, which labels NodeClaims with it', () => {
  const pool = nodePool(
    {},
    { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'a'.repeat(64) } },
  );
  expect(problemsOf(pool, { version: '1.1.0' })).toEqual(['launch-fails spec.template.spec.nodeClassRef.name']);
  expect(problemsOf(pool, { version: '1.0.8' })).toEqual([]);
});

describe('requirement', () => {
  test.each([
    ['In without values', { key: 'a', operator: 'In' }, ['rejected values']],
    [
      'In with minValues above the number of values',
      { key: 'a', operator: 'In', values: ['x'], minValues: 2 },
      ['rejected minValues'],
    ],
    ['minValues 51', { key: 'a', operator: 'Exists', minValues: 51 }, ['rejected minValues']],
    ['NotIn without values', { key: 'a', operator: 'NotIn', values: [] }, ['misread values']],
    ['Exists with values', { key: 'a', operator: 'Exists', values: ['x'] }, ['misread values']],
    ['Gt with two values', { key: 'a', operator: 'Gt', values: ['1', '2'] }, ['rejected values']],
    ['Gt with a number that is not a string', { key: 'a', operator: 'Gt', values: [3] }, ['rejected values[0]']],
    ['Lt with a negative number', { key: 'a', operator: 'Lt', values: ['-1'] }, ['rejected values']],
    [
      'Gte above the range of 64 bits',
      { key: 'a', operator: 'Gte', values: ['9223372036854775808'] },
      ['rejected values'],
    ],
    ['an operator in lower case', { key: 'a', operator: 'in', values: ['x'] }, ['rejected operator']],
    ['a value that is not a label value', { key: 'a', operator: 'In', values: ['x', 'a b'] }, ['not-ready values[1]']],
    ['a value over 63 characters', { key: 'a', operator: 'In', values: ['x'.repeat(64)] }, ['not-ready values[0]']],
    ['a value that is not a string', { key: 'a', operator: 'In', values: [1] }, ['rejected values[0]']],
    ['a key that is not a label key', { key: 'a/b/c', operator: 'Exists' }, ['rejected key']],
    ['a domain that is too long', { key: `${'a'.repeat(254)}/b`, operator: 'Exists' }, ['not-ready key']],
    [
      'no known capacity type',
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['Spot'] },
      ['not-ready values'],
    ],
    [
      'one unknown capacity type of two',
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'ondemand'] },
      ['misread values'],
    ],
    [
      'fewer capacity types than minValues',
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'], minValues: 2 },
      ['rejected minValues'],
    ],
    [
      'too few known capacity types',
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'ondemand'], minValues: 2 },
      ['not-ready values'],
    ],
    ['the name of the pool', { key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] }, ['rejected key']],
    ['the hostname', { key: 'kubernetes.io/hostname', operator: 'Exists' }, ['rejected key']],
    ["a domain that only ends like Karpenter's", { key: 'notkarpenter.sh/x', operator: 'Exists' }, ['rejected key']],
    [
      'an unknown label of karpenter.k8s.aws',
      { key: 'karpenter.k8s.aws/instance-cpus', operator: 'Exists' },
      ['rejected key'],
    ],
    ['the label of the node class', { key: 'karpenter.k8s.aws/ec2nodeclass', operator: 'Exists' }, ['not-ready key']],
  ])('is invalid with %s', (_, requirement, expected) => {
    expect(summary(checkNodePoolSpec(withRequirement(requirement)))).toEqual(
      expected.map((line) => line.replace(' ', ' spec.template.spec.requirements[0].')),
    );
  });
});

describe('taint', () => {
  const taint = { key: 'a', effect: 'NoSchedule' };

  test.each([
    ['without a key', [{ effect: 'NoSchedule' }], [], ['rejected spec.template.spec.taints[0].key']],
    [
      'with an invalid time',
      [{ ...taint, timeAdded: 'yesterday' }],
      [],
      ['rejected spec.template.spec.taints[0].timeAdded'],
    ],
    [
      'with the effect of the EKS API',
      [{ key: 'a', effect: 'NO_SCHEDULE' }],
      [],
      ['rejected spec.template.spec.taints[0].effect'],
    ],
    ['with a value that is a number', [{ ...taint, value: 1 }], [], ['rejected spec.template.spec.taints[0].value']],
    ['twice in a list', [taint, taint], [], ['not-ready spec.template.spec.taints[1]']],
    ['in both lists', [taint], [{ ...taint, value: 'other' }], ['not-ready spec.template.spec.startupTaints[0]']],
  ])('is invalid %s', (_, taints, startupTaints, expected) => {
    expect(summary(checkNodePoolSpec(withTemplateSpec({ taints, startupTaints })))).toEqual(expected);
  });
});
