import {
  accessEntryTypeOf,
  boundedName,
  ec2Principals,
  incompatibilityProblem,
  nodePolicyNames,
  parameterStatements,
  partitionOfRegion,
  volumeKeyPolicyStatements,
  volumeKeyStatements,
} from '../../../src/contract';

const IRELAND = { partition: 'aws', region: 'eu-west-1', account: '111122223333' };
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/6f29df3a';

describe('partitionOfRegion', () => {
  test.each([
    ['eu-west-1', 'aws'],
    ['cn-north-1', 'aws-cn'],
    ['cn-northwest-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
  ])('puts %s into %s', (region, partition) => expect(partitionOfRegion(region).name).toBe(partition));
});

describe('ec2Principals', () => {
  test('returns both principals of EC2 in China', () => {
    expect(ec2Principals('cn-north-1', 'amazonaws.com.cn')).toEqual(['ec2.amazonaws.com', 'ec2.amazonaws.com.cn']);
  });

  test('uses the URL suffix if the region is not known', () => {
    expect(ec2Principals(undefined, '${AWS::URLSuffix}')).toEqual(['ec2.${AWS::URLSuffix}']);
  });
});

describe('nodePolicyNames', () => {
  test('contains the pull-only registry policy since 1.4', () => {
    expect(nodePolicyNames('1.15.1')).toContain('AmazonEC2ContainerRegistryPullOnly');
    expect(nodePolicyNames('1.3.3')).toContain('AmazonEC2ContainerRegistryReadOnly');
  });
});

describe('accessEntryTypeOf', () => {
  test.each([
    ['AL2023', 'EC2_LINUX'],
    ['Bottlerocket', 'EC2_LINUX'],
    ['Custom', 'EC2_LINUX'],
    ['Windows2022', 'EC2_WINDOWS'],
  ])('is for %s %s', (family, type) => expect(accessEntryTypeOf(family)).toBe(type));
});

describe('boundedName', () => {
  const long = `KarpenterNodeRole-${'platform-'.repeat(8)}`;

  test('returns a name that fits unchanged', () =>
    expect(boundedName('KarpenterNodeRole-shop', 64)).toBe('KarpenterNodeRole-shop'));

  test('shortens a name to the exact length, deterministically', () => {
    expect(boundedName(long, 64)).toHaveLength(64);
    expect(boundedName(long, 64)).toBe(boundedName(long, 64));
  });

  test('returns different results for names with the same beginning', () =>
    expect(boundedName(`${long}a`, 64)).not.toBe(boundedName(`${long}b`, 64)));
});

describe('incompatibilityProblem', () => {
  test('names the required Karpenter version', () => {
    expect(incompatibilityProblem('1.34', '1.5.2')).toBe(
      'must be 1.6.0 or newer for Kubernetes 1.34, got 1.5.2; move Karpenter to 1.6.0 before the cluster',
    );
  });

  test.each([
    ['1.25', '1.15.1', '1.26'],
    ['1.25', '1.5.0', '1.26'],
    ['1.24.7', '1.4.4', '1.25'],
    ['1.9', '1.0.0', '1.25'],
  ])('refuses Kubernetes %s with Karpenter %s, which needs %s', (kubernetes, karpenter, oldest) =>
    expect(incompatibilityProblem(kubernetes, karpenter)).toBe(
      `needs Kubernetes ${oldest} or newer, got ${karpenter} for Kubernetes ${kubernetes}; upgrade the cluster to ${oldest} or newer`,
    ),
  );

  test.each([
    ['1.26', '1.15.1'],
    ['1.25', '1.4.4'],
    ['1.34', '1.6.0'],
    ['1.37', '1.15.0'],
    ['1.99', '1.0.0'],
    ['newest', '1.0.0'],
  ])('returns undefined for Kubernetes %s with Karpenter %s', (kubernetes, karpenter) =>
    expect(incompatibilityProblem(kubernetes, karpenter)).toBeUndefined(),
  );
});

describe('volumeKeyStatements', () => {
  test('allow use only through EC2 of the region and account, and grants only for AWS services', () => {
    const [use, grant] = volumeKeyStatements([KEY], IRELAND);
    const throughEc2 = { 'kms:ViaService': ['ec2.eu-west-1.amazonaws.com'], 'kms:CallerAccount': '111122223333' };
    expect(use.Condition).toEqual({ StringEquals: throughEc2 });
    expect(grant).toMatchObject({
      Action: ['kms:CreateGrant'],
      Condition: { StringEquals: throughEc2, Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    });
  });

  test("use EC2's service name in China", () => {
    const [use] = volumeKeyStatements([KEY], { partition: 'aws-cn', region: 'cn-north-1', account: '111122223333' });
    expect(use.Condition).toMatchObject({ StringEquals: { 'kms:ViaService': ['ec2.cn-north-1.amazonaws.com.cn'] } });
  });

  test('use all service names of EC2 if the partition is not known', () => {
    const [use] = volumeKeyPolicyStatements({ ...IRELAND, partition: '${AWS::Partition}' });
    expect(use.Condition).toMatchObject({
      StringEquals: { 'kms:ViaService': ['ec2.eu-west-1.amazonaws.com', 'ec2.eu-west-1.amazonaws.com.cn'] },
    });
  });
});

describe('parameterStatements', () => {
  test('write exactly one slash before the parameter name', () => {
    const [statement] = parameterStatements(['/images/golden', 'plain'], IRELAND);
    expect(statement.Resource).toEqual([
      'arn:aws:ssm:eu-west-1:111122223333:parameter/images/golden',
      'arn:aws:ssm:eu-west-1:111122223333:parameter/plain',
    ]);
  });
});
