import { App } from 'aws-cdk-lib';
import { NewClusterStack } from './new-cluster-stack';
import { ExampleEnvironment } from '../cdk-example';
import { acknowledgeCluster } from '../cluster-acknowledgements';

export function build(app: App, env: ExampleEnvironment): void {
  const { cluster, systemNodes, karpenter } = new NewClusterStack(app, 'ShopNew', { env });
  acknowledgeCluster(cluster, systemNodes);
  karpenter.acknowledgeCdkNag();
}
