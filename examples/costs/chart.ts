import { Chart, Duration } from 'cdk8s';
import { Deployment, LabelSelector } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { nodes } from '../../src';
import { NETWORK, server, ZONES } from '../shop-cluster';

const { Architecture, CapacityType, InstanceCategory, Requirement } = nodes;

export interface CostsChartProps {
  /** The most CPUs of a node. @default - nodes of all sizes */
  readonly mostCpus?: number;
}

/** Three teams on one NodePool. `recommend` finds the bound on the size of its nodes. */
export class CostsChart extends Chart {
  constructor(scope: Construct, id: string, { mostCpus }: CostsChartProps = {}) {
    super(scope, id);
    const nodeClass = new nodes.EC2NodeClass(this, 'NodeClass', {
      ...NETWORK,
      metadata: { name: 'general' },
      amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
    });
    new nodes.NodePool(this, 'General', {
      metadata: { name: 'general' },
      nodeClass,
      requirements: [
        Requirement.capacityType().in(CapacityType.ON_DEMAND),
        Requirement.architecture().in(Architecture.AMD64),
        Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
        Requirement.instanceGeneration().greaterThan(5),
        Requirement.zone().in(...ZONES),
        ...(mostCpus === undefined ? [] : [Requirement.instanceCpu().lessThan(mostCpus + 1)]),
      ],
      limits: { cpu: 400 },
      disruption: { consolidateAfter: nodes.Consolidation.after(Duration.minutes(5)) },
    });
    this.deploy('search', 'discovery', 14, 1.8, 5);
    this.deploy('cart', 'checkout', 10, 0.9, 1.5);
    this.deploy('payments', 'checkout', 6, 0.5, 1);
    this.deploy('images', 'media', 8, 3, 3);
    this.deploy('reports', 'media', 3, 1, 14);
  }

  private deploy(name: string, team: string, replicas: number, cpus: number, gibibytes: number): void {
    const deployment = new Deployment(this, name, {
      metadata: { name },
      replicas,
      select: false,
      podMetadata: { labels: { app: name, team } },
      containers: [server(`registry.example.com/${name}:1.0.0`, cpus, gibibytes)],
    });
    deployment.select(LabelSelector.of({ labels: { app: name } }));
  }
}
