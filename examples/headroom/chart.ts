import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

export class HeadroomChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new setups.ProductionSetup(this, 'Nodes', SETUP);
    const web = new workloads.ResilientDeployment(this, 'Web', {
      metadata: { name: 'web' },
      containers: [server('registry.example.com/web:1.4.2', 0.5, 1)],
      minReplicas: 10,
      zoneCount: 3,
    });
    // Nodes with room for two more pods are always ready.
    new nodes.CapacityBuffer(this, 'Buffer', {
      metadata: { name: 'web' },
      pods: nodes.BufferedPods.of(web),
      percentage: 20,
    });
  }
}
