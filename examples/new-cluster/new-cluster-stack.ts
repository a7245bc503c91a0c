import { KubectlV34Layer } from '@aws-cdk/lambda-layer-kubectl-v34';
import { Fn, Stack, StackProps } from 'aws-cdk-lib';
import { FlowLogDestination, InstanceType, Vpc } from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  ClusterLoggingTypes,
  DefaultCapacityType,
  EndpointAccess,
  KubernetesVersion,
  Nodegroup,
  NodegroupAmiType,
} from 'aws-cdk-lib/aws-eks-v2';
import { Construct } from 'constructs';
import { Karpenter } from '../../src/infra';
import { AmiSelectorTerm, CapacityType, InstanceCategory, Requirement } from '../../src/nodes';

/** A cluster with two nodes for the system, and Karpenter for everything else. */
export class NewClusterStack extends Stack {
  public readonly vpc: Vpc;
  public readonly cluster: Cluster;
  public readonly systemNodes: Nodegroup;
  public readonly karpenter: Karpenter;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    this.vpc = new Vpc(this, 'Vpc', {
      availabilityZones: [0, 1, 2].map((index) => Fn.select(index, Fn.getAzs())),
      natGateways: 1,
      flowLogs: { all: { destination: FlowLogDestination.toCloudWatchLogs() } },
    });
    this.cluster = new Cluster(this, 'Cluster', {
      clusterName: 'shop',
      version: KubernetesVersion.V1_34,
      vpc: this.vpc,
      endpointAccess: EndpointAccess.PRIVATE,
      clusterLogging: Object.values(ClusterLoggingTypes),
      defaultCapacityType: DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
      kubectlProviderOptions: { kubectlLayer: new KubectlV34Layer(this, 'Kubectl') },
    });
    // Two nodes: the controller's two pods never share one. Without `amiType`, the CDK may write AL2_x86_64, which EKS
    // rejects from Kubernetes 1.33 on.
    this.systemNodes = this.cluster.addNodegroupCapacity('System', {
      amiType: NodegroupAmiType.AL2023_X86_64_STANDARD,
      instanceTypes: [new InstanceType('m5.large')],
      minSize: 2,
    });

    this.karpenter = new Karpenter(this, 'Karpenter', { cluster: this.cluster });
    this.karpenter.addNodePool('general', {
      nodeClass: this.karpenter.addNodeClass('al2023', { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] }),
      requirements: [
        Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
        Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
      ],
      limits: { cpu: 200 },
    });
  }
}
