import { Stack, StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ControllerIdentity, InterruptionHandling, Karpenter } from '../../src/infra';
import {
  HandlerMode,
  InterruptionConsumer,
  InterruptionQueue,
  NodeTerminationHandler,
  SpotInterruptionExperiment,
} from '../../src/interruption';
import { AmiSelectorTerm, CapacityType, Requirement } from '../../src/nodes';
import { importShop } from '../imported-shop';

/** Where AWS Fault Injection Service interrupts no spot instances. */
const WITHOUT_REHEARSAL = /^cn-/;

/**
 * Karpenter on a cluster that is there already, with spot nodes that AWS Node Termination Handler drains when they are
 * interrupted.
 */
export class NthStack extends Stack {
  public readonly karpenter: Karpenter;
  public readonly handler: NodeTerminationHandler;
  public readonly rehearsal?: SpotInterruptionExperiment;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const clusterName = 'shop';
    const cluster = importShop(this);
    this.karpenter = new Karpenter(this, 'Karpenter', {
      cluster,
      interruptionHandling: InterruptionHandling.none(),
      identity: ControllerIdentity.podIdentity({ installAgent: true }),
    });
    const nodeClass = this.karpenter.addNodeClass('al2023', {
      amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
    });
    this.karpenter.addNodePool('spot', { nodeClass, requirements: [Requirement.capacityType().in(CapacityType.SPOT)] });

    const queue = new InterruptionQueue(this, 'Interruptions', {
      clusterName,
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
      autoScalingEvents: false, // Karpenter's instances are in no Auto Scaling group
      rebalanceEvents: false, // Karpenter would launch the same instance type again
      deadLetterQueue: {},
      alarms: {},
    });
    this.handler = new NodeTerminationHandler(this, 'NTH', { clusterName, mode: HandlerMode.queue({ queue }) });
    this.handler.installOnV2(cluster);
    if (!WITHOUT_REHEARSAL.test(this.region)) {
      this.rehearsal = new SpotInterruptionExperiment(this, 'Rehearsal', { clusterName, stopAlarms: queue.alarms });
    }
  }
}
