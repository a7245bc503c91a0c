import { Annotations, Stack, StackProps } from 'aws-cdk-lib';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ControllerIdentity, InterruptionHandling, Karpenter, NodeAccess } from '../../src/infra';
import { AmiSelectorTerm, CapacityType, Requirement } from '../../src/nodes';
import { importShop } from '../imported-shop';

/** Karpenter with the roles and the queue of a security team, whose pipeline is the only one that may create them. */
export class ExistingRolesStack extends Stack {
  public readonly karpenter: Karpenter;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const queueArn = this.formatArn({ service: 'sqs', resource: 'shop-karpenter' });
    this.karpenter = new Karpenter(this, 'Karpenter', {
      cluster: importShop(this),
      identity: ControllerIdentity.podIdentity({ installAgent: false }), // the cluster has it
      existingControllerRole: Role.fromRoleName(this, 'ControllerRole', 'shop-karpenter'),
      existingNodeRole: Role.fromRoleName(this, 'NodeRole', 'shop-nodes'),
      nodeAccess: NodeAccess.none(), // the role has an access entry already
      interruptionHandling: InterruptionHandling.fromExistingQueue(Queue.fromQueueArn(this, 'Queue', queueArn), {
        eventRules: false, // the queue gets the events already
      }),
    });
    // README.md lists what the security team has added to these two roles.
    for (const role of ['existingControllerRole', 'existingNodeRole'])
      Annotations.of(this).acknowledgeWarning(`karpenter-constructs:${role}`, 'the security team has added it');

    const nodeClass = this.karpenter.addNodeClass('al2023', {
      amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
    });
    this.karpenter.addNodePool('general', {
      nodeClass,
      requirements: [
        Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
        Requirement.instanceGeneration().greaterThan(4),
      ],
      limits: { cpu: 200 },
    });
  }
}
