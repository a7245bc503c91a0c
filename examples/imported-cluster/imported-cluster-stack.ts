import { Stack, StackProps } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { ControllerIdentity, Karpenter } from '../../src/infra';
import {
  AmiSelectorTerm,
  CapacityType,
  Requirement,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} from '../../src/nodes';
import { importShop } from '../imported-shop';

/** Karpenter on a cluster that another stack, or another tool, has made, in an account whose roles have a boundary. */
export class ImportedClusterStack extends Stack {
  public readonly karpenter: Karpenter;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const cluster = importShop(this);
    const volumeKey = new Key(this, 'VolumeKey', { description: 'Disks of nodes', enableKeyRotation: true });
    const boundary = this.formatArn({
      service: 'iam',
      region: '',
      resource: 'policy',
      resourceName: 'platform/boundary',
    });
    this.karpenter = new Karpenter(this, 'Karpenter', {
      cluster,
      identity: ControllerIdentity.podIdentity({ installAgent: false }), // the cluster has it
      path: '/platform/',
      permissionsBoundary: ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', boundary),
      // Keys of the app get the statement of EBS in their policy.
      permissions: { volumeKeys: [volumeKey] },
      helmValues: { settings: { featureGates: { spotToSpotConsolidation: true } } },
    });
    const nodeClass = this.karpenter.addNodeClass('encrypted', {
      amiSelectorTerms: [AmiSelectorTerm.bottlerocket('v1.46.0')],
      blockDeviceMappings: [
        { deviceName: '/dev/xvdb', ebs: { volumeSize: Size.gibibytes(100), kmsKeyId: volumeKey.keyArn } },
      ],
      subnetSelectorTerms: [SubnetSelectorTerm.byDiscoveryTag('shop')],
      securityGroupSelectorTerms: [SecurityGroupSelectorTerm.byDiscoveryTag('shop')],
    });
    this.karpenter.addNodePool('general', {
      nodeClass,
      requirements: [
        Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
        Requirement.instanceGeneration().greaterThan(4),
      ],
      limits: { cpu: 500 },
    });
  }
}
