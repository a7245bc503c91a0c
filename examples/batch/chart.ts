import { Chart, Cron, Duration } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { setups, workloads } from '../../src';
import { SETUP, worker } from '../shop-cluster';

const { CapacityPlacement, Resilience, Safeguard } = workloads;

export class BatchChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { batch: nodePool } = new setups.ProductionSetup(this, 'Nodes', {
      ...SETUP,
      batch: { cpu: 64, maxJobDuration: Duration.hours(6) },
    });

    // Starts from the beginning after an eviction: not on spot, and protected from disruption.
    new workloads.ResilientCronJob(this, 'Report', {
      metadata: { name: 'report' },
      schedule: Cron.schedule({ minute: '0', hour: '1' }),
      activeDeadline: Duration.hours(4),
      containers: [worker('registry.example.com/report:1.0.0', 2, 8)],
      nodePool,
      capacity: CapacityPlacement.onDemandOnly(),
    });

    // Continues where it was: spot is fine.
    new kplus.Job(this, 'Thumbnails', {
      metadata: { name: 'thumbnails' },
      activeDeadline: Duration.hours(4),
      containers: [worker('registry.example.com/thumbnails:1.0.0', 4, 8)],
    }).with(
      new Resilience({
        nodePool,
        waivers: [{ safeguard: Safeguard.DO_NOT_DISRUPT, reason: 'continues where it was' }],
      }),
    );
  }
}
