import { ApiObject, Chart, Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';
import { NETWORK } from '../shop-cluster';

const { Consolidation, ConsolidationPolicy, Expiration, Requirement, TaintEffect } = nodes;
const { ExtendedResource, ExtendedResources, Resilience } = workloads;

export class EfaChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodePool = new nodes.NodePool(this, 'NodePool', {
      metadata: { name: 'training' },
      nodeClass: new nodes.EC2NodeClass(this, 'NodeClass', {
        ...NETWORK,
        metadata: { name: 'training' },
        amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
        placementGroupSelector: nodes.PlacementGroupSelector.byName('training'), // a cluster placement group: nodes close to each other
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(300), encrypted: true } }],
      }),
      requirements: [
        Requirement.instanceType().in('g6e.48xlarge'),
        Requirement.capacityType().in(nodes.CapacityType.ON_DEMAND),
        Requirement.zone().in(...nodes.Zone.ofRegion('us-east-1', 'a')), // a cluster placement group is in one zone
      ],
      taints: [{ key: 'nvidia.com/gpu', effect: TaintEffect.NO_SCHEDULE }],
      limits: { other: { 'nvidia.com/gpu': '32' } },
      expireAfter: Expiration.never(),
      disruption: {
        consolidationPolicy: ConsolidationPolicy.WHEN_EMPTY,
        consolidateAfter: Consolidation.after(Duration.minutes(10)),
      },
    });
    const resources = { requests: { cpu: '180', memory: '1200Gi' }, limits: { memory: '1200Gi' } };
    new ApiObject(this, 'Training', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'training' },
      spec: {
        completionMode: 'Indexed',
        completions: 2,
        parallelism: 2,
        activeDeadlineSeconds: Duration.hours(48).toSeconds(),
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'training', image: 'registry.example.com/training:4.0.0', resources }],
          },
        },
      },
    }).with(
      new ExtendedResources(ExtendedResource.nvidiaGpu(8), ExtendedResource.efa(4)),
      new Resilience({ nodePool }),
    );
  }
}
