import { App, Validations } from 'aws-cdk-lib';
import { NthStack } from './nth-stack';
import { acknowledgeKarpenter, wildcard } from '../acknowledgements';
import { ExampleEnvironment } from '../cdk-example';

export function build(app: App, env: ExampleEnvironment): void {
  const { karpenter, handler, rehearsal } = new NthStack(app, 'ShopNth', { env });
  acknowledgeKarpenter(karpenter, env);
  const described = {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'ec2:DescribeInstances takes no resource: IAM offers nothing narrower',
  };
  Validations.of(handler).acknowledge(described);
  if (rehearsal) {
    Validations.of(rehearsal).acknowledge(
      described,
      wildcard(
        `ec2:${env.region}:${env.account}:instance/*`,
        'a condition allows the instances of this cluster alone, by their tag',
      ),
    );
  }
}
