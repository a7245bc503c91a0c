import { ArnFormat, Duration, Stack, Token } from 'aws-cdk-lib';
import { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnExperimentTemplate } from 'aws-cdk-lib/aws-fis';
import { IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import {
  REGIONS_WITHOUT_SPOT_EXPERIMENTS,
  SPOT_EXPERIMENT_MAX_INSTANCES,
  SPOT_EXPERIMENT_NOTICE_MINUTES,
} from '../contract';
import { errorWithoutStack, requireProps, shownNumber } from '../model';

/**
 * Properties of a SpotInterruptionExperiment.
 */
export interface SpotInterruptionExperimentProps {
  /**
   * Name of the cluster whose spot nodes are interrupted.
   */
  readonly clusterName: string;

  /**
   * Name of the NodePool whose nodes are interrupted.
   *
   * @default - nodes of all NodePools
   */
  readonly nodePoolName?: string;

  /**
   * Additional tags that an instance must have, such as `{ environment: 'staging' }`.
   *
   * @default - none
   */
  readonly targetTags?: { [key: string]: string };

  /**
   * Number of nodes to interrupt, 1 to 5. They are chosen at random.
   *
   * @default 1
   */
  readonly instances?: number;

  /**
   * Time between the interruption notice and the interruption, 2 to 15 minutes. The rebalance recommendation is sent at
   * the start of the experiment.
   *
   * @default Duration.minutes(2) - the notice of a real spot interruption
   */
  readonly notice?: Duration;

  /**
   * Alarms that stop the experiment, at least one. Use alarms of the services that must not be affected, and `alarms`
   * of the InterruptionQueue.
   */
  readonly stopAlarms: IAlarm[];
}

/**
 * An experiment template of AWS Fault Injection Service that interrupts Karpenter's spot nodes, to test how workloads
 * react. It does nothing until you start the experiment, and its role can interrupt only the targeted nodes.
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
   * Tags of the targeted instances.
   */
  public readonly targetTags: { [key: string]: string };

  /**
   * @throws Error if AWS FIS would reject the experiment, with the reason and a fix
   */
  constructor(scope: Construct, id: string, props: SpotInterruptionExperimentProps) {
    super(scope, id);
    requireProps(this, props, { clusterName: "'my-cluster'", stopAlarms: 'interruptionQueue.alarms' });
    this.assertProps(props);
    // Karpenter sets the first two tags on every instance.
    this.targetTags = {
      'eks:eks-cluster-name': props.clusterName,
      ...(props.nodePoolName === undefined ? {} : { 'karpenter.sh/nodepool': props.nodePoolName }),
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
          selectionMode: `COUNT(${tokenSafeText(props.instances ?? 1)})`,
        },
      },
      actions: {
        interrupt: {
          actionId: 'aws:ec2:send-spot-instance-interruptions',
          parameters: {
            durationBeforeInterruption: (
              props.notice ?? Duration.minutes(SPOT_EXPERIMENT_NOTICE_MINUTES.min)
            ).toIsoString(),
          },
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
    role.addToPolicy(
      new PolicyStatement({
        sid: 'InterruptNodes',
        actions: ['ec2:SendSpotInstanceInterruptions'],
        resources: [
          stack.formatArn({
            service: 'ec2',
            resource: 'instance',
            resourceName: '*',
            arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
          }),
        ],
        conditions: {
          StringEquals: Object.fromEntries(
            Object.entries(this.targetTags).map(([key, value]) => [`aws:ResourceTag/${key}`, value]),
          ),
        },
      }),
    );
    return role;
  }

  private assertProps({ instances = 1, notice, stopAlarms }: SpotInterruptionExperimentProps): void {
    const { region } = Stack.of(this);
    if (!Token.isUnresolved(region) && REGIONS_WITHOUT_SPOT_EXPERIMENTS.has(region)) {
      throw errorWithoutStack(
        `${this.node.path}: AWS FIS cannot send spot interruptions in this region, got ${region}; leave the experiment out there`,
      );
    }
    if (
      !Token.isUnresolved(instances) &&
      (!Number.isInteger(instances) || instances < 1 || instances > SPOT_EXPERIMENT_MAX_INSTANCES)
    ) {
      throw errorWithoutStack(
        `${this.node.path}/instances: must be 1 to ${SPOT_EXPERIMENT_MAX_INSTANCES}, got ${shownNumber(instances)}; write 1, and start the experiment again to interrupt more nodes`,
      );
    }
    const { min, max } = SPOT_EXPERIMENT_NOTICE_MINUTES;
    const seconds = notice?.toSeconds() ?? min * 60;
    if (seconds < min * 60 || seconds > max * 60) {
      throw errorWithoutStack(
        `${this.node.path}/notice: must be ${min} to ${max} minutes, got ${seconds} seconds; write Duration.minutes(${min})`,
      );
    }
    if (stopAlarms.length === 0) {
      throw errorWithoutStack(
        `${this.node.path}/stopAlarms: must contain at least one alarm that stops the experiment, got none; write for example the alarms of the InterruptionQueue`,
      );
    }
  }
}

/** A number token cannot be put into text as a number, so it is converted to a string token. */
function tokenSafeText(value: number): string {
  return Token.isUnresolved(value) ? Token.asString(value) : String(value);
}
