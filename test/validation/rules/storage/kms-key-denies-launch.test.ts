import { kmsKeyDeniesLaunch } from '../../../../src/validation/rules/storage/kms-key-denies-launch';
import { judge, judgeStack, nodeClass } from '../judge';
import { applied, association, chart, CONTROLLER_SERVICE, get, role, statement } from '../stack';

const CLASS = 'EC2NodeClass/default';

describe('KARP-801 kms-key-denies-launch', () => {
  const rule = kmsKeyDeniesLaunch;
  const THROUGH_EC2 = { StringEquals: { 'kms:ViaService': 'ec2.eu-west-1.amazonaws.com', 'kms:CallerAccount': '1' } };
  const ALL = [
    'kms:CreateGrant',
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey*',
    'kms:ReEncrypt*',
  ];
  const ROOT = { AWS: 'arn:aws:iam::1:root' };
  const encrypted = (kmsKeyID: unknown = get('Key', 'Arn')) =>
    applied([
      JSON.parse(
        nodeClass('default', {
          blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { encrypted: true, volumeSize: '20Gi', kmsKeyID } }],
        }),
      ),
    ]);
  const setup = (key: object, roleStatements: object[] = [], properties: object = {}) => ({
    Karpenter: chart(),
    Identity: association('Role'),
    Role: role(CONTROLLER_SERVICE, roleStatements),
    Class: encrypted(),
    Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Statement: [key] }, ...properties } },
  });

  test.each<[string, object]>([
    [
      'a key that everyone may use through EC2',
      setup(statement(ALL, '*', { principal: { AWS: '*' }, condition: THROUGH_EC2 })),
    ],
    [
      'a key that everyone may use through EC2 and another service',
      setup(
        statement(ALL, '*', {
          principal: { AWS: '*' },
          condition: {
            StringEquals: { 'kms:ViaService': ['ec2.eu-west-1.amazonaws.com', 'rds.eu-west-1.amazonaws.com'] },
          },
        }),
      ),
    ],
    ...(
      [
        ['a lower-case condition key', { StringEquals: { 'kms:viaservice': 'ec2.eu-west-1.amazonaws.com' } }],
        ['a pattern', { StringLike: { 'kms:ViaService': 'ec2.*.amazonaws.com' } }],
        ['a pattern for any service', { StringLikeIfExists: { 'kms:ViaService': ['*.amazonaws.com'] } }],
        [
          'a value in capitals with IgnoreCase',
          { 'ForAnyValue:StringEqualsIgnoreCase': { 'kms:ViaService': 'EC2.eu-west-1.amazonaws.com' } },
        ],
        ['the exclusion of another service', { StringNotEquals: { 'kms:ViaService': 'rds.eu-west-1.amazonaws.com' } }],
      ] as const
    ).map(([name, condition]): [string, object] => [
      `a key that everyone may use through EC2, by ${name}`,
      setup(statement(ALL, '*', { principal: { AWS: '*' }, condition })),
    ]),
    ["a key for the controller's role", setup(statement('kms:*', '*', { principal: { AWS: get('Role', 'Arn') } }))],
    [
      'a key policy that delegates to the account, and a role with permissions',
      setup(statement('kms:*', '*', { principal: ROOT }), [statement(ALL, get('Key', 'Arn'))]),
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([`pass ${CLASS}`]);
  });

  test.each<[string, object, string]>([
    [
      'a key policy that delegates to the account, and a role without permissions',
      setup(statement('kms:*', '*', { principal: ROOT })),
      'kms:CreateGrant',
    ],
    [
      'a key for another role, and a role with permissions on any key',
      setup(statement('kms:*', '*', { principal: { AWS: 'arn:aws:iam::1:role/other' } }), [statement('kms:*')]),
      'kms:CreateGrant',
    ],
    [
      'a key that everyone may use through another service',
      setup(
        statement(ALL, '*', {
          principal: { AWS: '*' },
          condition: { StringEquals: { 'kms:ViaService': 'rds.eu-west-1.amazonaws.com' } },
        }),
      ),
      'kms:CreateGrant',
    ],
    ...(
      [
        ['a value in capitals', { StringEquals: { 'kms:ViaService': 'EC2.eu-west-1.amazonaws.com' } }],
        ['a wildcard with StringEquals', { StringEquals: { 'kms:ViaService': '*' } }],
        ['the exclusion of EC2', { StringNotLike: { 'kms:ViaService': 'ec2.*' } }],
      ] as const
    ).map(([name, condition]): [string, object, string] => [
      `a key that nobody may use through EC2, by ${name}`,
      setup(statement(ALL, '*', { principal: { AWS: '*' }, condition })),
      'kms:CreateGrant',
    ]),
    [
      'ReEncrypt without its asterisk',
      setup(
        statement(
          ALL.map((action) => action.replace('Encrypt*', 'Encrypt')),
          '*',
          { principal: { AWS: '*' }, condition: THROUGH_EC2 },
        ),
      ),
      'kms:ReEncryptFrom and kms:ReEncryptTo',
    ],
    [
      'a key that is disabled',
      setup(statement('kms:*', '*', { principal: { AWS: get('Role', 'Arn') } }), [], { Enabled: false }),
      'is disabled',
    ],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('is not evaluated if the condition has an unknown operator', () => {
    const resources = setup(
      statement(ALL, '*', { principal: { AWS: '*' }, condition: { ArnLike: { 'kms:ViaService': 'ec2.*' } } }),
    );
    expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CLASS}`]);
  });

  test('does not apply to volumes without a key, or without templates', () => {
    expect(judgeStack(rule, { Karpenter: chart() }, [nodeClass()]).outcomes).toEqual([]);
    const withKey = nodeClass('default', {
      blockDeviceMappings: [
        { deviceName: '/dev/xvda', ebs: { encrypted: true, volumeSize: '20Gi', kmsKeyID: 'alias/x' } },
      ],
    });
    expect(judge(rule, [withKey]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['a key that is not in the templates', { Class: encrypted('arn:aws:kms:eu-west-1:1:key/x') }],
    [
      'a role that is not in the templates',
      { ...setup(statement('kms:*', '*', { principal: ROOT })), Identity: undefined },
    ],
    [
      'a policy of the role that is not in the templates',
      {
        ...setup(statement('kms:*', '*', { principal: ROOT })),
        Role: role(CONTROLLER_SERVICE, [], { ManagedPolicyArns: ['arn:aws:iam::1:policy/x'] }),
      },
    ],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CLASS}`]);
  });
});
