import { App, CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { InterruptionQueue, SpotInterruptionExperiment, SpotInterruptionExperimentProps } from '../../src/interruption';

const newStack = (region = 'eu-west-1') =>
  new Stack(new App({ builtinCloudFormationValidation: false }), 'Test', { env: { account: '111122223333', region } });

function newExperiment(
  props: Partial<SpotInterruptionExperimentProps> = {},
  stack = newStack(),
): SpotInterruptionExperiment {
  const { alarms: stopAlarms } = new InterruptionQueue(stack, 'Queue', { clusterName: 'shop', alarms: {} });
  return new SpotInterruptionExperiment(stack, 'Experiment', { clusterName: 'shop', stopAlarms, ...props });
}
const templateOf = (experiment: SpotInterruptionExperiment) => Template.fromStack(Stack.of(experiment));

describe('SpotInterruptionExperiment', () => {
  test("interrupts one running spot node of the cluster with EC2's two minutes of notice, and stops on an alarm", () => {
    templateOf(newExperiment()).hasResourceProperties('AWS::FIS::ExperimentTemplate', {
      Actions: {
        interrupt: {
          ActionId: 'aws:ec2:send-spot-instance-interruptions',
          Parameters: { durationBeforeInterruption: 'PT2M' },
          Targets: { SpotInstances: 'spotNodes' },
        },
      },
      Targets: {
        spotNodes: {
          ResourceType: 'aws:ec2:spot-instance',
          ResourceTags: { 'eks:eks-cluster-name': 'shop' },
          Filters: [{ Path: 'State.Name', Values: ['running'] }],
          SelectionMode: 'COUNT(1)',
        },
      },
      StopConditions: [{ Source: 'aws:cloudwatch:alarm' }],
    });
  });

  test('targets nodes of one NodePool, or with additional tags', () => {
    templateOf(
      newExperiment({
        nodePoolName: 'web',
        targetTags: { environment: 'staging' },
        instances: 3,
        notice: Duration.minutes(5),
      }),
    ).hasResourceProperties('AWS::FIS::ExperimentTemplate', {
      Actions: { interrupt: { Parameters: { durationBeforeInterruption: 'PT5M' } } },
      Targets: {
        spotNodes: {
          ResourceTags: { 'eks:eks-cluster-name': 'shop', 'karpenter.sh/nodepool': 'web', environment: 'staging' },
          SelectionMode: 'COUNT(3)',
        },
      },
    });
  });

  test('accepts a token as the number of nodes', () => {
    const stack = newStack();
    const instances = new CfnParameter(stack, 'Instances', { type: 'Number' }).valueAsNumber;
    templateOf(newExperiment({ instances }, stack)).hasResourceProperties('AWS::FIS::ExperimentTemplate', {
      Targets: { spotNodes: { SelectionMode: { 'Fn::Join': ['', ['COUNT(', { Ref: 'Instances' }, ')']] } } },
    });
  });

  test('has a role for its experiments that can interrupt only the targeted nodes', () => {
    const template = templateOf(newExperiment({ nodePoolName: 'web' }));
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          { Sid: 'FindNodes', Effect: 'Allow', Action: 'ec2:DescribeInstances', Resource: '*' },
          {
            Sid: 'InterruptNodes',
            Effect: 'Allow',
            Action: 'ec2:SendSpotInstanceInterruptions',
            Condition: {
              StringEquals: {
                'aws:ResourceTag/eks:eks-cluster-name': 'shop',
                'aws:ResourceTag/karpenter.sh/nodepool': 'web',
              },
            },
          },
        ],
      },
    });
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          {
            Principal: { Service: 'fis.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': '111122223333' } },
          },
        ],
      },
    });
  });

  test.each<[string, Partial<SpotInterruptionExperimentProps>, string]>([
    ['more instances than AWS FIS interrupts at once', { instances: 6 }, '/instances: must be 1 to 5, got 6'],
    ['half an instance', { instances: 1.5 }, '/instances: must be 1 to 5, got 1.5'],
    ['no instance', { instances: 0 }, '/instances: must be 1 to 5, got 0'],
    [
      'a notice that is too short',
      { notice: Duration.seconds(90) },
      '/notice: must be 2 to 15 minutes, got 90 seconds; write Duration.minutes(2)',
    ],
    [
      'a notice that is too long',
      { notice: Duration.minutes(16) },
      '/notice: must be 2 to 15 minutes, got 960 seconds',
    ],
    [
      'no stop alarm',
      { stopAlarms: [] },
      '/stopAlarms: must contain at least one alarm that stops the experiment, got none',
    ],
  ])('rejects %s', (_, props, message) => {
    expect(() => newExperiment(props)).toThrow(`Test/Experiment${message}`);
  });

  test('rejects a region in which AWS FIS cannot send spot interruptions', () => {
    expect(() => newExperiment({}, newStack('cn-north-1'))).toThrow(
      'Test/Experiment: AWS FIS cannot send spot interruptions in this region, got cn-north-1; leave the experiment out there',
    );
  });
});
