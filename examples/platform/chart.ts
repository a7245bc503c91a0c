import { Chart, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { sandboxNodes, systemNodes, trainingNodes, webNodes } from './node-classes';
import { sandboxPool, systemPool, trainingPool, webPool } from './node-pools';
import { addWorkloads, Workloads } from './workloads';
import { nodes, workloads } from '../../src';

const { BufferedPods, CapacityBuffer, NodeOverlay, OverlayPrice, Requirement } = nodes;

/**
 * The nodes of a platform team: some that are always there, some that follow the load, some in reserved capacity, some
 * for virtual machines. Between them they use every field of Karpenter's API.
 */
export class PlatformChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    systemPool(this, systemNodes(this));
    const web = webPool(this, webNodes(this));
    trainingPool(this, trainingNodes(this));
    sandboxPool(this, sandboxNodes(this));
    this.addOverlays(web);
    this.addBuffers(addWorkloads(this));
    this.with(new workloads.Resilience({ zoneCount: 3 }));
  }

  /** What Karpenter cannot know of instance types. */
  private addOverlays(web: nodes.INodePool): void {
    new NodeOverlay(this, 'SavingsPlan', {
      metadata: { name: 'savings-plan' },
      requirements: [
        Requirement.instanceFamily().in(nodes.InstanceFamily.M7I),
        Requirement.capacityType().in(nodes.CapacityType.ON_DEMAND),
      ],
      price: OverlayPrice.adjustedByPercent(-28),
      weight: 10,
    });
    new NodeOverlay(this, 'ReservedCapacity', {
      metadata: { name: 'reserved-capacity' },
      requirements: [
        Requirement.instanceFamily().in(nodes.InstanceFamily.P5),
        Requirement.capacityType().in(nodes.CapacityType.ON_DEMAND),
      ],
      price: OverlayPrice.fixed(31.46),
    });
    new NodeOverlay(this, 'FuseDevices', {
      metadata: { name: 'fuse-devices' },
      requirements: [Requirement.nodePool().in(web)],
      capacity: { 'smarter-devices/fuse': '20' },
    });
  }

  /** Room for a fifth more of the web servers, and for one import at any time. */
  private addBuffers({ webServer, importTemplate }: Workloads): void {
    new CapacityBuffer(this, 'WebBuffer', {
      metadata: { name: 'web' },
      pods: BufferedPods.of(webServer),
      percentage: 20,
    });
    new CapacityBuffer(this, 'ImportBuffer', {
      metadata: { name: 'import' },
      pods: BufferedPods.podTemplate(importTemplate.name),
      replicas: 1,
      limits: { cpu: 4, memory: Size.gibibytes(8) },
      provisioningStrategy: nodes.ProvisioningStrategy.ACTIVE_CAPACITY,
    });
  }
}
