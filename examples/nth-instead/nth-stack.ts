import { ArnFormat, Stack, StackProps } from 'aws-cdk-lib';
import { Cluster, ICluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { InterruptionConsumer, InterruptionQueue, NodeTerminationHandler, SpotInterruptionExperiment } from '../../src/interruption';

/** Where AWS Fault Injection Service interrupts no spot instances. */
const WITHOUT_REHEARSAL = /^cn-/;

/** AWS Node Termination Handler on a cluster that is there already, whose Karpenter handles no interruptions. */
export class NthStack extends Stack {
  public readonly handler: NodeTerminationHandler;
  public readonly rehearsal?: SpotInterruptionExperiment;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const clusterName = 'shop';
    const queue = new InterruptionQueue(this, 'Interruptions', {
      clusterName,
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
      autoScalingEvents: false, // Karpenter's instances are in no Auto Scaling group
      rebalanceEvents: false, // Karpenter would launch the same instance type again
      deadLetterQueue: {},
      alarm: {},
    });
    this.handler = new NodeTerminationHandler(this, 'NTH', { clusterName, queue });
    this.handler.installOnV2(this.findCluster(clusterName));
    if (!WITHOUT_REHEARSAL.test(this.region)) {
      this.rehearsal = new SpotInterruptionExperiment(this, 'Rehearsal', { clusterName, stopAlarms: queue.alarms });
    }
  }

  private findCluster(clusterName: string): ICluster {
    const kubectlProvider = KubectlProvider.fromKubectlProviderAttributes(this, 'Kubectl', {
      serviceToken: this.formatArn({ service: 'lambda', resource: 'function', resourceName: 'shop-kubectl', arnFormat: ArnFormat.COLON_RESOURCE_NAME }),
      role: Role.fromRoleName(this, 'KubectlRole', 'shop-kubectl'),
    });
    return Cluster.fromClusterAttributes(this, 'Cluster', { clusterName, kubectlProvider });
  }
}
