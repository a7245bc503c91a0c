import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

const { CapacityType, InstanceFamily, NodeOverlay, OverlayPrice, Requirement } = nodes;

export class NodeOverlaysChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const setup = new setups.ProductionSetup(this, 'Nodes', {
      ...SETUP,
      general: { purchaseOption: setups.PurchaseOption.ON_DEMAND_ONLY },
    });
    // A savings plan: Karpenter compares what the account really pays.
    new NodeOverlay(this, 'SavingsPlan', {
      metadata: { name: 'savings-plan' },
      requirements: [
        Requirement.instanceFamily().in(InstanceFamily.M7I),
        Requirement.capacityType().in(CapacityType.ON_DEMAND),
      ],
      price: OverlayPrice.adjustedByPercent(-45),
    });
    // A device that a device plugin offers, and that Karpenter does not know.
    new NodeOverlay(this, 'Fuse', {
      metadata: { name: 'fuse' },
      requirements: [Requirement.nodePool().in(setup.general)],
      capacity: { 'smarter-devices/fuse': '20' },
    });
    new workloads.ResilientDeployment(this, 'Builder', {
      metadata: { name: 'builder' },
      containers: [server('registry.example.com/builder:2.2.0', 2, 8)],
      nodePool: setup.general,
      minReplicas: 3,
      extendedResources: [workloads.ExtendedResource.of('smarter-devices/fuse', 1)],
    });
  }
}
