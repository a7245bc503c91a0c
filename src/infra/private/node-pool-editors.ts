/** Lets IAM roles edit NodePools, through a group of Kubernetes. */
import { Annotations, Names } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { IRole } from 'aws-cdk-lib/aws-iam';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { roleWithoutPath } from './aws-auth-role';
import { EksClusterView } from './cluster-view';
import { newObjectChart } from './manifests';
import { hasPropertyValue, cfnResourcesOfType } from './resource-lookup';
import { NODE_POOL_EDITORS } from '../../contract';
import { NodePoolEditorRole } from '../../nodes';

const DEPLOYED = 'NodePoolEditors';

/**
 * @param deploy deploys the ClusterRole and its binding, once
 */
export function grantNodePoolEditing(
  scope: Construct,
  cluster: EksClusterView,
  role: IRole,
  deploy: (id: string, chart: Chart) => Construct,
): void {
  if (cluster.configMapOnly) cluster.awsAuth!.addRoleMapping(roleWithoutPath(role), { groups: [NODE_POOL_EDITORS] });
  else addAccessEntry(scope, cluster, role);
  if (scope.node.tryFindChild(`Chart${DEPLOYED}`)) return;
  if (cluster.kubectl) {
    const chart = newObjectChart(scope);
    new NodePoolEditorRole(chart, DEPLOYED);
    deploy(DEPLOYED, chart);
    return;
  }
  Annotations.of(scope).addWarningV2(
    'karpenter-constructs:nodePoolEditors',
    `grantManageNodePools: this app cannot deploy to the cluster ${cluster.resource.node.path}, so the group ${NODE_POOL_EDITORS} has no permissions yet; ` +
      'deploy new nodes.NodePoolEditorRole(chart, ...) with the other manifests of the cluster, then acknowledge this warning',
  );
}

function addAccessEntry(scope: Construct, cluster: EksClusterView, role: IRole): void {
  const id = `NodePoolEditor${Names.nodeUniqueId(role.node)}`;
  if (scope.node.tryFindChild(id)) return;
  const entry = new CfnAccessEntry(scope, id, {
    clusterName: cluster.clusterName,
    principalArn: role.roleArn,
    kubernetesGroups: [NODE_POOL_EDITORS],
    type: 'STANDARD',
  });
  entry.node.addValidation({ validate: () => secondEntryProblems(entry, cluster, role) });
}

/** Checked at synth, because the other entry may be added later. */
function secondEntryProblems(entry: CfnAccessEntry, cluster: EksClusterView, role: IRole): string[] {
  return cfnResourcesOfType(entry, 'AWS::EKS::AccessEntry')
    .filter((other) => other !== entry)
    .filter((other) => hasPropertyValue(other, 'principalArn', entry, [role.roleArn]))
    .filter((other) =>
      hasPropertyValue(other, 'clusterName', cluster.resource, [cluster.clusterName, cluster.knownName]),
    )
    .map(
      (other) =>
        `grantManageNodePools: EKS accepts one access entry for a role, got a second one for ${role.node.path}, ${other.node.path}; ` +
        `remove grantManageNodePools, and add the group ${NODE_POOL_EDITORS} to that entry`,
    );
}
