import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { newClusterV1, newClusterV2, newReference, newStack, resourcesOf } from './fixtures';
import { ControllerIdentity, Karpenter, KarpenterProps } from '../../src/infra';

const GROUP = 'karpenter:nodepool-editors';

function install(stack: Stack, cluster: KarpenterProps['cluster']) {
  const identity = ControllerIdentity.irsa();
  return new Karpenter(stack, 'Karpenter', { cluster, ...(cluster.node.tryFindChild('Resource') ? { identity } : {}) });
}

const newRole = (stack: Stack, id = 'Team') => new Role(stack, id, { assumedBy: new AccountRootPrincipal() });
const editorEntries = (stack: Stack) =>
  Object.values(resourcesOf(stack, 'AWS::EKS::AccessEntry')).filter(({ Properties }) => Properties.Type === 'STANDARD');

describe('grantManageNodePools', () => {
  test('maps each role to the group once, and deploys its ClusterRole once', () => {
    const stack = newStack();
    const karpenter = install(stack, newClusterV2(stack));
    const [team, other] = [newRole(stack), newRole(stack, 'Other')];
    for (const role of [team, other, team]) karpenter.grantManageNodePools(role);
    expect(editorEntries(stack).map(({ Properties }) => Properties)).toEqual(
      [team, other].map((role) =>
        expect.objectContaining({ PrincipalArn: stack.resolve(role.roleArn), KubernetesGroups: [GROUP] }),
      ),
    );
    const deployed = JSON.stringify(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource'));
    expect(deployed.match(/\\"kind\\":\\"ClusterRoleBinding\\"/g)).toHaveLength(1);
    expect(deployed).toContain(GROUP);
  });

  test('maps the role in aws-auth if the cluster has no access entries', () => {
    const stack = newStack();
    install(stack, newClusterV1(stack)).grantManageNodePools(newRole(stack));
    expect(editorEntries(stack)).toEqual([]);
    expect(JSON.stringify(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource'))).toContain(
      `[\\\\\\"${GROUP}\\\\\\"]`,
    );
  });

  test('warns if something else must deploy the ClusterRole', () => {
    const stack = newStack();
    const cluster = newReference(stack);
    new Karpenter(stack, 'Karpenter', { cluster }).grantManageNodePools(newRole(stack));
    expect(editorEntries(stack)).toHaveLength(1);
    Annotations.fromStack(stack).hasWarning(
      '/Stack/Karpenter',
      Match.stringLikeRegexp('deploy new nodes.NodePoolEditorRole'),
    );
  });

  test('fails the synth if the role has an access entry already, because EKS refuses a second one', () => {
    const stack = newStack();
    const team = newRole(stack);
    install(stack, newClusterV2(stack, { clusterName: 'shop' })).grantManageNodePools(team);
    new CfnAccessEntry(stack, 'Own', { clusterName: 'shop', principalArn: team.roleArn });
    expect(() => Template.fromStack(stack)).toThrow(
      'grantManageNodePools: EKS accepts one access entry for a role, got a second one for Stack/Team, Stack/Own; ' +
        `remove grantManageNodePools, and add the group ${GROUP} to that entry`,
    );
  });
});
