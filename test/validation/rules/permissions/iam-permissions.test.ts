import {
  withUsableStatements,
  otherPlaces,
} from '../../../../src/validation/rules/permissions/controller-policy-missing-action';
import { isActionAllowed, Role, Statement } from '../../../../src/validation/template';

const QUEUE = 'arn:aws:sqs:eu-west-1:1:karpenter';
const OTHER = 'arn:aws:sqs:eu-west-1:1:orders';

/** A role with one policy of these statements. */
function roleOf(...statements: ReadonlyArray<Partial<Statement>>): Role {
  const defaults = {
    allows: true,
    actions: [],
    notActions: [],
    resources: [],
    notResources: [],
    principals: [],
    conditions: [],
  };
  return {
    policies: [{ statements: statements.map((statement) => ({ ...defaults, ...statement })) }],
    otherPolicies: [],
  } as unknown as Role;
}

describe('isActionAllowed for sqs:ReceiveMessage', () => {
  const all = { actions: ['*'], resources: ['*'] };
  const isAllowed = (resource: string, ...statements: ReadonlyArray<Partial<Statement>>) =>
    isActionAllowed(roleOf(...statements), 'sqs:ReceiveMessage', resource);

  test.each<[string, Partial<Statement>, string]>([
    ['NotAction with another action', { notActions: ['iam:*'], resources: ['*'] }, 'yes'],
    ['NotAction with the action', { notActions: ['sqs:receive*'], resources: ['*'] }, 'no'],
    ['NotAction that is known only at deployment', { notActions: ['${Token[A.1]}'], resources: ['*'] }, 'unknown'],
    ['NotResource with another resource', { actions: ['sqs:*'], notResources: [OTHER] }, 'yes'],
    ['NotResource with the resource', { actions: ['sqs:*'], notResources: [QUEUE] }, 'no'],
    [
      'NotResource that is known only at deployment',
      { actions: ['sqs:*'], notResources: ['${Token[A.1]}'] },
      'unknown',
    ],
  ])('with an Allow statement of %s', (_, statement, answer) => {
    expect(isAllowed(QUEUE, statement)).toBe(answer);
  });

  test.each<[string, string, Partial<Statement>, string]>([
    ['allows the queue if all other queues are denied', QUEUE, { actions: ['sqs:*'], notResources: [QUEUE] }, 'yes'],
    ['does not allow a queue that is denied', OTHER, { actions: ['sqs:*'], notResources: [QUEUE] }, 'no'],
    ['allows some queue if one is not denied', '*', { actions: ['sqs:*'], notResources: [QUEUE] }, 'yes'],
    ['allows the queue if only other actions are denied', QUEUE, { notActions: ['sqs:*'], resources: ['*'] }, 'yes'],
    [
      'allows the queue if the Deny statement has a condition',
      QUEUE,
      { ...all, conditions: [{ operator: 'Bool', key: 'aws:SecureTransport', values: ['false'] }] },
      'yes',
    ],
  ])('%s', (_, resource, denial, answer) => {
    expect(isAllowed(resource, all, { allows: false, ...denial })).toBe(answer);
  });
});

describe('with a condition on the region', () => {
  const only = (...values: string[]) =>
    roleOf({
      actions: ['*'],
      resources: ['*'],
      conditions: [{ operator: 'StringEquals', key: 'aws:RequestedRegion', values }],
    });
  const may = (action: string, region?: string) =>
    isActionAllowed(withUsableStatements(only('us-east-1'), action, { region }), action);

  test.each<[string, string, string | undefined, string]>([
    ['an EC2 action is allowed in that region', 'ec2:RunInstances', 'us-east-1', 'yes'],
    ['an EC2 action is not allowed in another region', 'ec2:RunInstances', 'eu-west-1', 'no'],
    ['an EC2 action is allowed if the region is not known', 'ec2:RunInstances', undefined, 'yes'],
    ['an IAM action is allowed in another region, because IAM is global', 'iam:PassRole', 'eu-west-1', 'yes'],
  ])('%s', (_, action, region, answer) => {
    expect(may(action, region)).toBe(answer);
  });

  test("otherPlaces lists the regions that are not the controller's", () => {
    expect(otherPlaces(only('eu-west-1', 'us-east-1'), { region: 'eu-west-1' })).toEqual(['region us-east-1']);
    expect(otherPlaces(only('us-east-1'), {})).toEqual([]);
  });
});

describe('isActionAllowed with policies of AWS for nodes', () => {
  const withPolicy = (name: string) => ({ ...roleOf(), otherPolicies: [`arn:aws:iam::aws:policy/${name}`] });

  test.each([
    ['AmazonEKSWorkerNodePolicy', 'iam:PassRole', 'no'],
    ['AmazonEKSWorkerNodePolicy', 'ec2:DescribeSubnets', 'unknown'],
    ['AmazonSSMManagedInstanceCore', 'ssm:GetParameter', 'unknown'],
    ['AmazonEKSComputePolicy', 'ec2:RunInstances', 'unknown'],
    ['AdministratorAccess', 'iam:PassRole', 'yes'],
  ])('says of %s that %s is allowed: %s', (policy, action, answer) => {
    expect(isActionAllowed(withPolicy(policy), action)).toBe(answer);
  });
});
