import { ArnFormat, Stack, StackProps } from 'aws-cdk-lib';
import { Cluster, ICluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { Role } from 'aws-cdk-lib/aws-iam';
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
    const cluster = this.findCluster(clusterName);
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

  private findCluster(clusterName: string): ICluster {
    const kubectlProvider = KubectlProvider.fromKubectlProviderAttributes(this, 'Kubectl', {
      serviceToken: this.formatArn({
        service: 'lambda',
        resource: 'function',
        resourceName: 'shop-kubectl',
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      role: Role.fromRoleName(this, 'KubectlRole', 'shop-kubectl'),
    });
    return Cluster.fromClusterAttributes(this, 'Cluster', { clusterName, kubectlProvider });
  }
}
