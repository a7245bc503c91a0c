import { Key } from 'aws-cdk-lib/aws-kms';
import { ControllerAccess, controllerAccessIn, isAllowed } from './controller-access';
import { ForbiddenCall, forbiddenCallsIn } from './forbidden-calls';
import { KarpenterCall, karpenterCalls } from '../../support/iam/karpenter-calls';
import { REGIONS } from '../fixtures';

async function deniedTargets(account: ControllerAccess, { action, targets }: KarpenterCall): Promise<string[]> {
  const allowed = await Promise.all(
    targets.map(({ resource, context }) => isAllowed(account, action, resource, context)),
  );
  return targets.filter((_, index) => !allowed[index]).map(({ resource }) => resource);
}

describe.each(REGIONS)("the controller's role with upstream's permissions in the partition %s", (partition, region) => {
  const account = controllerAccessIn(partition, region);
  const calls = karpenterCalls(account.place).map(
    (call) => [`${call.api}: ${call.action} (${call.source})`, call] as const,
  );
  const forbiddenCalls = forbiddenCallsIn(account.place);

  test.each(calls)('allows %s', async (_, call) => expect(await deniedTargets(account, call)).toEqual([]));

  test.each(forbiddenCalls.map((call) => [call[0], call] as const))(
    'does not allow to %s',
    async (_, [, action, resource, context]: ForbiddenCall) => {
      expect(await isAllowed(account, action, resource, context)).toBe(false);
    },
  );

  test('is checked against at least 40 forbidden calls', () =>
    expect(forbiddenCalls.length).toBeGreaterThanOrEqual(40));
});

describe("the controller's role with narrowed permissions", () => {
  const region = 'eu-west-1';

  test('denies the calls of all disabled features', async () => {
    const account = controllerAccessIn('aws', region, () => ({
      permissions: {
        instanceProfiles: false,
        capacityReservations: false,
        placementGroups: false,
        zonalShift: false,
        nodeReboot: false,
        isolatedVpc: true,
      },
    }));
    const denied: string[] = [];
    for (const call of karpenterCalls(account.place)) {
      for (const resource of await deniedTargets(account, call))
        denied.push(`${call.action} ${resource.split(':').slice(-1)[0].split('/')[0]}`);
    }
    expect([...new Set(denied)].sort()).toEqual([
      'arc-zonal-shift:GetManagedResource cluster',
      'ec2:CreateFleet capacity-reservation',
      'ec2:CreateFleet placement-group',
      'ec2:DescribeCapacityReservations *',
      'ec2:DescribePlacementGroups *',
      'ec2:RebootInstances instance',
      'ec2:RunInstances capacity-reservation',
      'ec2:RunInstances placement-group',
      'iam:AddRoleToInstanceProfile instance-profile',
      'iam:CreateInstanceProfile instance-profile',
      'iam:DeleteInstanceProfile instance-profile',
      'iam:GetInstanceProfile instance-profile',
      'iam:ListInstanceProfiles *',
      'iam:RemoveRoleFromInstanceProfile instance-profile',
      'pricing:GetProducts *',
    ]);
  });

  const KEY = `arn:aws:kms:${region}:111122223333:key/6f29df3a-fb94-48e4-b359-a88fb74ce78d`;
  const withKey = () =>
    controllerAccessIn('aws', region, (stack) => ({
      permissions: { volumeKeys: [Key.fromKeyArn(stack, 'Key', KEY)] },
    }));
  const throughEc2 = { 'kms:ViaService': `ec2.${region}.amazonaws.com`, 'kms:CallerAccount': '111122223333' };

  test.each([
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ])('allows %s with a volume key through EC2', async (action) =>
    expect(await isAllowed(withKey(), action, KEY, throughEc2)).toBe(true),
  );

  test('allows grants of the volume key only for AWS resources', async () => {
    expect(
      await isAllowed(withKey(), 'kms:CreateGrant', KEY, { ...throughEc2, 'kms:GrantIsForAWSResource': 'true' }),
    ).toBe(true);
    expect(
      await isAllowed(withKey(), 'kms:CreateGrant', KEY, { ...throughEc2, 'kms:GrantIsForAWSResource': 'false' }),
    ).toBe(false);
  });

  test.each<[string, string, string, Record<string, string>]>([
    ['directly', 'kms:Decrypt', KEY, { 'kms:CallerAccount': '111122223333' }],
    ['through another service', 'kms:Decrypt', KEY, { ...throughEc2, 'kms:ViaService': `s3.${region}.amazonaws.com` }],
    ['for another account', 'kms:Decrypt', KEY, { ...throughEc2, 'kms:CallerAccount': '999988887777' }],
    ['of another name', 'kms:Decrypt', KEY.replace('6f29', '0000'), throughEc2],
    ['to delete it', 'kms:ScheduleKeyDeletion', KEY, throughEc2],
  ])('does not allow the volume key %s', async (_, action, key, context) =>
    expect(await isAllowed(withKey(), action, key, context)).toBe(false),
  );
});
