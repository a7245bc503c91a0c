import {
  accessEntryTypeOf, boundedName, ec2Principals, findIncompatibility, nodePolicyNames, parameterStatements, partitionOfRegion,
  volumeKeyPolicyStatements, volumeKeyStatements,
} from '../../../src/contract';

const IRELAND = { partition: 'aws', region: 'eu-west-1', account: '111122223333' };
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/6f29df3a';

describe('partitionOfRegion', () => {
  test.each([
    ['eu-west-1', 'aws'], ['cn-north-1', 'aws-cn'], ['cn-northwest-1', 'aws-cn'], ['us-gov-west-1', 'aws-us-gov'],
  ])('puts %s into %s', (region, partition) => expect(partitionOfRegion(region).name).toBe(partition));
});

describe('ec2Principals', () => {
  test('are both names of EC2 in China', () => {
    expect(ec2Principals('cn-north-1', 'amazonaws.com.cn')).toEqual(['ec2.amazonaws.com', 'ec2.amazonaws.com.cn']);
  });

  test('follow the suffix where the region is not known', () => {
    expect(ec2Principals(undefined, '${AWS::URLSuffix}')).toEqual(['ec2.${AWS::URLSuffix}']);
  });
});

describe('nodePolicyNames', () => {
  test('pull images and list nothing since 1.4', () => {
    expect(nodePolicyNames('1.15.1')).toContain('AmazonEC2ContainerRegistryPullOnly');
    expect(nodePolicyNames('1.3.3')).toContain('AmazonEC2ContainerRegistryReadOnly');
  });
});

describe('accessEntryTypeOf', () => {
  test.each([['AL2023', 'EC2_LINUX'], ['Bottlerocket', 'EC2_LINUX'], ['Custom', 'EC2_LINUX'], ['Windows2022', 'EC2_WINDOWS']])(
    'is for %s %s', (family, type) => expect(accessEntryTypeOf(family)).toBe(type));
});

describe('boundedName', () => {
  const long = `KarpenterNodeRole-${'platform-'.repeat(8)}`;

  test('leaves a name that fits', () => expect(boundedName('KarpenterNodeRole-shop', 64)).toBe('KarpenterNodeRole-shop'));

  test('fits exactly, with the same end for the same name', () => {
    expect(boundedName(long, 64)).toHaveLength(64);
    expect(boundedName(long, 64)).toBe(boundedName(long, 64));
  });

  test('keeps two names apart that begin alike', () => expect(boundedName(`${long}a`, 64)).not.toBe(boundedName(`${long}b`, 64)));
});

describe('findIncompatibility', () => {
  test('says which Karpenter a Kubernetes needs', () => {
    expect(findIncompatibility('1.34', '1.5.2'))
      .toBe('must be 1.6.0 or newer for Kubernetes 1.34, got 1.5.2; move Karpenter to 1.6.0 before the cluster');
  });

  test.each([['1.34', '1.6.0'], ['1.37', '1.15.0'], ['1.99', '1.0.0'], ['newest', '1.0.0']])(
    'has nothing against Kubernetes %s with Karpenter %s', (kubernetes, karpenter) => expect(findIncompatibility(kubernetes, karpenter)).toBeUndefined());
});

describe('keys of volumes', () => {
  test('are used through EC2 of this region and account alone, and granted to AWS only', () => {
    const [use, grant] = volumeKeyStatements([KEY], IRELAND);
    const throughEc2 = { 'kms:ViaService': ['ec2.eu-west-1.amazonaws.com'], 'kms:CallerAccount': '111122223333' };
    expect(use.Condition).toEqual({ StringEquals: throughEc2 });
    expect(grant).toMatchObject({ Action: ['kms:CreateGrant'], Condition: { StringEquals: throughEc2, Bool: { 'kms:GrantIsForAWSResource': 'true' } } });
  });

  test('are used under the name that EC2 has in China', () => {
    const [use] = volumeKeyStatements([KEY], { partition: 'aws-cn', region: 'cn-north-1', account: '111122223333' });
    expect(use.Condition).toMatchObject({ StringEquals: { 'kms:ViaService': ['ec2.cn-north-1.amazonaws.com.cn'] } });
  });

  test('are used under any of its names where the partition is not known', () => {
    const [use] = volumeKeyPolicyStatements({ ...IRELAND, partition: '${AWS::Partition}' });
    expect(use.Condition).toMatchObject({ StringEquals: { 'kms:ViaService': ['ec2.eu-west-1.amazonaws.com', 'ec2.eu-west-1.amazonaws.com.cn'] } });
  });
});

describe('parameterStatements', () => {
  test('name the parameter with one slash, however it is written', () => {
    const [statement] = parameterStatements(['/images/golden', 'plain'], IRELAND);
    expect(statement.Resource).toEqual([
      'arn:aws:ssm:eu-west-1:111122223333:parameter/images/golden', 'arn:aws:ssm:eu-west-1:111122223333:parameter/plain',
    ]);
  });
});
