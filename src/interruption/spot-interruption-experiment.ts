import { ArnFormat, Duration, Stack, Token } from 'aws-cdk-lib';
import { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnExperimentTemplate } from 'aws-cdk-lib/aws-fis';
import { IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { REGIONS_WITHOUT_SPOT_EXPERIMENTS, SPOT_EXPERIMENT_MAX_INSTANCES, SPOT_EXPERIMENT_NOTICE_MINUTES } from '../contract';

/**
 * Properties of a SpotInterruptionExperiment.
 */
export interface SpotInterruptionExperimentProps {
  /**
   * Name of the cluster whose spot nodes are interrupted.
   */
  readonly clusterName: string;

  /**
   * NodePool whose nodes are interrupted.
   *
   * @default - those of all NodePools
   */
  readonly nodePool?: string;

  /**
   * Further tags that an instance must have, such as `{ environment: 'staging' }`.
   *
   * @default - none
   */
  readonly targetTags?: { [key: string]: string };

  /**
   * Number of nodes that are interrupted, 1 to 5, chosen at random.
   *
   * @default 1
   */
  readonly instances?: number;

  /**
   * Time between the notice and the interruption, 2 to 15 minutes. The recommendation to replace the instance comes at
   * once.
   *
   * @default Duration.minutes(2) - as when EC2 takes the instance back
   */
  readonly notice?: Duration;

  /**
   * Alarms that stop the experiment, at least one: of what must not suffer, and `alarms` of the InterruptionQueue.
   */
  readonly stopAlarms: IAlarm[];
}

/**
 * A template of AWS Fault Injection Service that rehearses the loss of spot nodes of Karpenter. It does nothing until
 * somebody starts it, and its role can interrupt the nodes that it is about, and no others.
 *
 * @see https://docs.aws.amazon.com/fis/latest/userguide/fis-actions-reference.html#send-spot-instance-interruptions
 */
export class SpotInterruptionExperiment extends Construct {
  /**
   * Id of the template, as in `aws fis start-experiment --experiment-template-id`.
   */
  public readonly templateId: string;

  /**
   * The role of the experiment.
   */
  public readonly role: IRole;

  /**
   * Tags of the instances that it is about.
   */
  public readonly targetTags: { [key: string]: string };

  /**
   * @throws Error if the service would not accept the experiment, with what to write instead
   */
  constructor(scope: Construct, id: string, props: SpotInterruptionExperimentProps) {
    super(scope, id);
    this.assertPossible(props);
    // Karpenter writes them on every instance.
    this.targetTags = {
      'eks:eks-cluster-name': props.clusterName,
      ...props.nodePool === undefined ? {} : { 'karpenter.sh/nodepool': props.nodePool },
      ...props.targetTags,
    };
    this.role = this.newRole();
    const template = new CfnExperimentTemplate(this, 'Template', {
      description: `${props.clusterName}: spot nodes are interrupted`,
      roleArn: this.role.roleArn,
      tags: { Name: `${props.clusterName}-spot-interruption` },
      stopConditions: props.stopAlarms.map((alarm) => ({ source: 'aws:cloudwatch:alarm', value: alarm.alarmArn })),
      targets: {
        spotNodes: {
          resourceType: 'aws:ec2:spot-instance',
          resourceTags: this.targetTags,
          filters: [{ path: 'State.Name', values: ['running'] }],
          selectionMode: `COUNT(${textOf(props.instances ?? 1)})`,
        },
      },
      actions: {
        interrupt: {
          actionId: 'aws:ec2:send-spot-instance-interruptions',
          parameters: { durationBeforeInterruption: (props.notice ?? Duration.minutes(SPOT_EXPERIMENT_NOTICE_MINUTES.min)).toIsoString() },
          targets: { SpotInstances: 'spotNodes' },
        },
      },
    });
    this.templateId = template.attrId;
  }

  private newRole(): IRole {
    const stack = Stack.of(this);
    const role = new Role(this, 'Role', {
      description: 'AWS FIS: interrupts spot nodes',
      assumedBy: new ServicePrincipal('fis.amazonaws.com').withConditions({
        StringEquals: { 'aws:SourceAccount': stack.account },
        ArnLike: { 'aws:SourceArn': stack.formatArn({ service: 'fis', resource: 'experiment', resourceName: '*' }) },
      }),
    });
    role.addToPolicy(new PolicyStatement({ sid: 'FindNodes', actions: ['ec2:DescribeInstances'], resources: ['*'] }));
    role.addToPolicy(new PolicyStatement({
      sid: 'InterruptNodes',
      actions: ['ec2:SendSpotInstanceInterruptions'],
      resources: [stack.formatArn({ service: 'ec2', resource: 'instance', resourceName: '*', arnFormat: ArnFormat.SLASH_RESOURCE_NAME })],
      conditions: { StringEquals: Object.fromEntries(Object.entries(this.targetTags).map(([key, value]) => [`aws:ResourceTag/${key}`, value])) },
    }));
    return role;
  }

  private assertPossible({ instances = 1, notice, stopAlarms }: SpotInterruptionExperimentProps): void {
    const { region } = Stack.of(this);
    if (!Token.isUnresolved(region) && REGIONS_WITHOUT_SPOT_EXPERIMENTS.has(region)) {
      throw new Error(`${this.node.path}: spot interruptions cannot be sent in this region, got ${region}; leave the experiment out there`);
    }
    if (!Token.isUnresolved(instances) && (!Number.isInteger(instances) || instances < 1 || instances > SPOT_EXPERIMENT_MAX_INSTANCES)) {
      throw new Error(`${this.node.path}/instances: must be 1 to ${SPOT_EXPERIMENT_MAX_INSTANCES}, got ${instances}; write 1, and start the experiment again for more`);
    }
    const { min, max } = SPOT_EXPERIMENT_NOTICE_MINUTES;
    const seconds = notice?.toSeconds() ?? min * 60;
    if (seconds < min * 60 || seconds > max * 60) {
      throw new Error(`${this.node.path}/notice: must be ${min} to ${max} minutes, got ${seconds} seconds; write Duration.minutes(${min})`);
    }
    if (stopAlarms.length === 0) {
      throw new Error(`${this.node.path}/stopAlarms: must have an alarm that stops the experiment, got none; write for example the alarms of the InterruptionQueue`);
    }
  }
}

/** A token of a number is another one within a text. */
function textOf(value: number): string {
  return Token.isUnresolved(value) ? Token.asString(value) : String(value);
}
