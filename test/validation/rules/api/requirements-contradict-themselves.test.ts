import { requirementsContradictThemselves } from '../../../../src/validation/rules/api/requirements-contradict-themselves';
import { deployment, judge, nodeClass, nodePool, oneOf } from '../judge';

const rule = requirementsContradictThemselves;
const CPU = 'karpenter.k8s.aws/instance-cpu';
const ARCH = 'kubernetes.io/arch';
const compare = (operator: string, value: string) => ({ key: CPU, operator, values: [value] });
const not = (key: string, ...values: string[]) => ({ key, operator: 'NotIn', values });

describe('KARP-108 requirements-contradict-themselves', () => {
  test.each([
    ['disjoint lists', [oneOf(ARCH, 'amd64'), oneOf(ARCH, 'arm64')], 'In [amd64] and In [arm64]'],
    ['a list and its exclusion', [oneOf(ARCH, 'amd64'), not(ARCH, 'amd64')], 'In [amd64] and NotIn [amd64]'],
    ['bounds that cross', [compare('Gt', '7'), compare('Lt', '8')], 'Gt 7 and Lt 8'],
    ['bounds that are far apart', [compare('Gt', '20'), compare('Lt', '8')], 'Gt 20 and Lt 8'],
    ['inclusive bounds that cross', [compare('Gte', '9'), compare('Lte', '8')], 'Gte 9 and Lte 8'],
    ['a bound and a list', [compare('Gt', '8'), oneOf(CPU, '4', '8')], 'Gt 8 and In [4, 8]'],
    [
      'a list and absence',
      [oneOf(ARCH, 'amd64'), { key: ARCH, operator: 'DoesNotExist' }],
      'In [amd64] and DoesNotExist',
    ],
    [
      'existence and absence',
      [
        { key: ARCH, operator: 'Exists' },
        { key: ARCH, operator: 'DoesNotExist' },
      ],
      'Exists and DoesNotExist',
    ],
    ['an old alias', [oneOf('beta.kubernetes.io/arch', 'arm64'), oneOf(ARCH, 'amd64')], 'In [arm64] and In [amd64]'],
    [
      'three constraints that conflict only together',
      [oneOf(ARCH, 'a', 'b'), not(ARCH, 'a'), not(ARCH, 'b')],
      'In [a, b] and NotIn [a] and NotIn [b]',
    ],
    [
      'bounds whose every value is excluded',
      [compare('Gte', '4'), compare('Lte', '5'), not(CPU, '4', '5')],
      'Gte 4 and Lte 5 and NotIn [4, 5]',
    ],
  ])('reports %s, and shows the constraints', (_, requirements, text) => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default', { requirements })]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(text);
  });

  test('warns if the NodePool still launches types without the label', () => {
    const key = 'karpenter.k8s.aws/instance-local-nvme';
    const requirements = [
      { key, operator: 'DoesNotExist' },
      { key, operator: 'Gt', values: ['100'] },
    ];
    const [finding] = judge(rule, [nodeClass(), nodePool('default', { requirements })]).findings;
    expect([finding.severity, finding.message]).toEqual([
      'warning',
      `no value of ${key} meets DoesNotExist and Gt 100: the NodePool launches only instance types without this label`,
    ]);
  });

  test('reports a template label that a requirement excludes', () => {
    const { findings } = judge(rule, [
      nodePool('default', { labels: { [ARCH]: 'arm64' }, requirements: [oneOf(ARCH, 'amd64')] }),
    ]);
    expect(findings[0].message).toContain(`label ${ARCH}=arm64 and In [amd64]`);
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.requirements[0]');
  });

  test('reports more than 100 requirements and labels', () => {
    const labels = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`l${index}`, 'x']));
    const requirements = Array.from({ length: 41 }, (_, index) => oneOf(`r${index}`, 'x'));
    expect(judge(rule, [nodePool('default', { labels, requirements })]).findings[0].message).toContain(
      'are 101 constraints; Karpenter accepts 100',
    );
    expect(judge(rule, [nodePool('default', { labels, requirements: requirements.slice(1) })]).states).toEqual([
      'pass NodePool/default',
    ]);
  });

  test.each([
    ['lists with a value in common', [oneOf(ARCH, 'amd64', 'arm64'), oneOf(ARCH, 'arm64')]],
    [
      'exclusion and absence, which a missing label meets',
      [not(ARCH, 'amd64'), { key: ARCH, operator: 'DoesNotExist' }],
    ],
    ['bounds with one value left', [compare('Gte', '4'), compare('Lte', '5'), not(CPU, '5')]],
    [
      'bounds with one value left and excluded values outside the bounds',
      [compare('Gt', '2'), compare('Lt', '5'), not(CPU, '1', '2', '3', '5')],
    ],
    [
      'bounds with one value left and excluded values that are not numbers',
      [compare('Gte', '4'), compare('Lte', '5'), not(CPU, '4', '04', 'many')],
    ],
    ['only absence', [{ key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'DoesNotExist' }]],
    ['no requirements', []],
  ])('passes %s', (_, requirements) => {
    expect(judge(rule, [nodePool('default', { requirements })]).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if values are known only at deployment', () => {
    const requirements = [oneOf(ARCH, '${Token[TOKEN.3]}'), oneOf(ARCH, 'amd64')];
    expect(judge(rule, [nodePool('default', { requirements })]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
