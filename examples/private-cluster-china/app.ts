import { App, Validations } from 'aws-cdk-lib';
import { PrivateClusterStack } from './private-cluster-stack';
import { ExampleEnvironment } from '../cdk-example';
import { acknowledgeCluster } from '../cluster-acknowledgements';

/** Its registry is in China. */
export const partitions = ['aws-cn'];

export function build(app: App, env: ExampleEnvironment): void {
  const { cluster, systemNodes, karpenter } = new PrivateClusterStack(app, 'ShopPrivate', { env });
  acknowledgeCluster(cluster, systemNodes);
  karpenter.acknowledgeCdkNag();
  Validations.of(cluster).acknowledge({
    id: '@aws-cdk/aws-eks:isolatedSubnetsForKubectlPrivateSubnets',
    reason: 'the VPC has an endpoint for each service that kubectl calls',
  });
}
