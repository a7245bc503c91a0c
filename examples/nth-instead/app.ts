import { App, Validations } from 'aws-cdk-lib';
import { NthStack } from './nth-stack';
import { ExampleEnvironment } from '../cdk-example';

export function build(app: App, env: ExampleEnvironment): void {
  const stack = new NthStack(app, 'ShopNth', { env });
  const described = { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'ec2:DescribeInstances takes no resource: IAM offers nothing narrower' };
  Validations.of(stack.handler).acknowledge(described);
  if (stack.rehearsal) {
    Validations.of(stack.rehearsal).acknowledge(described, {
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ec2:${env.region}:${env.account}:instance/*]`,
      reason: 'which instances there will be is not known; a condition allows those of the cluster alone, by their tag',
    });
  }
}
