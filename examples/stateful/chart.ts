import { Chart, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

export class StatefulChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    // Volumes are encrypted, and created in the zone of the node.
    const setup = new setups.ProductionSetup(this, 'Nodes', { ...SETUP, storage: { gp3: { isDefault: true } } });
    new workloads.ResilientStatefulSet(this, 'Orders', {
      metadata: { name: 'orders' },
      containers: [server('registry.example.com/orders:5.2.0', 1, 4)],
      nodePool: setup.general,
      minReplicas: 3,
      capacity: workloads.CapacityPlacement.onDemandOnly(), // an interruption would detach a volume
      volumeClaims: [
        workloads.VolumeClaim.perReplica('data', {
          size: Size.gibibytes(50),
          mountPath: '/var/lib/orders',
          storageClassName: 'gp3',
        }),
      ],
    });
  }
}
