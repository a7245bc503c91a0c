import { allowedTo, otherPlaces } from '../../../src/validation/rules/private/cluster-conditions';
import { mayDo } from '../../../src/validation/rules/private/permissions';
import { Role, Statement } from '../../../src/validation/template';

const QUEUE = 'arn:aws:sqs:eu-west-1:1:karpenter';
const OTHER = 'arn:aws:sqs:eu-west-1:1:orders';

/** A role with one policy that can be read. */
function roleOf(...statements: ReadonlyArray<Partial<Statement>>): Role {
  const nothing = { allows: true, actions: [], notActions: [], resources: [], notResources: [], principals: [], conditions: [] };
  return { policies: [{ statements: statements.map((each) => ({ ...nothing, ...each })) }], otherPolicies: [] } as unknown as Role;
}

describe('whether a role may receive messages', () => {
  const all = { actions: ['*'], resources: ['*'] };
  const on = (resource: string, ...statements: ReadonlyArray<Partial<Statement>>) => mayDo(roleOf(...statements), 'sqs:ReceiveMessage', resource);

  test.each<[string, Partial<Statement>, string]>([
    ['another action than those that are left out', { notActions: ['iam:*'], resources: ['*'] }, 'yes'],
    ['one that is left out', { notActions: ['sqs:receive*'], resources: ['*'] }, 'no'],
    ['one that may be left out', { notActions: ['${Token[A.1]}'], resources: ['*'] }, 'unknown'],
    ['another resource than those that are left out', { actions: ['sqs:*'], notResources: [OTHER] }, 'yes'],
    ['one that is left out', { actions: ['sqs:*'], notResources: [QUEUE] }, 'no'],
    ['one that may be left out', { actions: ['sqs:*'], notResources: ['${Token[A.1]}'] }, 'unknown'],
  ])('by a statement that allows %s', (_, statement, answer) => {
    expect(on(QUEUE, statement)).toBe(answer);
  });

  test.each<[string, string, Partial<Statement>, string]>([
    ['of the queue, where all others are denied', QUEUE, { actions: ['sqs:*'], notResources: [QUEUE] }, 'yes'],
    ['of another one', OTHER, { actions: ['sqs:*'], notResources: [QUEUE] }, 'no'],
    ['of some queue, as long as one is left', '*', { actions: ['sqs:*'], notResources: [QUEUE] }, 'yes'],
    ['of the queue, where all other actions are denied', QUEUE, { notActions: ['sqs:*'], resources: ['*'] }, 'yes'],
    ['of the queue, where a condition decides on the denial', QUEUE, { ...all, conditions: [{ operator: 'Bool', key: 'aws:SecureTransport', values: ['false'] }] }, 'yes'],
  ])('%s', (_, resource, denial, answer) => {
    expect(on(resource, all, { allows: false, ...denial })).toBe(answer);
  });
});

describe('what a role may do under a condition on the region', () => {
  const only = (...values: string[]) => roleOf({ actions: ['*'], resources: ['*'], conditions: [{ operator: 'StringEquals', key: 'aws:RequestedRegion', values }] });
  const may = (action: string, region?: string) => mayDo(allowedTo(only('us-east-1'), action, { region }), action);

  test.each<[string, string, string | undefined, string]>([
    ['is allowed in that region', 'ec2:RunInstances', 'us-east-1', 'yes'],
    ['is not allowed in another one', 'ec2:RunInstances', 'eu-west-1', 'no'],
    ['is taken as allowed where the region is not known', 'ec2:RunInstances', undefined, 'yes'],
    ['is allowed from another one where the service has one place for all regions', 'iam:PassRole', 'eu-west-1', 'yes'],
  ])('%s', (_, action, region, answer) => {
    expect(may(action, region)).toBe(answer);
  });

  test('is told by the regions that are not the own', () => {
    expect(otherPlaces(only('eu-west-1', 'us-east-1'), { region: 'eu-west-1' })).toEqual(['region us-east-1']);
    expect(otherPlaces(only('us-east-1'), {})).toEqual([]);
  });
});
