import { ApiObject, Chart, Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';
import { NETWORK, ZONES } from '../shop-cluster';

const {
  AmiFamily,
  AmiSelectorTerm,
  CapacityType,
  Consolidation,
  InstanceCategory,
  OperatingSystem,
  Requirement,
  TaintEffect,
} = nodes;

export class WindowsChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodePool = new nodes.NodePool(this, 'NodePool', {
      metadata: { name: 'windows' },
      nodeClass: new nodes.EC2NodeClass(this, 'NodeClass', {
        ...NETWORK,
        metadata: { name: 'windows' },
        amiFamily: AmiFamily.WINDOWS_2022,
        // An alias such as windows2022 always selects the newest image.
        amiSelectorTerms: [
          AmiSelectorTerm.byName('Windows_Server-2022-English-Core-EKS_Optimized-1.34-2025.09.10', { owner: 'amazon' }),
        ],
        blockDeviceMappings: [{ deviceName: '/dev/sda1', ebs: { volumeSize: Size.gibibytes(100), encrypted: true } }], // images take tens of GiB
      }),
      requirements: [
        Requirement.operatingSystem().in(OperatingSystem.WINDOWS),
        Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
        Requirement.instanceGeneration().greaterThan(4),
        Requirement.instanceCpu().greaterThan(3),
        Requirement.capacityType().in(CapacityType.ON_DEMAND),
        Requirement.zone().in(...ZONES),
      ],
      taints: [{ key: 'os', value: 'windows', effect: TaintEffect.NO_SCHEDULE }],
      limits: { cpu: 64 },
      disruption: { consolidateAfter: Consolidation.after(Duration.minutes(30)) }, // nodes take minutes to start
    });
    const matchLabels = { app: 'invoices' };
    const resources = { requests: { cpu: '1', memory: '2Gi' }, limits: { memory: '2Gi' } };
    new ApiObject(this, 'Invoices', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'invoices' },
      spec: {
        replicas: 3,
        selector: { matchLabels },
        template: {
          metadata: { labels: matchLabels },
          spec: {
            os: { name: 'windows' },
            nodeSelector: { 'kubernetes.io/os': 'windows' },
            containers: [
              {
                name: 'invoices',
                image: 'registry.example.com/invoices:1.0.0-ltsc2022',
                ports: [{ containerPort: 8080 }],
                resources,
              },
            ],
          },
        },
      },
    }).with(new workloads.Resilience({ nodePool }));
  }
}
