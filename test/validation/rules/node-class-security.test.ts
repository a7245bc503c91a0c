import { judge, judgeStack, nodeClass } from './helper';
import { association, chart, CONTROLLER_SERVICE, get, OPEN, role, statement, applied } from './stack';
import { ImdsV1OrHopLimit } from '../../../src/validation/rules/imds-v1-or-hop-limit';
import { KmsKeyDeniesLaunch } from '../../../src/validation/rules/kms-key-denies-launch';
import { SecurityGroupSelectorWide } from '../../../src/validation/rules/security-group-selector-wide';

const CLASS = 'EC2NodeClass/default';

describe('KARP-611 imds-v1-or-hop-limit', () => {
  const rule = new ImdsV1OrHopLimit();
  const withOptions = (metadataOptions: object) => nodeClass('default', { metadataOptions });
  const balancer = (values: unknown) => ({ Balancer: chart(values, { chart: 'aws-load-balancer-controller' }) });

  test('passes with Karpenter\'s own options', () => {
    expect(judge(rule, [nodeClass()]).states).toEqual([`pass ${CLASS}`]);
    expect(judge(rule, [withOptions({ httpTokens: 'required', httpPutResponseHopLimit: 1 })]).states).toEqual([`pass ${CLASS}`]);
  });

  test('passes where the metadata service is off', () => {
    const metadataOptions = { httpEndpoint: 'disabled', httpTokens: 'optional', httpPutResponseHopLimit: 2 };
    expect(judge(rule, [nodeClass('default', { metadataOptions })]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test.each<[string, object, string]>([
    ['IMDSv1', { httpTokens: 'optional' }, 'is optional'],
    ['two hops', { httpPutResponseHopLimit: 2 }, 'is 2: every pod reaches the metadata service'],
  ])('warns of %s', (_, options, message) => {
    expect(judge(rule, [withOptions(options)]).findings[0].message).toContain(message);
  });

  test('warns of a load balancer controller that has to ask, one hop too far', () => {
    expect(judgeStack(rule, balancer({ region: 'eu-west-1' }), [nodeClass()]).findings[0].message).toContain('has no vpcId');
    expect(judgeStack(rule, balancer({ region: 'eu-west-1', vpcId: OPEN }), [nodeClass()]).findings).toEqual([]);
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
  const rule = new SecurityGroupSelectorWide();
  const group = (tags: Record<string, unknown>) => ({ Type: 'AWS::EC2::SecurityGroup', Properties: { VpcId: 'vpc', Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) } });
  const DISCOVERY = { 'karpenter.sh/discovery': 'demo' };
  const OWNED = { 'kubernetes.io/cluster/demo': 'owned' };

  test('passes with one group that is tagged as the cluster\'s', () => {
    expect(judgeStack(rule, { A: group({ ...DISCOVERY, ...OWNED }), B: group(OWNED), C: group(DISCOVERY) }, [nodeClass()]).states).toEqual([`pass ${CLASS}`]);
  });

  test('fails with two of them', () => {
    expect(judgeStack(rule, { A: group({ ...DISCOVERY, ...OWNED }), B: group({ ...DISCOVERY, ...OWNED }) }, [nodeClass()]).findings[0].message)
      .toContain('selects the security groups A and B');
  });

  test('warns of the cluster\'s tag as a selector, also without templates', () => {
    const wide = nodeClass('default', { securityGroupSelectorTerms: [{ tags: { 'kubernetes.io/cluster/demo': '*' } }] });
    expect(judge(rule, [wide]).findings[0]).toMatchObject({ severity: 'warning' });
  });

  test('does not apply where no security group is in the templates', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['it selects none of the templates', { A: group(OWNED) }],
    ['a tag is known only at deployment', { A: group({ 'karpenter.sh/discovery': OPEN }) }],
  ])('is not evaluated where %s', (_, resources) => {
    expect(judgeStack(rule, resources, [nodeClass()]).states).toEqual([`not-evaluated ${CLASS}`]);
  });
});

describe('KARP-801 kms-key-denies-launch', () => {
  const rule = new KmsKeyDeniesLaunch();
  const THROUGH_EC2 = { StringEquals: { 'kms:ViaService': 'ec2.eu-west-1.amazonaws.com', 'kms:CallerAccount': '1' } };
  const ALL = ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'];
  const ROOT = { AWS: 'arn:aws:iam::1:root' };
  const encrypted = (kmsKeyID: unknown = get('Key', 'Arn')) => applied([JSON.parse(nodeClass('default', { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { encrypted: true, volumeSize: '20Gi', kmsKeyID } }] }))]);
  const setup = (key: object, roleStatements: object[] = [], properties: object = {}) => ({
    Karpenter: chart(),
    Identity: association('Role'),
    Role: role(CONTROLLER_SERVICE, roleStatements),
    Class: encrypted(),
    Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Statement: [key] }, ...properties } },
  });

  test.each<[string, object]>([
    ['a key that everyone may use through EC2', setup(statement(ALL, '*', { principal: { AWS: '*' }, condition: THROUGH_EC2 }))],
    ['a key that everyone may use through EC2 and another service', setup(statement(ALL, '*', {
      principal: { AWS: '*' }, condition: { StringEquals: { 'kms:ViaService': ['ec2.eu-west-1.amazonaws.com', 'rds.eu-west-1.amazonaws.com'] } },
    }))],
    ...([
      ['kms:viaservice, in small letters', { StringEquals: { 'kms:viaservice': 'ec2.eu-west-1.amazonaws.com' } }],
      ['a pattern', { StringLike: { 'kms:ViaService': 'ec2.*.amazonaws.com' } }],
      ['a pattern for any service', { StringLikeIfExists: { 'kms:ViaService': ['*.amazonaws.com'] } }],
      ['capital letters that do not count', { 'ForAnyValue:StringEqualsIgnoreCase': { 'kms:ViaService': 'EC2.eu-west-1.amazonaws.com' } }],
      ['another service left out', { StringNotEquals: { 'kms:ViaService': 'rds.eu-west-1.amazonaws.com' } }],
    ] as const).map(([what, condition]): [string, object] => [`a key that everyone may use through EC2, by ${what}`, setup(statement(ALL, '*', { principal: { AWS: '*' }, condition }))]),
    ['a key for the controller\'s role', setup(statement('kms:*', '*', { principal: { AWS: get('Role', 'Arn') } }))],
    ['a key that leaves it to the account, and a role that may', setup(statement('kms:*', '*', { principal: ROOT }), [statement(ALL, get('Key', 'Arn'))])],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([`pass ${CLASS}`]);
  });

  test.each<[string, object, string]>([
    ['a key that leaves it to the account, and a role that may not', setup(statement('kms:*', '*', { principal: ROOT })), 'kms:CreateGrant'],
    ['a key for another role, and a role that may use any', setup(statement('kms:*', '*', { principal: { AWS: 'arn:aws:iam::1:role/other' } }), [statement('kms:*')]), 'kms:CreateGrant'],
    ['a key that everyone may use through another service', setup(statement(ALL, '*', {
      principal: { AWS: '*' }, condition: { StringEquals: { 'kms:ViaService': 'rds.eu-west-1.amazonaws.com' } },
    })), 'kms:CreateGrant'],
    ...([
      ['capital letters that count', { StringEquals: { 'kms:ViaService': 'EC2.eu-west-1.amazonaws.com' } }],
      ['an asterisk that is none', { StringEquals: { 'kms:ViaService': '*' } }],
      ['EC2 left out', { StringNotLike: { 'kms:ViaService': 'ec2.*' } }],
    ] as const).map(([what, condition]): [string, object, string] => [`a key that nobody may use through EC2, by ${what}`, setup(statement(ALL, '*', { principal: { AWS: '*' }, condition })), 'kms:CreateGrant']),
    ['ReEncrypt without its asterisk', setup(statement(ALL.map((action) => action.replace('Encrypt*', 'Encrypt')), '*', { principal: { AWS: '*' }, condition: THROUGH_EC2 })), 'kms:ReEncryptFrom and kms:ReEncryptTo'],
    ['a key that is disabled', setup(statement('kms:*', '*', { principal: { AWS: get('Role', 'Arn') } }), [], { Enabled: false }), 'is disabled'],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('is not evaluated where nobody can tell what the condition asks', () => {
    const resources = setup(statement(ALL, '*', { principal: { AWS: '*' }, condition: { ArnLike: { 'kms:ViaService': 'ec2.*' } } }));
    expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CLASS}`]);
  });

  test('does not apply to volumes without a key of one\'s own, nor to manifests without templates', () => {
    expect(judgeStack(rule, { Karpenter: chart() }, [nodeClass()]).outcomes).toEqual([]);
    const withKey = nodeClass('default', { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { encrypted: true, volumeSize: '20Gi', kmsKeyID: 'alias/x' } }] });
    expect(judge(rule, [withKey]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['a key that is not in the templates', { Class: encrypted('arn:aws:kms:eu-west-1:1:key/x') }],
    ['a role that is not', { ...setup(statement('kms:*', '*', { principal: ROOT })), Identity: undefined }],
    ['a policy of the role that is not', { ...setup(statement('kms:*', '*', { principal: ROOT })), Role: role(CONTROLLER_SERVICE, [], { ManagedPolicyArns: ['arn:aws:iam::1:policy/x'] }) }],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CLASS}`]);
  });
});
