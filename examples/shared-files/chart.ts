import { Chart, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

export class SharedFilesChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const setup = new setups.ProductionSetup(this, 'Nodes', {
      ...SETUP,
      storage: { io2: { iops: 16_000 }, efs: { fileSystemId: 'fs-0123456789abcdef0' } },
    });
    // All pods write to one file system, which every zone reaches: a replacement may start in any zone.
    new workloads.ResilientDeployment(this, 'Uploads', {
      metadata: { name: 'uploads' },
      containers: [server('registry.example.com/uploads:2.4.0', 1, 2)],
      nodePool: setup.general,
      minReplicas: 3,
      volumeClaims: [
        workloads.VolumeClaim.shared('files', {
          size: Size.gibibytes(100),
          mountPath: '/srv/files',
          storageClassName: 'efs',
          accessMode: workloads.VolumeAccessMode.READ_WRITE_MANY,
        }),
      ],
    });
    // Each replica has a volume of its own with provisioned IOPS. It stays in the zone of its first node.
    new workloads.ResilientStatefulSet(this, 'Ledger', {
      metadata: { name: 'ledger' },
      containers: [server('registry.example.com/ledger:9.0.3', 2, 8)],
      nodePool: setup.general,
      minReplicas: 3,
      capacity: workloads.CapacityPlacement.onDemandOnly(), // an interruption would detach a volume
      volumeClaims: [
        workloads.VolumeClaim.perReplica('data', {
          size: Size.gibibytes(200),
          mountPath: '/var/lib/ledger',
          storageClassName: 'io2',
        }),
      ],
    });
  }
}
