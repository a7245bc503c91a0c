import { Chart, Duration, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { setups, workloads } from '../../src';
import { server, SETUP, worker } from '../shop-cluster';

const { ExtendedResource, ExtendedResources, Resilience, VolumeClaim, VolumeClaims } = workloads;

export class GpuChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { gpu: nodePool } = new setups.ProductionSetup(this, 'Nodes', { ...SETUP, gpu: { gpus: 8 } });
    new workloads.ResilientDeployment(this, 'Model', {
      metadata: { name: 'model' },
      containers: [server('registry.example.com/model:0.9.0', 3, 12)],
      nodePool,
      extendedResources: [ExtendedResource.nvidiaGpu(1)],
    });
    new kplus.Job(this, 'FineTuning', {
      metadata: { name: 'fine-tuning' },
      activeDeadline: Duration.hours(12),
      containers: [worker('registry.example.com/fine-tuning:0.9.0', 40, 150)],
    }).with(
      new ExtendedResources(ExtendedResource.nvidiaGpu(4)),
      new VolumeClaims(
        VolumeClaim.perPod('scratch', { size: Size.gibibytes(500), mountPath: '/scratch', storageClassName: 'gp2' }),
      ),
      new Resilience({ nodePool }),
    );
  }
}
