import { CfnAccessEntry, CfnAccessEntryProps } from 'aws-cdk-lib/aws-eks';
import { Construct } from 'constructs';
import { ClusterView } from './cluster-view';
import { hasOneOf, resourcesOfType } from './resources';

/**
 * The access entry of a role, unless EKS makes it by itself, as it does for the role of a managed node group: it
 * refuses a second one ("already in use on this cluster"), and the deployment fails. Decided at synth, since node
 * groups may be added after Karpenter.
 */
export class NodeAccessEntry extends CfnAccessEntry {
  constructor(scope: Construct, id: string, private readonly cluster: ClusterView, props: Omit<CfnAccessEntryProps, 'clusterName'>) {
    super(scope, id, { ...props, clusterName: cluster.clusterName });
  }

  protected shouldSynthesize(): boolean {
    const { resource, clusterName, knownName } = this.cluster;
    return !resourcesOfType(this, 'AWS::EKS::Nodegroup')
      .some((group) => hasOneOf(group, 'clusterName', resource, [clusterName, knownName]) && hasOneOf(group, 'nodeRole', this, [this.principalArn]));
  }
}
