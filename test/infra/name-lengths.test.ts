import { Aws, Fn, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { newClusterV2, newReference, newStack, resourcesOf } from './fixtures';
import { ControllerPolicies, ControllerRole } from '../../src/infra';

describe('a role whose name contains tokens', () => {
  const warnings = (roleName: (stack: Stack) => string, clusterName?: string) => {
    const stack = newStack();
    new ControllerRole(stack, 'Controller', { cluster: newReference(stack, clusterName), roleName: roleName(stack) });
    return Annotations.fromStack(stack)
      .findWarning('*', Match.stringLikeRegexp('roleName: '))
      .map(({ entry }) => String(entry.data));
  };

  test('warns if the name may be too long for IAM', () => {
    expect(warnings(() => `KarpenterController-${Fn.importValue('ClusterName')}`)[0]).toMatch(
      /^roleName: must have at most 64 characters, got a name that can have 120 when it is deployed; remove the parts/,
    );
  });

  test('does not warn if the longest possible name is valid', () => {
    expect(warnings(({ region, account }) => `scaler-${region}-${account}`)).toEqual([]);
    expect(warnings(() => `scaler-${Aws.REGION}-${Aws.ACCOUNT_ID}`)).toEqual([]);
  });

  test("measures the cluster's name if the app sets it", () => {
    const named = (clusterName: string) => () => {
      const stack = newStack();
      const cluster = newClusterV2(stack, { clusterName });
      new ControllerRole(stack, 'Controller', { cluster, roleName: `KarpenterController-${cluster.clusterName}` });
      return Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('roleName: '));
    };
    expect(named('shop')()).toEqual([]);
    expect(named('s'.repeat(50))).toThrow('roleName: must have at most 64 characters, got 70');
  });

  test('rejects a name that is too long even without its tokens', () => {
    expect(() => warnings(() => `${'k'.repeat(65)}${Fn.importValue('ClusterName')}`)).toThrow(
      /roleName: must have at most 64 characters, got 65 \(k{65}\)/,
    );
  });
});

describe('the policies of a cluster whose name is a token', () => {
  const namesWith = (policyNamePrefix: string) => {
    const stack = newStack();
    const cluster = newReference(stack, Fn.importValue('ClusterName'));
    const { role } = new ControllerRole(stack, 'Controller', { cluster });
    new ControllerPolicies(stack, 'Policies', { cluster, role, nodeRoles: [], policyNamePrefix });
    return Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy')).map(
      ({ Properties }) => Properties.ManagedPolicyName,
    );
  };

  test("have names with the cluster's name if any name fits", () => {
    expect(namesWith('K')).toContainEqual({
      'Fn::Join': ['', ['KNodeLifecyclePolicy-', { 'Fn::ImportValue': 'ClusterName' }]],
    });
  });

  test('have names from CloudFormation if they may be too long', () => {
    expect(namesWith('KarpenterControllerOfTheShop')).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
