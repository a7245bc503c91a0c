import { Aws, Fn, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { newClusterV2, newReference, newStack, resourcesOf } from './fixtures';
import { ControllerPolicies, ControllerRole } from '../../src/infra';

describe('a role whose name holds what is known only at deployment', () => {
  const warnings = (roleName: (stack: Stack) => string, clusterName?: string) => {
    const stack = newStack();
    new ControllerRole(stack, 'Controller', { cluster: newReference(stack, clusterName), roleName: roleName(stack) });
    return Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('roleName: ')).map(({ entry }) => String(entry.data));
  };

  test('warns where IAM may refuse it then', () => {
    expect(warnings(() => `KarpenterController-${Fn.importValue('ClusterName')}`)[0])
      .toMatch(/^roleName: must have at most 64 characters, got a name that may have as many as 120 once it is deployed; write it without/);
  });

  test('says nothing where IAM takes it at its longest', () => {
    expect(warnings(({ region, account }) => `scaler-${region}-${account}`)).toEqual([]);
    expect(warnings(() => `scaler-${Aws.REGION}-${Aws.ACCOUNT_ID}`)).toEqual([]);
  });

  test('uses the cluster\'s name if the app contains it', () => {
    const named = (clusterName: string) => () => {
      const stack = newStack();
      const cluster = newClusterV2(stack, { clusterName });
      new ControllerRole(stack, 'Controller', { cluster, roleName: `KarpenterController-${cluster.clusterName}` });
      return Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('roleName: '));
    };
    expect(named('shop')()).toEqual([]);
    expect(named('s'.repeat(50))).toThrow('roleName: must have at most 64 characters, got 70');
  });

  test('refuses it where the rest is too long already', () => {
    expect(() => warnings(() => `${'k'.repeat(65)}${Fn.importValue('ClusterName')}`)).toThrow(/roleName: must have at most 64 characters, got 65 \(k{65}\)/);
  });
});

describe('the policies of a cluster whose name is known only at deployment', () => {
  const namesWith = (policyNamePrefix: string) => {
    const stack = newStack();
    const cluster = newReference(stack, Fn.importValue('ClusterName'));
    const { role } = new ControllerRole(stack, 'Controller', { cluster });
    new ControllerPolicies(stack, 'Policies', { cluster, role, nodeRoles: [], policyNamePrefix });
    return Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy')).map(({ Properties }) => Properties.ManagedPolicyName);
  };

  test('have its name in theirs where that fits whatever it is', () => {
    expect(namesWith('K')).toContainEqual({ 'Fn::Join': ['', ['KNodeLifecyclePolicy-', { 'Fn::ImportValue': 'ClusterName' }]] });
  });

  test('have names from CloudFormation where it may be too long', () => {
    expect(namesWith('KarpenterControllerOfTheShop')).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
