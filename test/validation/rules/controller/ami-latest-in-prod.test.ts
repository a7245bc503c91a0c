import { v1ObjectsOf } from '../../../../src/conversion';
import { check, CheckOptions } from '../../../../src/validation';
import { amiLatestInProd } from '../../../../src/validation/rules/controller/ami-latest-in-prod';
import { judge, judgeStack, nodeClass, nodePool } from '../judge';
import { applied, OPEN } from '../stack';

const rule = amiLatestInProd;
const withTerm = (term: object) => nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: [term] });
const LATEST = withTerm({ alias: 'al2023@latest' });
const STATE = ['pass EC2NodeClass/default'];

describe('KARP-905 ami-latest-in-prod', () => {
  test.each<[string, object]>([
    ['a release', { alias: 'al2023@v20250915' }],
    ['an AMI id', { id: 'ami-0123456789abcdef0' }],
    ['a full AMI name', { name: 'golden-7' }],
    ['an alias that is not a string', { alias: { of: 'al2023@latest' } }],
  ])('passes with %s', (_, term) => {
    expect(judge(rule, [withTerm(term), nodePool('default')]).states).toEqual(STATE);
  });

  test('warns of the newest release', () => {
    const [finding] = judge(rule, [LATEST, nodePool('default')]).findings;
    expect(finding).toMatchObject({
      path: ['spec', 'amiSelectorTerms', 0],
      evidence: { nodes: 0, nodePools: ['default'] },
    });
    expect(finding.message).toBe(
      'selects the newest AMI of al2023@latest: each AMI release makes all of its nodes drift, and replaces them with an untested AMI',
    );
  });

  test.each([
    [{ tags: { Environment: 'poc' } }, 'info'],
    [{ role: 'KarpenterNodeRole-shop-dev' }, 'info'],
    [{ role: 'KarpenterNodeRole-shop-prod' }, undefined],
    [{ tags: { 'company.example/env': 'Dev' } }, 'info'],
    [{ tags: { Environment: 'production', Name: 'dev' } }, undefined],
  ])('of a class with %j, it is %s', (fields, severity) => {
    const nodes = nodeClass('default', { amiSelectorTerms: [{ alias: 'al2023@latest' }], ...fields });
    expect(judge(rule, [nodes, nodePool('default')]).findings[0].severity).toBe(severity);
  });

  test('of a root for development, it is info', () => {
    const text = [LATEST, nodePool('default')].join('\n---\n');
    const { findings } = check([{ path: 'pool.yaml', text, isForDevelopment: true }]);
    expect(findings.filter(({ rule: id }) => id === 'KARP-905')).toMatchObject([{ severity: 'info' }]);
  });

  test.each([
    ['test/pool.yaml', 'info'],
    ['a/e2e/pool.yaml', 'info'],
    ['latest/pool.yaml', 'warning'],
  ])('of a class in %s, it is %s', (path, severity) => {
    const { findings } = check([{ path, text: [LATEST, nodePool('default')].join('\n---\n') }]);
    expect(findings.filter(({ rule: id }) => id === 'KARP-905')).toMatchObject([{ severity }]);
  });

  const legacyClass =
    'apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata: { name: default }\nspec:\n  amiFamily: AL2\n  role: node\n' +
    '  subnetSelectorTerms: [{ tags: { a: b } }]\n  securityGroupSelectorTerms: [{ tags: { a: b } }]\n';
  const legacyPool = (name: string, kubelet = '') =>
    `apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: { name: ${name} }\nspec:\n  template:\n    spec:\n${kubelet}` +
    '      nodeClassRef: { apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: default }\n      requirements: []\n';
  const rulesOf = (options: CheckOptions) => {
    const text = [legacyClass, legacyPool('a'), legacyPool('b', '      kubelet: { maxPods: 20 }\n')].join('---\n');
    return check([{ path: 'pool.yaml', text }], { convertLegacy: v1ObjectsOf, ...options }).findings.filter(
      ({ rule: id }) => ['KARP-905', 'KARP-907'].includes(id),
    );
  };

  test('does not apply to classes that only a conversion makes', () => {
    expect(rulesOf({}).map(({ rule: id, subject }) => `${id} ${subject.name}`)).toEqual(['KARP-907 default']);
    const served = rulesOf({ servingVersion: '0.37.0' });
    expect(served.map(({ rule: id, subject }) => `${id} ${subject.name}`)).toEqual([
      'KARP-905 default',
      'KARP-907 default',
    ]);
  });

  test('does not apply to a class that no NodePool uses', () => {
    expect(judge(rule, [LATEST]).outcomes).toEqual([]);
  });

  test('reports several classes once', () => {
    const second = LATEST.replace(/"default"/, '"gpu"');
    const { findings } = judge(rule, [
      LATEST,
      nodePool('default'),
      second,
      nodePool('other', { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'gpu' } }),
    ]);
    expect(findings).toHaveLength(1);
    expect(findings[0].message).toMatch(/; so does gpu$/);
  });

  test('warns of an AMI name with a wildcard', () => {
    expect(judge(rule, [withTerm({ name: 'golden-*' }), nodePool('default')]).findings[0].message).toContain(
      'selects the newest AMI of golden-*',
    );
  });

  test.each([
    [{ alias: 'al2023@latest' }, 'pin a release, such as al2023@v20250915'],
    [{ alias: 'bottlerocket@latest' }, 'pin a release, such as bottlerocket@v1.43.0'],
    // The API server accepts no release in Windows aliases.
    [
      { alias: 'windows2022@latest' },
      'select one AMI by its id or full name, because Windows aliases accept no release',
    ],
    [{ name: 'golden-*' }, 'select one AMI by its id or full name'],
  ])('advises how to pin %j', (term, advice) => {
    const [{ remedy }] = judge(rule, [
      nodeClass('default', { amiFamily: undefined, amiSelectorTerms: [term] }),
      nodePool('default'),
    ]).findings;
    expect(remedy).toBe(
      `${advice}, and update it after a test; or give default a disruption budget for reason Drifted`,
    );
  });

  test('reports the number of planned nodes', () => {
    const pod =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, resources: { requests: { cpu: 1 } } }] }';
    expect(judge(rule, [LATEST, nodePool('default'), pod]).findings[0].message).toContain(
      'makes its 1 node drift, and replaces it',
    );
  });

  test('passes if the NodePool has a budget for drift', () => {
    const withBudget = (reasons: string[]) =>
      nodePool('default', { disruption: { budgets: [{ nodes: '1', reasons }] } });
    expect(judge(rule, [LATEST, withBudget(['Drifted'])]).states).toEqual(STATE);
    expect(judge(rule, [LATEST, withBudget(['Empty'])]).findings).toHaveLength(1);
  });

  test('does not apply without a node class', () => {
    expect(judge(rule, [nodePool('default')]).outcomes).toEqual([]);
  });

  test('is not evaluated if the AMI is known only at deployment', () => {
    const resources = { Class: applied([JSON.parse(withTerm({ alias: OPEN }))]) };
    expect(judgeStack(rule, resources).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });
});
