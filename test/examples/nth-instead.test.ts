import { existsSync, mkdtempSync, readFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { build } from '../../examples/nth-instead/app';
import { NthStack } from '../../examples/nth-instead/nth-stack';
import { KarpenterValidation } from '../../src/plugins';

function stackIn(region: string): NthStack {
  const app = new App({ builtinCloudFormationValidation: false });
  build(app, { account: '111122223333', region });
  return app.node.findChild('ShopNth') as NthStack;
}

describe('the example with AWS Node Termination Handler', () => {
  test('hears of spot interruptions, state changes and health, and installs the chart that reads them', () => {
    const stack = stackIn('eu-west-1');
    const template = Template.fromStack(stack);
    template.resourceCountIs('AWS::Events::Rule', 3);
    template.hasResourceProperties('AWS::SQS::Queue', { QueueName: 'shop-nth', MessageRetentionPeriod: 300 });
    template.hasResourceProperties('Custom::AWSCDK-EKS-HelmChart', { ClusterName: 'shop', Chart: 'aws-node-termination-handler', Version: '0.27.1' });
    expect(stack.resolve(stack.handler.values)).toMatchObject({ replicas: 2, managedTag: 'kubernetes.io/cluster/shop' });
  });

  test('leaves interruptions to it: Karpenter launches spot nodes, and reads no queue', () => {
    const { karpenter } = stackIn('eu-west-1');
    expect(karpenter.interruptionQueue).toBeUndefined();
    expect(karpenter.helmValues.settings.interruptionQueue ?? '').toBe('');
  });

  test('has no finding of the validation of this package, which knows that somebody reads the notices', () => {
    const app = new App({ builtinCloudFormationValidation: false, outdir: mkdtempSync(join(tmpdir(), 'nth-instead-')) });
    build(app, { account: '111122223333', region: 'eu-west-1' });
    Validations.of(app).addPlugins(new KarpenterValidation({ quiet: true }));
    expect(() => app.synth()).not.toThrow();
  });

  test('rehearses an interruption, which stops when nobody reads the queue', () => {
    const template = Template.fromStack(stackIn('eu-west-1'));
    const stops = template.findResources('AWS::CloudWatch::Alarm', { Properties: { MetricName: 'ApproximateAgeOfOldestMessage' } });
    template.hasResourceProperties('AWS::FIS::ExperimentTemplate', {
      StopConditions: Match.arrayWith([{ Source: 'aws:cloudwatch:alarm', Value: { 'Fn::GetAtt': [Object.keys(stops)[0], 'Arn'] } }]),
    });
  });

  test('has a diagram, and a program to run', () => {
    const folder = join(__dirname, '../../examples/nth-instead');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/```mermaid\nflowchart /);
    expect(existsSync(join(folder, 'main.ts'))).toBe(true);
  });

  test('leaves the rehearsal out in China, where there is none', () => {
    Template.fromStack(stackIn('cn-north-1')).resourceCountIs('AWS::FIS::ExperimentTemplate', 0);
  });
});
