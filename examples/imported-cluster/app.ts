import { App } from 'aws-cdk-lib';
import { ImportedClusterStack } from './imported-cluster-stack';
import { ExampleEnvironment } from '../cdk-example';

export function build(app: App, env: ExampleEnvironment): void {
  const { karpenter } = new ImportedClusterStack(app, 'ShopImported', { env });
  karpenter.acknowledgeCdkNag();
}
