import { ApiObject, Chart, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

export class StatefulChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const setup = new setups.ProductionSetup(this, 'Nodes', SETUP);
    new ApiObject(this, 'Gp3', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'gp3' },
      provisioner: 'ebs.csi.aws.com',
      parameters: { type: 'gp3', encrypted: 'true' },
      volumeBindingMode: 'WaitForFirstConsumer', // the volume is created in the zone of the node
    });
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
