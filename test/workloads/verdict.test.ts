import { ApiObject, Chart, Duration, Size, Testing, Yaml } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { newChart, workload } from './fixtures';
import * as nodes from '../../src/nodes';
import { check, Verdict } from '../../src/validation';
import * as workloads from '../../src/workloads';

const { CapacityPlacement, DoNotDisrupt, ExtendedResource, Resilience, Safeguard, VolumeClaim } = workloads;
const { ResilientDeployment, ResilientStatefulSet } = workloads;
const { CapacityType, Consolidation, EC2NodeClass, NodeIdentity, NodePool, Requirement, TaintEffect, Zone } = nodes;
const RESOURCES = { requests: { cpu: '250m', memory: '256Mi' } };
const CONTAINER: kplus.ContainerProps = {
  image: 'app',
  portNumber: 8080,
  resources: { cpu: { request: kplus.Cpu.millis(250) }, memory: { request: Size.mebibytes(256) } },
};

function newNodePool(chart: Chart, props: Partial<nodes.NodePoolProps> = {}): nodes.NodePool {
  const nodeClass = new EC2NodeClass(chart, 'class', {
    metadata: { name: 'default' },
    amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
    identity: NodeIdentity.role('KarpenterNodeRole'),
    subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag('cluster')],
    securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byDiscoveryTag('cluster')],
  });
  return new NodePool(chart, 'pool', {
    limits: { cpu: 1000 },
    metadata: { name: 'shop' },
    nodeClass,
    requirements: [
      Requirement.instanceFamily().in(nodes.InstanceFamily.M7I, nodes.InstanceFamily.C7I, nodes.InstanceFamily.R7I),
      Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
      Requirement.zone().in(...Zone.ofRegion('us-east-1', 'a', 'b', 'c')),
    ],
    taints: [{ key: 'team', value: 'shop', effect: TaintEffect.NO_SCHEDULE }],
    ...props,
  });
}

function verdictOf(chart: Chart): Verdict {
  return check([{ path: 'chart.yaml', text: Yaml.stringify(...Testing.synth(chart)) }], { isSynth: true });
}

function expectFlawless(chart: Chart, pods: number): void {
  const { findings, summary, notEvaluated } = verdictOf(chart);
  expect(findings).toEqual([]);
  expect(notEvaluated).toEqual([]);
  expect([summary.pods, summary.scheduledPods]).toEqual([pods, pods]);
}

describe('check has no findings for', () => {
  test('resilient constructs that are pinned to a NodePool', () => {
    const chart = newChart();
    const nodePool = newNodePool(chart);
    new ResilientDeployment(chart, 'web', {
      containers: [CONTAINER],
      nodePool,
      minReplicas: 7,
      capacity: CapacityPlacement.evenSplit(),
    });
    new ResilientStatefulSet(chart, 'queue', { containers: [CONTAINER], nodePool, minReplicas: 3 });
    expectFlawless(chart, 10);
  });

  test('plain workloads in a chart with Resilience', () => {
    const chart = newChart();
    const nodePool = newNodePool(chart, { terminationGracePeriod: Duration.hours(2) });
    const container = { resources: RESOURCES };
    const named = (name: string) => ({ container, metadata: { name }, labels: { app: name } });
    new ApiObject(chart, 'web', workload('Deployment', named('web')));
    new ApiObject(chart, 'queue', workload('StatefulSet', { ...named('queue'), spec: { replicas: 5 } }));
    new ApiObject(
      chart,
      'agent',
      workload('DaemonSet', { ...named('agent'), pod: { tolerations: [{ operator: 'Exists' }] } }),
    );
    const batch = { pod: { restartPolicy: 'Never' }, spec: { activeDeadlineSeconds: 3600 } };
    new ApiObject(chart, 'import', workload('Job', { ...named('import'), ...batch })).with(
      new Resilience({ capacity: CapacityPlacement.onDemandOnly() }),
    );
    chart.with(new Resilience({ nodePool }));
    expectFlawless(chart, 8);
  });

  test('a StatefulSet with a volume for each replica, and a Deployment with scratch volumes', () => {
    const chart = newChart();
    const nodePool = newNodePool(chart);
    new ApiObject(chart, 'gp3', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'gp3' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    } as any);
    const volume = { size: Size.gibibytes(20), mountPath: '/var/lib/data', storageClassName: 'gp3' };
    new ResilientStatefulSet(chart, 'db', {
      containers: [CONTAINER],
      nodePool,
      minReplicas: 3,
      capacity: CapacityPlacement.onDemandOnly(),
      volumeClaims: [VolumeClaim.perReplica('data', volume)],
    });
    new ResilientDeployment(chart, 'render', {
      containers: [CONTAINER],
      nodePool,
      minReplicas: 2,
      volumeClaims: [VolumeClaim.perPod('scratch', volume)],
    });
    expectFlawless(chart, 5);
  });

  test('a Deployment with GPUs on a NodePool of GPU instances', () => {
    const chart = newChart();
    const requirements = [
      Requirement.instanceFamily().in(nodes.InstanceFamily.G5, nodes.InstanceFamily.G6),
      Requirement.capacityType().in(CapacityType.ON_DEMAND),
      Requirement.zone().in(...Zone.ofRegion('us-east-1', 'a', 'b', 'c')),
    ];
    const nodePool = newNodePool(chart, {
      requirements,
      taints: [{ key: 'nvidia.com/gpu', effect: TaintEffect.NO_SCHEDULE }],
    });
    new ResilientDeployment(chart, 'model', {
      containers: [CONTAINER],
      nodePool,
      extendedResources: [ExtendedResource.nvidiaGpu(1)],
    });
    expectFlawless(chart, 2);
  });

  test('a Deployment that is autoscaled', () => {
    const chart = newChart();
    const target = new ResilientDeployment(chart, 'web', {
      containers: [CONTAINER],
      nodePool: newNodePool(chart, { disruption: { consolidateAfter: Consolidation.after(Duration.minutes(5)) } }),
    });
    new kplus.HorizontalPodAutoscaler(chart, 'scaler', {
      target,
      minReplicas: 4,
      maxReplicas: 9,
      metrics: [kplus.Metric.resourceCpu(kplus.MetricTarget.averageUtilization(70))],
    });
    expectFlawless(chart, 4);
  });

  test('Jobs with an even split of capacity types beside other Jobs', () => {
    const chart = newChart();
    const nodePool = newNodePool(chart, {
      terminationGracePeriod: Duration.hours(2),
      disruption: { consolidateAfter: Consolidation.after(Duration.minutes(5)) },
    });
    const spot = {
      metadata: { name: 'web' },
      pod: { nodeSelector: { 'karpenter.sh/capacity-type': 'spot' } },
      container: { resources: RESOURCES },
    };
    new ApiObject(chart, 'web', workload('Deployment', { ...spot, spec: { replicas: 9 } })).with(
      new Resilience({ nodePool }),
    );
    for (const kind of ['Job', 'CronJob']) {
      const run = {
        metadata: { name: kind.toLowerCase() },
        container: { resources: RESOURCES },
        pod: { restartPolicy: 'Never' },
        spec: { parallelism: 2, completions: 2 },
      };
      new ApiObject(chart, kind, workload(kind, run)).with(
        new Resilience({ nodePool, capacity: CapacityPlacement.evenSplit() }),
      );
    }
    const { nodeClaims, unschedulable } = verdictOf(chart);
    const ofJobs = nodeClaims.flatMap(({ pods, launch }) =>
      pods.flatMap((pod) => (/job/.test(pod) ? `${pod} ${launch?.capacityType}` : [])),
    );
    expect([unschedulable, ofJobs.filter((pod) => /on-demand/.test(pod)).length]).toEqual([[], 2]);
    expect(ofJobs).toHaveLength(4);
  });

  test('workloads of a NodePool beside NodePools with another zone or capacity type', () => {
    const chart = newChart();
    const requirements = [
      Requirement.instanceFamily().in(nodes.InstanceFamily.M7I),
      Requirement.zone().in(...Zone.ofRegion('us-east-1', 'a', 'b', 'c')),
    ];
    const both = Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND);
    const nodePool = newNodePool(chart, { requirements: [...requirements, both] });
    const zones = Requirement.zone().in(...Zone.ofRegion('us-east-1', 'a', 'f'));
    const wider = [zones, Requirement.capacityType().in(CapacityType.ON_DEMAND, CapacityType.RESERVED)];
    const nodeClass = nodes.EC2NodeClass.fromEC2NodeClassName(chart, 'named', 'default');
    new NodePool(chart, 'other', { nodeClass, requirements: [requirements[0], ...wider] });
    new ResilientDeployment(chart, 'web', {
      containers: [CONTAINER],
      nodePool,
      minReplicas: 5,
      capacity: CapacityPlacement.evenSplit(),
    });
    const { summary, unschedulable } = verdictOf(chart);
    expect([unschedulable, summary.scheduledPods]).toEqual([[], 5]);
  });

  test.each([
    ['until an age', DoNotDisrupt.untilAge(Duration.hours(12)), {}],
    [
      'always, on a NodePool with terminationGracePeriod',
      DoNotDisrupt.always(),
      { terminationGracePeriod: Duration.hours(1) },
    ],
  ])('a single pod with a waiver for REPLICAS that is protected %s', (_, doNotDisrupt, props) => {
    const chart = newChart();
    new ResilientStatefulSet(chart, 'db', {
      containers: [CONTAINER],
      replicas: 1,
      nodePool: newNodePool(chart, props),
      doNotDisrupt,
      waivers: [{ safeguard: Safeguard.REPLICAS, reason: 'one disk' }],
    });
    expectFlawless(chart, 1);
  });
});

test('check has findings for the same chart without Resilience', () => {
  const chart = newChart();
  newNodePool(chart, { taints: [] });
  new ApiObject(chart, 'web', workload('Deployment', { container: { resources: RESOURCES }, spec: { replicas: 3 } }));
  expect(verdictOf(chart).findings.map(({ rule }) => rule)).toEqual(['KARP-402']);
});
