import { Chart, Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';
import { NETWORK, server, ZONES } from '../shop-cluster';

const { AmiFamily, AmiSelectorTerm, Architecture, CapacityType, Consolidation, InstanceCategory, Requirement } = nodes;

export class CustomAmiChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodePool = new nodes.NodePool(this, 'NodePool', {
      metadata: { name: 'hardened' },
      nodeClass: new nodes.EC2NodeClass(this, 'NodeClass', {
        ...NETWORK,
        metadata: { name: 'hardened' },
        amiFamily: AmiFamily.AL2023, // the images are built from it, so Karpenter's user data fits
        amiSelectorTerms: [
          AmiSelectorTerm.byTags({ image: 'eks-hardened', 'image-version': '2025.38' }, { owner: 'self' }),
        ],
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(50), encrypted: true } }],
      }),
      requirements: [
        Requirement.architecture().in(Architecture.AMD64), // for which the images are built
        Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
        Requirement.instanceGeneration().greaterThan(4),
        Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
        Requirement.zone().in(...ZONES),
      ],
      limits: { cpu: 100 },
      disruption: { consolidateAfter: Consolidation.after(Duration.minutes(5)) },
    });
    new workloads.ResilientDeployment(this, 'Payments', {
      metadata: { name: 'payments' },
      containers: [server('registry.example.com/payments:1.9.1', 0.5, 1)],
      nodePool,
      minReplicas: 3,
    });
  }
}
