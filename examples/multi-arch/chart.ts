import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

export class MultiArchChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const setup = new setups.ProductionSetup(this, 'Nodes', { ...SETUP, graviton: { cpu: 100 } });
    new workloads.ResilientDeployment(this, 'Web', {
      metadata: { name: 'web' },
      containers: [server('registry.example.com/web:1.4.2', 0.5, 1)], // built for amd64 and arm64
      nodePool: setup.graviton,
      minReplicas: 4,
    });
    new workloads.ResilientDeployment(this, 'Legacy', {
      metadata: { name: 'legacy' },
      containers: [server('registry.example.com/legacy:2.0.0', 1, 2)], // built for amd64 only
      zoneCount: 3,
    });
  }
}
