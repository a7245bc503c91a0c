import { CfnResource } from 'aws-cdk-lib';
import { ClusterView } from './cluster-view';
import { hasOneOf, resourcesOfType } from './resources';

/** The add-on that hands credentials to pods. */
export const AGENT = 'eks-pod-identity-agent';

/** The add-on in this cluster, as often as the app makes it: EKS takes it once. */
export function agentsOf({ resource, clusterName, knownName }: ClusterView): CfnResource[] {
  return resourcesOfType(resource, 'AWS::EKS::Addon')
    .filter((addon) => hasOneOf(addon, 'addonName', addon, [AGENT]) && hasOneOf(addon, 'clusterName', resource, [clusterName, knownName]));
}
