import { Stack } from 'aws-cdk-lib';
import { IManagedPolicy, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { newReference, newStack, REGIONS, resourcesOf } from './fixtures';
import { Karpenter, KarpenterProps, NodeAccess } from '../../src/infra';

const BOUNDARY = 'arn:aws:iam::111122223333:policy/boundary';

function add(stack: Stack, props: Partial<KarpenterProps> = {}): Karpenter {
  return new Karpenter(stack, 'Karpenter', { cluster: newReference(stack), ...props });
}

/** Properties of all resources of a type. */
function propertiesOf(stack: Stack, type: string): Array<Readonly<Record<string, any>>> {
  return Object.values(resourcesOf(stack, type)).map(({ Properties }) => Properties);
}

const boundary = (stack: Stack): IManagedPolicy => ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', BOUNDARY);

describe.each(REGIONS)('Karpenter in the partition %s', (_, region) => {
  test('has the permissions boundary on every role', () => {
    const stack = newStack(region);
    add(stack, { permissionsBoundary: boundary(stack) });
    expect(propertiesOf(stack, 'AWS::IAM::Role').map(({ PermissionsBoundary }) => PermissionsBoundary)).toEqual([
      BOUNDARY,
      BOUNDARY,
    ]);
  });

  test('has the path on every role, policy and instance profile', () => {
    const stack = newStack(region);
    add(stack, { path: '/platform/', isolatedVpc: true });
    const all = ['AWS::IAM::Role', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::InstanceProfile'].flatMap((type) =>
      propertiesOf(stack, type),
    );
    expect(all).toHaveLength(2 + 6 + 1);
    expect([...new Set(all.map(({ Path }) => Path))]).toEqual(['/platform/']);
  });

  test('adds nodeManagedPolicies to the node role', () => {
    const stack = newStack(region);
    add(stack, { nodeManagedPolicies: [boundary(stack)] });
    const [nodes] = propertiesOf(stack, 'AWS::IAM::Role').filter(
      ({ Description }) => Description === 'Nodes of Karpenter',
    );
    expect(nodes.ManagedPolicyArns).toContainEqual(BOUNDARY);
  });
});

test('Karpenter creates no access entry with NodeAccess.none()', () => {
  const stack = newStack();
  add(stack, { nodeAccess: NodeAccess.none() });
  expect(propertiesOf(stack, 'AWS::EKS::AccessEntry')).toEqual([]);
});
