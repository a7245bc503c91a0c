import { App } from 'aws-cdk-lib';
import { AccountStack } from './account-stack';
import { ExampleEnvironment } from '../cdk-example';

export function build(app: App, env: ExampleEnvironment): void {
  const { karpenter } = new AccountStack(app, 'ShopAccount', { env });
  karpenter.acknowledgeCdkNag();
}
