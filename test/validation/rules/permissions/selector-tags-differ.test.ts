import { selectorTagsDiffer } from '../../../../src/validation/rules/permissions/selector-tags-differ';
import { judge, judgeStack, nodeClass } from '../judge';
import { OPEN } from '../stack';

const KEY = 'karpenter.sh/discovery';

describe('KARP-616 selector-tags-differ', () => {
  const rule = selectorTagsDiffer;
  const tagged =
    (Type: string) =>
    (value: unknown, key = KEY, properties: object = {}) => ({
      Type,
      Properties: { VpcId: 'vpc-1', Tags: value === undefined ? [] : [{ Key: key, Value: value }], ...properties },
    });
  const subnet = tagged('AWS::EC2::Subnet');
  const group = tagged('AWS::EC2::SecurityGroup');
  const judged = (resources: object, documents = [nodeClass()]) => judgeStack(rule, resources, documents);

  test('fails if all subnets with the tag have another value', () => {
    const [finding, ...others] = judged({
      A: subnet('demo-eu'),
      B: subnet('demo-eu'),
      Public: subnet(undefined),
    }).findings;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      path: ['spec', 'subnetSelectorTerms', 0, 'tags', KEY],
      remedy: `write ${KEY}: demo-eu here, or tag the subnets with demo`,
      evidence: { tag: KEY, wanted: 'demo', found: ['demo-eu'], resources: ['A', 'B'] },
    });
    expect(finding.message).toContain('the subnets of the input (A and B) have it with demo-eu');
  });

  test('fails if the security group with the tag has another value', () => {
    const [finding] = judged({ A: subnet('demo'), G: group('prod') }).findings;
    expect(finding.path).toEqual(['spec', 'securityGroupSelectorTerms', 0, 'tags', KEY]);
    expect(finding.message).toContain('security group G has it with prod');
  });

  test('reports several node classes with the same tag once', () => {
    const { findings } = judged({ A: subnet('demo-eu') }, [nodeClass(), nodeClass('gpu')]);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('EC2NodeClasses default and gpu stay'),
    ]);
  });

  test.each<[string, object]>([
    ['one of the subnets has the value', { A: subnet('demo-eu'), B: subnet('demo') }],
    ['no subnet has the tag', { A: subnet('demo', 'Name') }],
    ['the value is known only at deployment', { A: subnet(OPEN) }],
    [
      'the tags of another subnet are known only at deployment',
      { A: subnet('x'), B: subnet('x', KEY, { Tags: OPEN }) },
    ],
    ['the key of a tag is known only at deployment', { A: subnet('x'), B: subnet('demo', OPEN as never) }],
  ])('says nothing if %s', (_, resources) => {
    expect(judged(resources).findings).toEqual([]);
  });

  test.each<[string, object]>([
    ['an id', { id: 'subnet-0123456789abcdef0' }],
    ['any value', { tags: { [KEY]: '*' } }],
    ['a pattern that fits', { tags: { [KEY]: 'demo-*' } }],
    ['an unknown value', { tags: { [KEY]: '${CLUSTER_NAME}' } }],
  ])('says nothing about a term with %s', (_, term) => {
    const other = nodeClass('default', { subnetSelectorTerms: [term] });
    expect(judged({ A: subnet('demo-eu') }, [other]).findings).toEqual([]);
  });

  test('fails at the resource whose key is misspelt, or at the class', () => {
    const resources = { A: subnet('demo', 'karpenter.sh/discvery'), Public: subnet('demo', 'Name') };
    expect(judged(resources).findings).toMatchObject([
      {
        object: { name: 'A' },
        path: ['Properties', 'Tags'],
        remedy: `write ${KEY}`,
        evidence: { tag: KEY, found: ['karpenter.sh/discvery'], nodeClasses: ['default'] },
        related: { object: { name: 'default' }, path: ['spec', 'subnetSelectorTerms', 0, 'tags', KEY] },
      },
    ]);
    const tags = { 'karpenter.sh/Discovery': 'demo' };
    const misspelt = nodeClass('default', { subnetSelectorTerms: [{ tags }] });
    expect(judged({ A: subnet('demo') }, [misspelt]).findings).toMatchObject([
      { path: ['spec', 'subnetSelectorTerms', 0, 'tags', 'karpenter.sh/Discovery'], remedy: `write ${KEY}` },
    ]);
  });

  test.each<[string, object, string?]>([
    ['another value', { A: subnet('other', 'karpenter.sh/discvery') }],
    ['another number', { A: subnet('demo', `${KEY}2`) }],
    ['the name of another cluster', { A: subnet('demo', 'kubernetes.io/cluster/demos') }, 'kubernetes.io/cluster/demo'],
    ['a sibling that is selected', { A: subnet('demo', 'karpenter.sh/discvery'), B: subnet('demo') }],
  ])('takes a key for no typing error with %s', (_, resources, key = KEY) => {
    const selecting = nodeClass('default', { subnetSelectorTerms: [{ tags: { [key]: 'demo' } }] });
    expect(judged(resources, [selecting]).findings).toEqual([]);
  });

  test('does not apply without subnets and security groups', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });
});

describe('KARP-616 selector-tags-differ, with a file of eksctl', () => {
  const cluster = (tags: object, more: object = {}) =>
    JSON.stringify({
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'demo', tags },
      ...more,
    });
  const remedies = (tags: object, more?: object) =>
    judge(selectorTagsDiffer, [nodeClass(), cluster(tags, more)]).findings.map(({ remedy }) => remedy);

  test('warns if eksctl installs Karpenter, and gives the tag to nothing', () => {
    const karpenter = { karpenter: { version: '1.8.1' } };
    const { findings } = judge(selectorTagsDiffer, [nodeClass(), cluster({ team: 'web' }, karpenter)]);
    expect(findings).toMatchObject([
      {
        severity: 'warning',
        also: [{ fix: { edits: [{ path: ['metadata', 'tags', 'karpenter.sh/discovery'], value: 'demo' }] } }],
      },
    ]);
    expect(remedies({ 'karpenter.sh/discovery': 'demo' }, karpenter)).toEqual([]);
    expect(remedies({}, { ...karpenter, vpc: { id: 'vpc-1' } })).toEqual([]);
    expect(remedies({ '${KEY}': 'demo' }, karpenter)).toEqual([]);
  });

  test('compares the tags that eksctl gives to the subnets that it creates', () => {
    expect(remedies({ 'karpenter.sh/discovery': 'demo-prod' })).toEqual([
      'write karpenter.sh/discovery: demo-prod here, or karpenter.sh/discovery: demo in metadata.tags of the ClusterConfig',
    ]);
    expect(remedies({ 'karpenter.sh/discovery': 'demo' })).toEqual([]);
    expect(remedies({ 'karpenter.sh/discovery': '${NAME}' })).toEqual([]);
    expect(remedies({ team: 'web' })).toEqual([]);
    expect(remedies({ 'karpenter.sh/discovery': 'demo-prod' }, { vpc: { id: 'vpc-1', subnets: {} } })).toEqual([]);
  });
});
