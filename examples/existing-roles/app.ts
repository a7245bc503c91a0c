import { App } from 'aws-cdk-lib';
import { ExistingRolesStack } from './existing-roles-stack';
import { ExampleEnvironment } from '../cdk-example';

export function build(app: App, env: ExampleEnvironment): void {
  const { karpenter } = new ExistingRolesStack(app, 'ShopExisting', { env });
  karpenter.acknowledgeCdkNag();
}
