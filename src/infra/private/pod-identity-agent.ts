/** The add-on through which EKS Pod Identity gives credentials to pods. */
import { Annotations, Aspects, CfnResource } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { EksClusterView } from './cluster-view';
import { hasPropertyValue, cfnResourcesOfType } from './resource-lookup';
import { POD_IDENTITY_AGENT } from '../../contract';

/** All resources of the app that install the add-on in this cluster. EKS accepts only one. */
export function podIdentityAgents({ resource, clusterName, knownName }: EksClusterView): CfnResource[] {
  return cfnResourcesOfType(resource, 'AWS::EKS::Addon').filter(
    (addon) =>
      hasPropertyValue(addon, 'addonName', addon, [POD_IDENTITY_AGENT]) &&
      hasPropertyValue(addon, 'clusterName', resource, [clusterName, knownName]),
  );
}

/**
 * Warns if nothing in the app installs the add-on in a cluster that the app does not create, because the cluster may
 * lack it. Evaluated at synth, because the add-on may be added after the role.
 */
export function warnOfUnknownAgent(scope: IConstruct, cluster: EksClusterView): void {
  Aspects.of(scope).add({
    visit: (node) => {
      if (node !== scope || podIdentityAgents(cluster).length > 0) return;
      Annotations.of(scope).addWarningV2(
        'karpenter-constructs:podIdentityAgent',
        `identity: the app neither creates the cluster ${cluster.resource.node.path} nor installs the add-on ${POD_IDENTITY_AGENT} in it, ` +
          'without which the controller gets no credentials; write ControllerIdentity.podIdentity({ installAgent: true }) to install the add-on, or false if the cluster has it',
      );
    },
  });
}
