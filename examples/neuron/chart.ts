import { Chart, Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';
import { NETWORK, server } from '../shop-cluster';

const { CapacityType, Consolidation, InstanceFamily, Requirement, TaintEffect, VolumeType } = nodes;

export class NeuronChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodePool = new nodes.NodePool(this, 'NodePool', {
      metadata: { name: 'neuron' },
      nodeClass: new nodes.EC2NodeClass(this, 'NodeClass', {
        ...NETWORK,
        metadata: { name: 'neuron' },
        amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')], // Karpenter chooses its image with the Neuron driver
        blockDeviceMappings: [
          { deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(200), volumeType: VolumeType.GP3 } },
        ],
      }),
      requirements: [
        Requirement.instanceFamily().in(InstanceFamily.INF2),
        Requirement.capacityType().in(CapacityType.ON_DEMAND),
        Requirement.zone().in(...nodes.Zone.ofRegion('eu-west-1', 'a', 'b')), // where inf2 is offered
      ],
      taints: [{ key: 'aws.amazon.com/neuron', effect: TaintEffect.NO_SCHEDULE }],
      limits: { other: { 'aws.amazon.com/neuron': '24' } },
      disruption: { consolidateAfter: Consolidation.after(Duration.minutes(10)) },
    });
    new workloads.ResilientDeployment(this, 'Model', {
      metadata: { name: 'model' },
      containers: [server('registry.example.com/model-neuron:0.9.0', 3, 12)],
      nodePool,
      extendedResources: [workloads.ExtendedResource.neuron(1)],
    });
  }
}
