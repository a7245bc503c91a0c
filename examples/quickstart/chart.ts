import { ApiObject, Chart, Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { addDaemonSets } from './daemon-sets';
import { nodes } from '../../src';

const CLUSTER = 'bys-dev-eks-main';

/**
 * A cluster's general nodes, the daemonsets that run on all of them, and a web server that stays up while Karpenter
 * consolidates.
 */
export class QuickstartChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.addNodes();
    addDaemonSets(this);
    this.addWebServer();
  }

  private addNodes(): void {
    const nodeClass = new nodes.EC2NodeClass(this, 'NodeClass', {
      metadata: { name: 'karpenter-default' },
      amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
      identity: nodes.NodeIdentity.instanceProfile('KarpenterInstanceProfile'),
      subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag(CLUSTER)],
      securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byDiscoveryTag(CLUSTER)],
      blockDeviceMappings: [
        {
          deviceName: '/dev/xvda',
          ebs: {
            volumeSize: Size.gibibytes(30),
            volumeType: nodes.VolumeType.GP3,
            iops: 3000,
            throughput: 125,
            kmsKeyId: 'arn:aws:kms:ap-northeast-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
          },
        },
      ],
      tags: { Name: 'karpenter-eks-main/karpenter-default', 'auto-delete': 'no' },
      detailedMonitoring: true,
      kubelet: { evictionMaxPodGracePeriod: Duration.seconds(60) },
    });

    new nodes.NodePool(this, 'NodePool', {
      metadata: { name: 'karpenter-default' },
      nodeClass,
      requirements: [
        nodes.Requirement.instanceCategory().in(
          nodes.InstanceCategory.C,
          nodes.InstanceCategory.M,
          nodes.InstanceCategory.R,
          nodes.InstanceCategory.T,
        ),
        nodes.Requirement.instanceGeneration().greaterThan(3),
        nodes.Requirement.instanceHypervisor().in(nodes.InstanceHypervisor.NITRO),
        nodes.Requirement.operatingSystem().in(nodes.OperatingSystem.LINUX),
        nodes.Requirement.architecture().in(nodes.Architecture.AMD64, nodes.Architecture.ARM64),
        nodes.Requirement.capacityType().in(nodes.CapacityType.SPOT, nodes.CapacityType.ON_DEMAND),
        nodes.Requirement.zone().in(...nodes.Zone.ofRegion('ap-northeast-2', 'a', 'c')),
      ],
      limits: { cpu: 1000, memory: Size.gibibytes(1000) },
      expireAfter: nodes.Expiration.after(Duration.days(30)),
      disruption: {
        consolidationPolicy: nodes.ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED,
        consolidateAfter: nodes.Consolidation.after(Duration.minutes(1)),
      },
    });
  }

  private addWebServer(): void {
    const matchLabels = { app: 'nginx-demo' };
    new ApiObject(this, 'Deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'nginx-demo-deployment' },
      spec: {
        replicas: 2,
        selector: { matchLabels },
        template: {
          metadata: { labels: matchLabels },
          spec: {
            containers: [
              {
                name: 'nginx-demo-container',
                image: 'nginx:1.29',
                ports: [{ containerPort: 80 }],
                resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '512Mi' } },
              },
            ],
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'kubernetes.io/hostname',
                whenUnsatisfiable: 'DoNotSchedule',
                labelSelector: { matchLabels },
              },
            ],
          },
        },
      },
    });
    new ApiObject(this, 'DisruptionBudget', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'nginx-demo-pdb' },
      spec: { minAvailable: '50%', selector: { matchLabels } },
    });
  }
}
