import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { Nodegroup } from 'aws-cdk-lib/aws-eks';
import { Nodegroup as NodegroupV2 } from 'aws-cdk-lib/aws-eks-v2';
import { Dependable, IConstruct, IDependable } from 'constructs';
import { ClusterView } from './cluster-view';
import { fargateProfilesIn } from './fargate';

/**
 * What the controller can run on: node groups, managed or the cluster's own, and Fargate profiles of the app. Resources
 * that depend on it are removed first: with no node left, no controller would be there to end the instances that it
 * launched. Looked up at synth, since capacity may be added after Karpenter.
 */
export function systemCapacityOf(cluster: ClusterView): IDependable {
  const capacity: IDependable = {};
  Dependable.implement(capacity, { get dependencyRoots() { return findCapacity(cluster); } });
  return capacity;
}

function findCapacity(cluster: ClusterView): IConstruct[] {
  const nodeGroups = cluster.resource.node.root.node.findAll()
    .filter((node) => (node instanceof Nodegroup || node instanceof NodegroupV2) && node.cluster === cluster.resource);
  const ownGroups = cluster.resource.node.findAll().filter((node) => node instanceof AutoScalingGroup);
  return [...nodeGroups, ...ownGroups, ...fargateProfilesIn(cluster)];
}
