import { App, Validations } from 'aws-cdk-lib';
import { NthStack } from './nth-stack';
import { ExampleEnvironment } from '../cdk-example';

export function build(app: App, env: ExampleEnvironment): void {
  const { karpenter, handler, rehearsal } = new NthStack(app, 'ShopNth', { env });
  karpenter.acknowledgeCdkNag();
  const described = {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'ec2:DescribeInstances takes no resource: IAM offers nothing narrower',
  };
  Validations.of(handler).acknowledge(described);
  if (rehearsal) {
    Validations.of(rehearsal).acknowledge(described, {
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ec2:${env.region}:${env.account}:instance/*]`,
      reason: 'a condition allows only the instances of this cluster, by their tag',
    });
  }
}
