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
