import { KubectlV34Layer } from '@aws-cdk/lambda-layer-kubectl-v34';
import { Fn, Stack, StackProps } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  GatewayVpcEndpointAwsService,
  InstanceType,
  InterfaceVpcEndpointAwsService,
  IpAddresses,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
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
import { AmiSelectorTerm, CapacityType, Requirement } from '../../src/nodes';

/**
 * What the controller, its agent, nodes and kubectl call. IAM and the price list have no endpoint: Karpenter does
 * without.
 */
const ENDPOINTS = {
  ec2: InterfaceVpcEndpointAwsService.EC2,
  ecr: InterfaceVpcEndpointAwsService.ECR,
  ecrDocker: InterfaceVpcEndpointAwsService.ECR_DOCKER,
  sts: InterfaceVpcEndpointAwsService.STS,
  ssm: InterfaceVpcEndpointAwsService.SSM,
  sqs: InterfaceVpcEndpointAwsService.SQS,
  eks: InterfaceVpcEndpointAwsService.EKS,
  eksAuth: InterfaceVpcEndpointAwsService.EKS_AUTH,
  lambda: InterfaceVpcEndpointAwsService.LAMBDA,
  states: InterfaceVpcEndpointAwsService.STEP_FUNCTIONS,
  logs: InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
};

const CIDR = '10.20.0.0/16';

/** A cluster in Beijing without a way to the internet, nor from it. */
export class PrivateClusterStack extends Stack {
  public readonly vpc: Vpc;
  public readonly cluster: Cluster;
  public readonly systemNodes: Nodegroup;
  public readonly karpenter: Karpenter;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    this.vpc = this.newIsolatedVpc();
    this.cluster = new Cluster(this, 'Cluster', {
      clusterName: 'shop',
      version: KubernetesVersion.V1_34,
      vpc: this.vpc,
      vpcSubnets: [{ subnetType: SubnetType.PRIVATE_ISOLATED }],
      endpointAccess: EndpointAccess.PRIVATE,
      clusterLogging: Object.values(ClusterLoggingTypes),
      defaultCapacityType: DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
      kubectlProviderOptions: {
        kubectlLayer: new KubectlV34Layer(this, 'Kubectl'),
        privateSubnets: this.vpc.isolatedSubnets,
      },
    });
    // Two nodes: the controller's two pods never share one. Without `amiType`, the CDK may write AL2_x86_64, which EKS
    // rejects from Kubernetes 1.33 on.
    this.systemNodes = this.cluster.addNodegroupCapacity('System', {
      amiType: NodegroupAmiType.AL2023_X86_64_STANDARD,
      instanceTypes: [new InstanceType('m5.large')],
      minSize: 2,
    });

    // Copies of karpenter, karpenter-crd and the controller's image, in the account's own registry.
    const registry = `${this.account}.dkr.ecr.${this.region}.${this.urlSuffix}`;
    this.karpenter = new Karpenter(this, 'Karpenter', {
      cluster: this.cluster,
      isolatedVpc: true,
      chartRegistry: `oci://${registry}/karpenter`,
      helmValues: { controller: { image: { repository: `${registry}/karpenter/controller` } } },
    });
    this.karpenter.addNodePool('general', {
      nodeClass: this.karpenter.addNodeClass('al2023', { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] }),
      requirements: [
        Requirement.capacityType().in(CapacityType.ON_DEMAND),
        Requirement.instanceGeneration().greaterThan(4),
      ],
      limits: { cpu: 200 },
    });
  }

  private newIsolatedVpc(): Vpc {
    const vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr(CIDR),
      availabilityZones: [0, 1, 2].map((index) => Fn.select(index, Fn.getAzs())),
      subnetConfiguration: [{ name: 'nodes', subnetType: SubnetType.PRIVATE_ISOLATED }],
      flowLogs: { all: { destination: FlowLogDestination.toCloudWatchLogs() } },
      gatewayEndpoints: { s3: { service: GatewayVpcEndpointAwsService.S3 } },
    });
    const endpoints = new SecurityGroup(this, 'Endpoints', {
      vpc,
      description: 'Endpoints of AWS',
      allowAllOutbound: false,
    });
    endpoints.addIngressRule(Peer.ipv4(CIDR), Port.HTTPS);
    for (const [id, service] of Object.entries(ENDPOINTS))
      vpc.addInterfaceEndpoint(id, { service, open: false, securityGroups: [endpoints] });
    return vpc;
  }
}
