import { Stack, StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ClusterReference, ControllerIdentity, Karpenter } from '../../src/infra';

/** Names that the cluster's repository knows without asking AWS. */
export const NAMES = { cluster: 'shop', nodeRole: 'KarpenterNodeRole-shop', queue: 'shop' };

/** The account's side of Karpenter alone: something else installs the charts and applies NodePools. */
export class AccountStack extends Stack {
  public readonly karpenter: Karpenter;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const cluster = new ClusterReference(this, 'Cluster', { clusterName: NAMES.cluster, kubernetesVersion: '1.34' });
    this.karpenter = new Karpenter(this, 'Karpenter', {
      cluster,
      identity: ControllerIdentity.podIdentity({ installAgent: true }),
      nodeRoleName: NAMES.nodeRole,
      controllerRoleName: `KarpenterController-${NAMES.cluster}`,
      policyNamePrefix: 'KarpenterController',
      // What the EC2NodeClasses of the other repository use.
      permissions: { capacityReservations: false, placementGroups: false, zonalShift: false, nodeReboot: false },
    });
    this.karpenter.publishForGitOps();
  }
}
