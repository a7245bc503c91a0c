import { imdsV1OrHopLimit } from '../../../../src/validation/rules/permissions/imds-v1-or-hop-limit';
import { securityGroupSelectorWide } from '../../../../src/validation/rules/permissions/security-group-selector-wide';
import { deployment, judge, judgeStack, manifest, nodeClass, nodePool } from '../judge';
import { applied, chart, OPEN } from '../stack';

const CLASS = 'EC2NodeClass/default';

describe('KARP-611 imds-v1-or-hop-limit', () => {
  const rule = imdsV1OrHopLimit;
  const withOptions = (metadataOptions: object) => nodeClass('default', { metadataOptions });
  const balancer = (values: unknown) => ({ Balancer: chart(values, { chart: 'aws-load-balancer-controller' }) });

  test("passes with Karpenter's defaults", () => {
    expect(judge(rule, [nodeClass()]).states).toEqual([`pass ${CLASS}`]);
    expect(judge(rule, [withOptions({ httpTokens: 'required', httpPutResponseHopLimit: 1 })]).states).toEqual([
      `pass ${CLASS}`,
    ]);
  });

  test.each([
    ['AL2023', [{ alias: 'al2023@v20250920' }], undefined],
    ['Bottlerocket', [{ alias: 'bottlerocket@1.44.0' }], undefined],
    ['AL2', [{ id: 'ami-1' }], 'AL2'],
  ])('reports a disabled metadata service with AMI family %s', (family, amiSelectorTerms, amiFamily) => {
    const metadataOptions = { httpEndpoint: 'disabled', httpTokens: 'required' };
    const { findings } = judge(rule, [nodeClass('default', { metadataOptions, amiSelectorTerms, amiFamily })]);
    expect(findings).toMatchObject([{ severity: 'error', path: ['spec', 'metadataOptions', 'httpEndpoint'] }]);
    expect(findings[0].message).toContain(`nodes of AMI family ${family} read their user data`);
  });

  test('passes a custom AMI without the metadata service', () => {
    const metadataOptions = { httpEndpoint: 'disabled', httpTokens: 'optional', httpPutResponseHopLimit: 2 };
    const custom = { metadataOptions, amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-1' }] };
    expect(judge(rule, [nodeClass('default', custom)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test.each<[string, object, string]>([
    ['IMDSv1', { httpTokens: 'optional' }, 'is optional, which allows IMDSv1'],
    ['three hops', { httpPutResponseHopLimit: 3 }, 'is 3: every pod can reach the metadata service'],
  ])('warns of %s', (_, options, message) => {
    expect(judge(rule, [withOptions(options)]).findings[0].message).toContain(message);
  });

  test('has a note on two hops, which convert writes out', () => {
    expect(judge(rule, [withOptions({ httpPutResponseHopLimit: 2 })]).findings[0]).toMatchObject({
      severity: 'info',
      evidence: { hops: 2 },
    });
  });

  test('does not apply to a class that no NodePool names', () => {
    expect(
      judge(rule, [
        nodeClass('unused', { metadataOptions: { httpTokens: 'optional' } }),
        nodeClass(),
        nodePool('default'),
      ]).states,
    ).toEqual([`pass ${CLASS}`]);
  });

  test('warns of a load balancer controller that has to query the metadata service', () => {
    expect(judgeStack(rule, balancer({ region: 'eu-west-1' }), [nodeClass()]).findings[0].message).toContain(
      'does not set vpcId',
    );
    expect(judgeStack(rule, balancer({ region: 'eu-west-1', vpcId: OPEN }), [nodeClass()]).findings).toEqual([]);
  });

  test('warns of its Deployment on nodes of Karpenter, and notes a release of its chart', () => {
    const pod = (...args: string[]) => ({
      containers: [{ name: 'controller', image: 'public.ecr.aws/eks/aws-load-balancer-controller:v2.13.0', args }],
    });
    const found = (hops: number, ...documents: string[]) =>
      judge(rule, [withOptions({ httpPutResponseHopLimit: hops }), nodePool('default'), ...documents]).findings.filter(
        ({ object }) => object.kind !== 'EC2NodeClass',
      );
    const controller = deployment('aws-load-balancer-controller', pod('--cluster-name=demo'));
    expect(found(1, controller)).toMatchObject([{ remedy: 'add --aws-vpc-id and --aws-region to its args' }]);
    expect(found(2, controller)).toEqual([]);
    expect(found(1, deployment('aws-load-balancer-controller', pod('--aws-vpc-id=vpc-1')))).toEqual([]);
    const release = (values: object) =>
      manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'balancer', {
        chart: { spec: { chart: 'aws-load-balancer-controller' } },
        values,
      });
    expect(found(1, release({ clusterName: 'demo' }))).toMatchObject([{ severity: 'info' }]);
    expect(found(1, release({ vpcId: 'vpc-1' }))).toEqual([]);
  });

  test('does not apply without a node class', () => {
    expect(judgeStack(rule, balancer({})).outcomes).toEqual([]);
  });

  test('is not evaluated with options that are known only at deployment', () => {
    const resources = { Class: applied([JSON.parse(nodeClass('default', { metadataOptions: { httpTokens: OPEN } }))]) };
    expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CLASS}`]);
  });
});

describe('KARP-613 security-group-selector-wide', () => {
  const rule = securityGroupSelectorWide;
  const group = (tags: Record<string, unknown>) => ({
    Type: 'AWS::EC2::SecurityGroup',
    Properties: { VpcId: 'vpc', Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) },
  });
  const DISCOVERY = { 'karpenter.sh/discovery': 'demo' };
  const OWNED = { 'kubernetes.io/cluster/demo': 'owned' };

  test("passes with one group that has the cluster's tag", () => {
    expect(
      judgeStack(rule, { A: group({ ...DISCOVERY, ...OWNED }), B: group(OWNED), C: group(DISCOVERY) }, [nodeClass()])
        .states,
    ).toEqual([`pass ${CLASS}`]);
  });

  test("fails with two groups that have the cluster's tag", () => {
    expect(
      judgeStack(rule, { A: group({ ...DISCOVERY, ...OWNED }), B: group({ ...DISCOVERY, ...OWNED }) }, [nodeClass()])
        .findings[0].message,
    ).toContain('selects security groups A and B, which all have the tag');
  });

  test("warns of a selector for the cluster's tag, also without templates", () => {
    const wide = nodeClass('default', {
      securityGroupSelectorTerms: [{ tags: { 'kubernetes.io/cluster/demo': '*' } }],
    });
    expect(judge(rule, [wide]).findings[0]).toMatchObject({ severity: 'warning' });
    const cluster = { Type: 'AWS::EKS::Cluster', Properties: { Name: 'demo', RoleArn: 'arn', ResourcesVpcConfig: {} } };
    const stateWith = (more: object) => judgeStack(rule, { cluster, ...more }, [wide]).states;
    expect(stateWith({ A: group(OWNED) })).toEqual([`fail ${CLASS}`]);
    // Only the security group that EKS creates for the cluster has the tag.
    expect(stateWith({ A: group(DISCOVERY) })).toEqual([`pass ${CLASS}`]);
  });

  test('does not apply if no security group is in the templates', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['it selects none of the templates', { A: group(OWNED) }],
    ['a tag is known only at deployment', { A: group({ 'karpenter.sh/discovery': OPEN }) }],
  ])('is not evaluated if %s', (_, resources) => {
    expect(judgeStack(rule, resources, [nodeClass()]).states).toEqual([`not-evaluated ${CLASS}`]);
  });
});
