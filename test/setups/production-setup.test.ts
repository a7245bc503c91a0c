import { Chart, Duration, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { newChart, newSetup, specOf, verdictOf } from './fixtures';
import * as nodes from '../../src/nodes';
import * as setups from '../../src/setups';
import * as workloads from '../../src/workloads';

const { CapacityPlacement, ExtendedResource, ExtendedResources, Resilience, ResilientDeployment } = workloads;
const { PurchaseOption } = setups;
const CONTAINER: kplus.ContainerProps = {
  image: 'app',
  portNumber: 8080,
  resources: { cpu: { request: kplus.Cpu.millis(500) }, memory: { request: Size.gibibytes(1) } },
};
const ALL: Partial<setups.ProductionSetupProps> = {
  general: { cpu: 400 },
  graviton: {},
  gpu: {},
  batch: {},
  staticCapacity: { replicas: 3, instanceTypes: ['m7i.large', 'm6i.large'] },
};

function capacityTypesOf(chart: Chart, pool: string): string[] {
  return specOf(chart, pool).template.spec.requirements.find(({ key }: any) => key === 'karpenter.sh/capacity-type')
    .values;
}

function newJob(chart: Chart, id: string, container: kplus.ContainerProps = CONTAINER): kplus.Job {
  return new kplus.Job(chart, id, {
    containers: [container],
    metadata: { name: id },
    activeDeadline: Duration.hours(12),
  });
}

describe('check has no findings for', () => {
  test.each<[string, Partial<setups.ProductionSetupProps>, number]>([
    ['the general pool', {}, 1],
    [
      'the general pool with a weighted fallback',
      { general: { purchaseOption: PurchaseOption.SPOT_WITH_WEIGHTED_FALLBACK } },
      2,
    ],
    ['the general pool on demand only', { general: { purchaseOption: PurchaseOption.ON_DEMAND_ONLY } }, 1],
    ['Graviton', { graviton: {} }, 2],
    ['Graviton on demand only', { graviton: { purchaseOption: PurchaseOption.ON_DEMAND_ONLY } }, 2],
    ['GPUs', { gpu: {} }, 2],
    ['batch', { batch: {} }, 2],
    ['static capacity', { staticCapacity: { replicas: 3, instanceTypes: ['m7i.large'] } }, 2],
    ['all pools', ALL, 5],
    ['all pools without a maintenance window', { ...ALL, maintenanceWindow: setups.MaintenanceWindow.anyTime() }, 5],
    [
      'Bottlerocket',
      { ...ALL, nodeClassOptions: { amiSelectorTerms: [nodes.AmiSelectorTerm.bottlerocket('v1.49.0')] } },
      5,
    ],
    ['no named zones', { ...ALL, zones: undefined }, 5],
  ])('the setup with %s', (_, props, pools) => {
    const chart = newChart();
    newSetup(chart, props);
    const { findings, notEvaluated, nodePools } = verdictOf(chart);
    expect([findings, notEvaluated, nodePools?.length]).toEqual([[], [], pools]);
  });

  test('all pools with a workload on each', () => {
    const chart = newChart();
    const setup = newSetup(chart, ALL);
    new ResilientDeployment(chart, 'web', { containers: [CONTAINER], minReplicas: 6, zoneCount: 3 });
    new ResilientDeployment(chart, 'api', { containers: [CONTAINER], nodePool: setup.graviton, minReplicas: 3 });
    new ResilientDeployment(chart, 'model', {
      containers: [CONTAINER],
      nodePool: setup.gpu,
      extendedResources: [ExtendedResource.nvidiaGpu(1)],
    });
    newJob(chart, 'training').with(
      new ExtendedResources(ExtendedResource.nvidiaGpu(1)),
      new Resilience({ nodePool: setup.gpu }),
    );
    newJob(chart, 'report').with(new Resilience({ nodePool: setup.batch, capacity: CapacityPlacement.onDemandOnly() }));
    const { findings, notEvaluated, unschedulable } = verdictOf(chart);
    expect([findings, notEvaluated, unschedulable]).toEqual([[], [], []]);
  });

  test('volumes of its StorageClasses, and a DaemonSet of its PriorityClass', () => {
    const chart = newChart();
    const setup = newSetup(chart, {
      storage: { gp3: { isDefault: true }, io2: { iops: 3000 }, efs: { fileSystemId: 'fs-0123456789abcdef0' } },
      daemonSetPriority: {},
    });
    expect(setup.storageClasses.map(({ name }) => name)).toEqual(['gp3', 'io2', 'efs']);
    const claims = [undefined, 'gp3', 'io2'].map((storageClassName, index) =>
      workloads.VolumeClaim.perReplica(`data-${index}`, {
        size: Size.gibibytes(20),
        mountPath: `/data-${index}`,
        storageClassName,
      }),
    );
    new workloads.ResilientStatefulSet(chart, 'db', {
      containers: [CONTAINER],
      volumeClaims: claims,
      capacity: CapacityPlacement.onDemandOnly(),
    });
    new ResilientDeployment(chart, 'web', {
      containers: [CONTAINER],
      volumeClaims: [
        workloads.VolumeClaim.shared('files', {
          size: Size.gibibytes(20),
          mountPath: '/files',
          storageClassName: 'efs',
          accessMode: workloads.VolumeAccessMode.READ_WRITE_MANY,
        }),
      ],
    });
    new kplus.DaemonSet(chart, 'agent', { containers: [CONTAINER] });
    chart.with(new Resilience({ daemonSetPriorityClass: setup.daemonSetPriorityClass?.name }));
    const { findings, notEvaluated, unschedulable, summary } = verdictOf(chart);
    expect([findings, notEvaluated, unschedulable, summary.scheduledPods]).toEqual([[], [], [], 4]);
  });
});

describe('the pools', () => {
  test('with a weighted fallback try spot before on-demand capacity', () => {
    const chart = newChart();
    const setup = newSetup(chart, { general: { purchaseOption: PurchaseOption.SPOT_WITH_WEIGHTED_FALLBACK } });
    expect([setup.general, ...setup.fallbacks].map(({ name, weight }) => [name, weight])).toEqual([
      ['general', 20],
      ['general-on-demand', 10],
    ]);
    expect(['general', 'general-on-demand'].map((name) => capacityTypesOf(chart, name))).toEqual([
      ['spot'],
      ['on-demand'],
    ]);
  });

  test('with a weighted fallback take pods that are pinned to the spot pool on either', () => {
    const chart = newChart();
    const { general } = newSetup(chart, {
      general: { purchaseOption: PurchaseOption.SPOT_WITH_WEIGHTED_FALLBACK },
      zones: nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c'),
    });
    new ResilientDeployment(chart, 'Web', { metadata: { name: 'web' }, nodePool: general, containers: [CONTAINER] });
    const manifest = Testing.synth(chart).find(({ kind }: any) => kind === 'Deployment');
    const { nodeSelector, affinity, topologySpreadConstraints } = manifest.spec.template.spec;
    expect(nodeSelector).toBeUndefined();
    expect(
      affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions,
    ).toContainEqual({ key: 'karpenter.sh/nodepool', operator: 'In', values: ['general', 'general-on-demand'] });
    expect(topologySpreadConstraints[0].minDomains).toBe(2);
  });

  describe('with a weighted fallback', () => {
    const weighted = { purchaseOption: PurchaseOption.SPOT_WITH_WEIGHTED_FALLBACK };
    const setup = newSetup(newChart(), { general: weighted, batch: {} });
    const names = (pools: nodes.NodePool[]) => pools.map(({ name }) => name);

    test('are one list for workloads', () => {
      expect([setup.generalPools, setup.batchPools, setup.gpuPools, setup.gravitonPools].map(names)).toEqual([
        ['general', 'general-on-demand'],
        ['batch'],
        [],
        [],
      ]);
      expect(() => new Resilience({ nodePools: setup.generalPools })).not.toThrow();
    });

    test.each([
      ['nodePool', { nodePool: setup.fallbacks[0] }, 'general-on-demand alone'],
      ['nodePools', { nodePools: [setup.general, setup.batch!] }, 'general alone'],
    ])('refuse workloads that are pinned to one of the two by %s', (property, props, got) => {
      expect(() => new Resilience(props)).toThrow(
        new RegExp(`^Resilience.${property}: must have both NodePools of a pair with weights, .*, got ${got}; `),
      );
    });
  });

  test('of a fallback are returned as a copy', () => {
    const setup = newSetup(newChart(), { general: { purchaseOption: PurchaseOption.SPOT_WITH_WEIGHTED_FALLBACK } });
    setup.fallbacks.pop();
    expect(setup.fallbacks).toHaveLength(1);
  });

  test('without a weighted fallback allow both capacity types, or only on-demand', () => {
    const chart = newChart();
    const setup = newSetup(chart, { gpu: {} });
    expect([setup.fallbacks, setup.graviton, setup.batch, setup.staticCapacity]).toEqual([
      [],
      undefined,
      undefined,
      undefined,
    ]);
    expect(['general', 'gpu'].map((name) => capacityTypesOf(chart, name))).toEqual([
      ['spot', 'on-demand'],
      ['on-demand'],
    ]);
  });

  test('have limits with headroom of 20%, and at least of the largest node', () => {
    const chart = newChart();
    newSetup(chart, { ...ALL, graviton: { cpu: 10 }, gpu: { gpus: 100 } });
    const limits = ['general', 'graviton', 'gpu', 'batch', 'static'].map((name) => specOf(chart, name).limits);
    expect(limits).toEqual([
      { cpu: '480' },
      { cpu: '42' },
      { 'nvidia.com/gpu': '120' },
      { cpu: '240' },
      { nodes: '4' },
    ]);
  });

  test('take nodeClass, labels, taints, disruption and instance types from the options', () => {
    const chart = newChart();
    const nodeClass = nodes.EC2NodeClass.fromEC2NodeClassName(chart, 'Own', 'own');
    newSetup(chart, {
      general: {
        nodeClass,
        labels: { team: 'shop' },
        taints: [{ key: 'team', value: 'shop', effect: nodes.TaintEffect.NO_SCHEDULE }],
        disruption: { consolidationPolicy: nodes.ConsolidationPolicy.WHEN_EMPTY },
        instanceRequirements: [nodes.Requirement.instanceFamily().in(nodes.InstanceFamily.M7I)],
      },
    });
    const { template, disruption } = specOf(chart, 'general');
    expect(template.metadata.labels).toEqual({ team: 'shop' });
    expect(template.spec.nodeClassRef.name).toBe('own');
    expect(template.spec.taints).toEqual([{ key: 'team', value: 'shop', effect: 'NoSchedule' }]);
    expect(template.spec.requirements.map(({ key }: any) => key)).toEqual([
      'karpenter.k8s.aws/instance-family',
      'karpenter.sh/capacity-type',
      'topology.kubernetes.io/zone',
    ]);
    expect([disruption.consolidationPolicy, disruption.budgets.length]).toEqual(['WhenEmpty', 2]);
  });

  test.each<[string, nodes.EC2NodeClassOptions, string | undefined]>([
    ['an image of EKS', { amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')] }, '/dev/xvda'],
    [
      'your own images of a family',
      {
        amiSelectorTerms: [nodes.AmiSelectorTerm.byId('ami-0123456789abcdef1')],
        amiFamily: nodes.AmiFamily.BOTTLEROCKET,
      },
      '/dev/xvdb',
    ],
    [
      'your own images of a custom family',
      {
        amiSelectorTerms: [nodes.AmiSelectorTerm.byId('ami-0123456789abcdef1')],
        amiFamily: nodes.AmiFamily.CUSTOM,
        userData: nodes.UserData.shellScript('true'),
      },
      undefined,
    ],
  ])(
    'have a disk of the size that their images need, if its device is known, with %s',
    (_, nodeClassOptions, deviceName) => {
      const chart = newChart();
      newSetup(chart, { nodeClassOptions, gpu: {} });
      const disks = Testing.synth(chart)
        .filter(({ kind }) => kind === 'EC2NodeClass')
        .flatMap(({ spec }) => spec.blockDeviceMappings ?? []);
      expect(disks).toMatchObject(
        deviceName === undefined
          ? []
          : ['50Gi', '200Gi'].map((volumeSize) => ({ deviceName, ebs: { volumeSize, encrypted: true } })),
      );
    },
  );

  test('need a cluster and an AMI', () => {
    expect(() => new setups.ProductionSetup(newChart(), 'Nodes', {} as setups.ProductionSetupProps)).toThrow(
      "nodes/Nodes/cluster: must be set, got nothing; write for example SetupCluster.byDiscoveryTag('shop', NodeIdentity.role('KarpenterNodeRole-shop'))\n" +
        "nodes/Nodes/nodeClassOptions: must be set, got nothing; write for example { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] }",
    );
  });

  test.each<[string, Partial<setups.ProductionSetupProps>, string]>([
    [
      '0 vCPUs',
      { general: { cpu: 0 } },
      'nodes/Nodes/general.cpu: must be a whole number from 1, got 0; write for example 8',
    ],
    [
      'a number of vCPUs that is known only at deployment',
      { general: { cpu: -1.8881545897087827e289 } },
      'nodes/Nodes/general.cpu: must be a whole number from 1, got a token, whose value is known only at deployment; write for example 8',
    ],
    [
      'half a GPU',
      { gpu: { gpus: 0.5 } },
      'nodes/Nodes/gpu.gpus: must be a whole number from 1, got 0.5; write for example 8',
    ],
  ])('cannot have %s', (_, props, message) => expect(() => newSetup(newChart(), props)).toThrow(new Error(message)));
});
