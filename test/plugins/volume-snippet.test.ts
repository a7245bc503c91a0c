import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart, Size } from 'cdk8s';
import { AmiSelectorTerm, NodeIdentity } from '../../src/nodes';
import { KarpenterVerdict } from '../../src/plugins';
import { ProductionSetup, SetupCluster } from '../../src/setups';
import { CapacityPlacement, ResilientStatefulSet, VolumeClaim } from '../../src/workloads';

describe('a synth of a StatefulSet with the StorageClass gp3', () => {
  let outdir: string;
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'volume-snippet-'));
    jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(outdir, { recursive: true });
  });

  test('passes although the class is not in the app', () => {
    const app = new App({ outdir });
    const chart = new Chart(app, 'shop');
    const setup = new ProductionSetup(chart, 'Nodes', {
      cluster: SetupCluster.byDiscoveryTag('shop', NodeIdentity.role('nodes')),
      nodeClassOptions: { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] },
    });
    const data = { size: Size.gibibytes(20), mountPath: '/var/lib/postgresql/data', storageClassName: 'gp3' };
    new ResilientStatefulSet(chart, 'Orders', {
      nodePool: setup.general,
      containers: [{ image: 'postgres:17', portNumber: 5432 }],
      capacity: CapacityPlacement.onDemandOnly(),
      volumeClaims: [VolumeClaim.perReplica('data', data)],
    });
    new KarpenterVerdict(app, 'Verdict', { region: 'eu-west-1' });
    expect(() => app.synth()).not.toThrow();
  });
});
