import { Chart, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';
import { NETWORK, server, ZONES } from '../shop-cluster';

const { CapacityType, Consolidation, InstanceCategory, Requirement } = nodes;

export class SpotOnDemandSplitChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodeClass = new nodes.EC2NodeClass(this, 'NodeClass', {
      ...NETWORK,
      metadata: { name: 'default' },
      amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
    });
    const addPool = (name: string, capacityType: nodes.CapacityType, shares: string[]) =>
      new nodes.NodePool(this, name, {
        metadata: { name },
        nodeClass,
        requirements: [
          Requirement.of('capacity-spread').in(...shares),
          Requirement.capacityType().in(capacityType),
          Requirement.architecture().in(nodes.Architecture.AMD64),
          Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
          Requirement.instanceGeneration().greaterThan(4),
          Requirement.zone().in(...ZONES),
        ],
        limits: { cpu: 100 },
        disruption: { consolidateAfter: Consolidation.after(Duration.minutes(5)) },
      });
    addPool('on-demand', CapacityType.ON_DEMAND, ['1']);
    addPool('spot', CapacityType.SPOT, ['2', '3', '4', '5']);
    new workloads.ResilientDeployment(this, 'Web', {
      metadata: { name: 'web' },
      containers: [server('registry.example.com/web:1.4.2', 0.5, 1)],
      minReplicas: 10,
      zoneCount: 3,
      capacity: workloads.CapacityPlacement.splitBy('capacity-spread'),
    });
  }
}
