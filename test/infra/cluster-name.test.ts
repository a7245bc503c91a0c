import { Aws, Fn, Token } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { newReference, newStack } from './fixtures';
import { ControllerPolicies, NodeRole } from '../../src/infra';

const IMPOSSIBLE = ['*', 'a*', '${AWS::StackName}', 'a'.repeat(101), '', '-a', 'a.b', ' a', 'a\n', 'shop?'];

test.each(IMPOSSIBLE)('a ClusterReference rejects the name %j, which EKS rejects', (name) => {
  expect(() => newReference(newStack(), name)).toThrow(
    'Stack/Cluster/clusterName: must be a name that EKS accepts, which is 1 to 100 letters, digits, hyphens and underscores ' +
      `after a letter or digit at the start, got ${JSON.stringify(name)}; write the name that aws eks list-clusters shows`,
  );
});

test.each(['a', '0', 'shop-1_A', 'a'.repeat(100)])('a ClusterReference accepts the name %j', (name) => {
  expect(newReference(newStack(), name).clusterName).toBe(name);
});

test.each([
  Token.asString({ Ref: 'Cluster' }),
  Fn.importValue('cluster'),
  `shop-${Aws.REGION}`,
  Fn.sub('${AWS::StackName}'),
])('a ClusterReference accepts a name that is known only at deployment (%#)', (name) => {
  expect(newReference(newStack(), name).clusterName).toBe(name);
});

test('a ClusterReference rejects a wildcard beside a token', () => {
  expect(() => newReference(newStack(), `${Aws.REGION}-*`)).toThrow('clusterName: must be a name that EKS accepts');
});

test.each([
  ['aws-eks', eks.Cluster],
  ['aws-eks-v2', eksv2.Cluster],
])('the constructs reject an imported cluster of %s with such a name', (_, { fromClusterAttributes }) => {
  const stack = newStack();
  const cluster = fromClusterAttributes(stack, 'Cluster', { clusterName: '*' });
  expect(() => new NodeRole(stack, 'Nodes', { cluster })).toThrow(
    'Stack/Cluster/clusterName: must be a name that EKS accepts',
  );
  expect(() => new ControllerPolicies(stack, 'Policies', { cluster, role: {} as never, nodeRoles: [] })).toThrow(
    'clusterName: must be a name that EKS accepts',
  );
});
