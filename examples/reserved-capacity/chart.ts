import { Chart, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';
import { NETWORK, server } from '../shop-cluster';

const { CapacityReservationSelectorTerm, CapacityType, Consolidation, Requirement } = nodes;

export class ReservedCapacityChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodePool = new nodes.NodePool(this, 'NodePool', {
      metadata: { name: 'reserved' },
      nodeClass: new nodes.EC2NodeClass(this, 'NodeClass', {
        ...NETWORK,
        metadata: { name: 'reserved' },
        amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
        capacityReservationSelectorTerms: [CapacityReservationSelectorTerm.byTags({ purpose: 'shop' })],
      }),
      requirements: [
        Requirement.capacityType().in(CapacityType.RESERVED, CapacityType.ON_DEMAND), // on-demand when the reservations are full
        Requirement.instanceFamily().in(nodes.InstanceFamily.M7I),
        Requirement.zone().in(...nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c')),
      ],
      limits: { cpu: 200 },
      disruption: { consolidateAfter: Consolidation.after(Duration.minutes(5)) },
    });
    new workloads.ResilientDeployment(this, 'Checkout', {
      metadata: { name: 'checkout' },
      containers: [server('registry.example.com/checkout:3.1.0', 1, 4)],
      nodePool,
      minReplicas: 6,
    });
  }
}
