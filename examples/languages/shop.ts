import { App, Chart, Cron, Duration, Size } from 'cdk8s';
import { Cpu, Probe } from 'cdk8s-plus-28';
import { assertions, nodes, plugins, workloads } from '../../src';

const app = new App();
const chart = new Chart(app, 'shop');
const nodeClass = new nodes.EC2NodeClass(chart, 'NodeClass', {
  identity: nodes.NodeIdentity.role('KarpenterNodeRole-shop'),
  amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
  subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag('shop')],
  securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byDiscoveryTag('shop')],
  blockDeviceMappings: [
    { deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(50), volumeType: nodes.VolumeType.GP3 } },
  ],
  tags: { team: 'shop' },
});
const nodePool = new nodes.NodePool(chart, 'NodePool', {
  metadata: { name: 'shop' },
  nodeClass,
  requirements: [
    nodes.Requirement.zone().in(...nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c')),
    nodes.Requirement.capacityType().in(nodes.CapacityType.SPOT, nodes.CapacityType.ON_DEMAND),
    nodes.Requirement.instanceFamily()
      .in(nodes.InstanceFamily.M6A, nodes.InstanceFamily.M7G, nodes.InstanceFamily.of('m8g'))
      .withMinValues(2),
  ],
  limits: { cpu: 100 },
  taints: [{ key: 'example.com/shop', effect: nodes.TaintEffect.NO_SCHEDULE }],
  disruption: {
    consolidateAfter: nodes.Consolidation.after(Duration.minutes(5)),
    budgets: [
      nodes.DisruptionBudget.percent(20),
      nodes.DisruptionBudget.nodes(0, {
        schedule: Cron.schedule({ minute: '0', hour: '9', weekDay: '1-5' }),
        duration: Duration.hours(8),
        reasons: [nodes.DisruptionReason.DRIFTED],
      }),
    ],
  },
});
const web = new workloads.ResilientDeployment(chart, 'Web', { metadata: { name: 'web' }, nodePool, replicas: 3 });
web.addContainer({
  image: 'nginx:1.29',
  portNumber: 8080,
  readiness: Probe.fromHttpGet('/'),
  resources: { cpu: { request: Cpu.millis(500) }, memory: { request: Size.gibibytes(1), limit: Size.gibibytes(1) } },
});
new plugins.KarpenterVerdict(app, 'Verdict', { region: 'eu-west-1' });
app.synth();

const karpenter = assertions.KarpenterAssertions.fromChart(chart, { region: 'eu-west-1' });
karpenter.hasAllPodsScheduled();
try {
  karpenter.keepsReady('web', 3, assertions.Scenario.DRIFT);
} catch (error) {
  console.log((error as Error).message);
}
