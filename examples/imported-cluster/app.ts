import { App, Validations } from 'aws-cdk-lib';
import { ImportedClusterStack } from './imported-cluster-stack';
import { acknowledgeKarpenter } from '../acknowledgements';
import { ExampleEnvironment } from '../cdk-example';
import { acknowledgeQueue } from '../cluster-acknowledgements';

export function build(app: App, env: ExampleEnvironment): void {
  const { karpenter } = new ImportedClusterStack(app, 'ShopImported', { env });
  acknowledgeKarpenter(karpenter, env);
  acknowledgeQueue(karpenter.interruptionQueue!);
  Validations.of(karpenter.controllerPolicies).acknowledge(
    ...['kms:GenerateDataKey*', 'kms:ReEncrypt*'].map((action) => ({
      id: `AwsSolutions-IAM5[Action::${action}]`,
      reason: 'EBS chooses among these calls; they are for one key, and through EC2 alone',
    })),
  );
}
