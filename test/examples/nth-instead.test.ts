import { existsSync, mkdtempSync, readFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { build } from '../../examples/nth-instead/app';
import { NthStack } from '../../examples/nth-instead/nth-stack';
import { ClusterReference, Karpenter } from '../../src/infra';
import { KarpenterVerdictPlugin } from '../../src/plugins';

function stackIn(region: string): NthStack {
  const app = new App({ builtinCloudFormationValidation: false });
  build(app, { account: '111122223333', region });
  return app.node.findChild('ShopNth') as NthStack;
}

describe('the example with AWS Node Termination Handler', () => {
  test('creates rules for spot interruptions, state changes and health events, a queue, and the chart that reads the queue', () => {
    const stack = stackIn('eu-west-1');
    const template = Template.fromStack(stack);
    template.resourceCountIs('AWS::Events::Rule', 3);
    template.hasResourceProperties('AWS::SQS::Queue', { QueueName: 'shop-nth', MessageRetentionPeriod: 300 });
    template.hasResourceProperties('Custom::AWSCDK-EKS-HelmChart', {
      ClusterName: 'shop',
      Chart: 'aws-node-termination-handler',
      Version: '0.27.1',
    });
    expect(stack.resolve(stack.handler.helmValues)).toMatchObject({
      replicas: 2,
      managedTag: 'kubernetes.io/cluster/shop',
    });
  });

  test('configures no interruption queue for Karpenter', () => {
    const { karpenter } = stackIn('eu-west-1');
    expect(karpenter.interruptionQueue).toBeUndefined();
    expect(karpenter.helmValues.settings.interruptionQueue ?? '').toBe('');
  });

  test('passes KarpenterVerdictPlugin, because the handler reads the interruption notices', () => {
    const app = new App({
      builtinCloudFormationValidation: false,
      outdir: mkdtempSync(join(tmpdir(), 'nth-instead-')),
    });
    build(app, { account: '111122223333', region: 'eu-west-1' });
    Validations.of(app).addPlugins(new KarpenterVerdictPlugin({ quiet: true }));
    expect(() => app.synth()).not.toThrow();
  });

  test('passes KarpenterVerdictPlugin beside the stack of another cluster, whose Karpenter a GitOps tool installs', () => {
    const app = new App({
      builtinCloudFormationValidation: false,
      outdir: mkdtempSync(join(tmpdir(), 'nth-instead-')),
    });
    const env = { account: '111122223333', region: 'eu-west-1' };
    build(app, env);
    const stack = new Stack(app, 'Other', { env });
    new Karpenter(stack, 'Karpenter', { cluster: new ClusterReference(stack, 'Cluster', { clusterName: 'other' }) });
    Validations.of(app).addPlugins(new KarpenterVerdictPlugin({ quiet: true }));
    expect(() => app.synth()).not.toThrow();
  });

  test('has an FIS experiment that stops when messages in the queue are not read', () => {
    const template = Template.fromStack(stackIn('eu-west-1'));
    const alarms = template.findResources('AWS::CloudWatch::Alarm', {
      Properties: { MetricName: 'ApproximateAgeOfOldestMessage' },
    });
    template.hasResourceProperties('AWS::FIS::ExperimentTemplate', {
      StopConditions: Match.arrayWith([
        { Source: 'aws:cloudwatch:alarm', Value: { 'Fn::GetAtt': [Object.keys(alarms)[0], 'Arn'] } },
      ]),
    });
  });

  test('has a diagram and a main.ts', () => {
    const folder = join(__dirname, '../../examples/nth-instead');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/```mermaid\nflowchart /);
    expect(existsSync(join(folder, 'main.ts'))).toBe(true);
  });

  test('has no FIS experiment in China, where FIS is not available', () => {
    Template.fromStack(stackIn('cn-north-1')).resourceCountIs('AWS::FIS::ExperimentTemplate', 0);
  });
});
