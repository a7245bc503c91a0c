import { join } from 'path';
import { Chart, Duration, Include, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';

const { CapacityType, Consolidation, EC2NodeClass, NodeIdentity, NodePool, Requirement } = nodes;
const NGINX_DEMO = join(__dirname, 'nginx-demo.yaml');

/**
 * A web server on nodes that Karpenter launches and removes as it likes. What keeps it running when nodes go is the
 * last line.
 */
export class NginxDemo extends Chart {
  constructor(scope: Construct, id: string, resilient: boolean) {
    super(scope, id);
    const nodePool = this.addNodePool();
    const nginxDemo = new Include(this, 'NginxDemo', { url: NGINX_DEMO });
    if (resilient) nginxDemo.with(new workloads.Resilience({ nodePool }));
  }

  /** Nodes that are consolidated, expire and drift, as in most clusters. */
  private addNodePool(): nodes.NodePool {
    const nodeClass = new EC2NodeClass(this, 'NodeClass', {
      metadata: { name: 'web' },
      amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
      identity: NodeIdentity.role('KarpenterNodeRole-demo'),
      subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag('demo')],
      securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byDiscoveryTag('demo')],
    });
    return new NodePool(this, 'NodePool', {
      metadata: { name: 'web' },
      nodeClass,
      requirements: [
        Requirement.zone().in(...nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c')),
        Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
        Requirement.instanceCategory().in(nodes.InstanceCategory.C, nodes.InstanceCategory.M, nodes.InstanceCategory.R),
        Requirement.instanceGeneration().greaterThan(5),
      ],
      limits: { cpu: 100, memory: Size.gibibytes(400) },
      disruption: { consolidateAfter: Consolidation.after(Duration.minutes(5)) },
    });
  }
}
