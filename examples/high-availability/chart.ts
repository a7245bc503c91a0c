import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

export class HighAvailabilityChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const setup = new setups.ProductionSetup(this, 'Nodes', {
      ...SETUP,
      general: { cpu: 100, purchaseOption: setups.PurchaseOption.ON_DEMAND_ONLY },
    });
    new workloads.ResilientDeployment(this, 'Checkout', {
      metadata: { name: 'checkout' },
      containers: [server('registry.example.com/checkout:3.1.0', 1, 2)],
      nodePool: setup.general, // its three zones decide the spread
      minReplicas: 6,
    });
  }
}
