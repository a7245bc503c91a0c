import { App } from 'aws-cdk-lib';
import { AccountStack } from './account-stack';
import { acknowledgeKarpenter } from '../acknowledgements';
import { ExampleEnvironment } from '../cdk-example';
import { acknowledgeQueue } from '../cluster-acknowledgements';

export function build(app: App, env: ExampleEnvironment): void {
  const { karpenter } = new AccountStack(app, 'ShopAccount', { env });
  acknowledgeKarpenter(karpenter, env);
  acknowledgeQueue(karpenter.interruptionQueue!);
}
