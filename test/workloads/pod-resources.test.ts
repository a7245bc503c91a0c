import { ApiObject, Chart, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { newChart, podOf, workload, written } from './fixtures';
import * as workloads from '../../src/workloads';

const {
  ExtendedResource,
  ExtendedResources,
  Resilience,
  ResilientDeployment,
  ResilientStatefulSet,
  VolumeClaim,
  VolumeClaims,
} = workloads;
const CONTAINER: kplus.ContainerProps = {
  name: 'main',
  image: 'app',
  resources: { memory: { request: Size.gibibytes(1) } },
};
const DATA = { size: Size.gibibytes(20), mountPath: '/var/lib/data', storageClassName: 'gp3' };
const CLAIM_SPEC = {
  accessModes: ['ReadWriteOnce'],
  storageClassName: 'gp3',
  resources: { requests: { storage: '20Gi' } },
};

function apiObject(chart: Chart, kind: string, fields = {}): ApiObject {
  return new ApiObject(chart, kind, workload(kind, fields));
}

describe('extended resources', () => {
  test.each([
    [ExtendedResource.nvidiaGpu(2), { 'nvidia.com/gpu': '2' }],
    [ExtendedResource.amdGpu(1), { 'amd.com/gpu': '1' }],
    [ExtendedResource.neuron(16), { 'aws.amazon.com/neuron': '16' }],
    [ExtendedResource.neuronCore(2), { 'aws.amazon.com/neuroncore': '2' }],
    [ExtendedResource.efa(4), { 'vpc.amazonaws.com/efa': '4' }],
    [ExtendedResource.of('habana.ai/gaudi', 8), { 'habana.ai/gaudi': '8' }],
  ])('are requests and limits of the first container of a ResilientDeployment: %#', (resource, amounts) => {
    const chart = newChart();
    new ResilientDeployment(chart, 'it', { containers: [CONTAINER], extendedResources: [resource] });
    const [{ resources }] = podOf(written(chart, 'Deployment')).containers;
    expect(resources).toEqual({ requests: { memory: '1024Mi', ...amounts }, limits: { memory: '1024Mi', ...amounts } });
  });

  test('go to the container that is named', () => {
    const chart = newChart();
    const web = new ResilientDeployment(chart, 'it', {
      containers: [CONTAINER],
      extendedResources: [ExtendedResource.nvidiaGpu(1).inContainer('model')],
    });
    web.addContainer({ ...CONTAINER, name: 'model' });
    const [main, model] = podOf(written(chart, 'Deployment')).containers;
    expect([main.resources.limits['nvidia.com/gpu'], model.resources.limits['nvidia.com/gpu']]).toEqual([
      undefined,
      '1',
    ]);
  });

  test.each(['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet', 'Job', 'CronJob'])(
    'are added to any %s by the mixin',
    (kind) => {
      const chart = newChart();
      apiObject(chart, kind).with(new ExtendedResources(ExtendedResource.neuron(1), ExtendedResource.efa(1)));
      const [{ resources }] = podOf(written(chart, kind)).containers;
      const amounts = { 'aws.amazon.com/neuron': '1', 'vpc.amazonaws.com/efa': '1' };
      expect(resources).toEqual({ requests: amounts, limits: amounts });
    },
  );

  test('keep the sorted keys of cdk8s', () => {
    const chart = newChart();
    new kplus.Job(chart, 'it', { containers: [CONTAINER] }).with(new ExtendedResources(ExtendedResource.nvidiaGpu(1)));
    expect(Object.keys(podOf(written(chart, 'Job')).containers[0].resources)).toEqual(['limits', 'requests']);
  });

  test('that are added twice have the later count', () => {
    const chart = newChart();
    apiObject(chart, 'Job')
      .with(new ExtendedResources(ExtendedResource.neuron(1)))
      .with(new ExtendedResources(ExtendedResource.neuron(2)));
    expect(podOf(written(chart, 'Job')).containers[0].resources.limits).toEqual({ 'aws.amazon.com/neuron': '2' });
  });

  test.each<[string, () => unknown, string]>([
    [
      'a fraction',
      () => ExtendedResource.nvidiaGpu(0.5),
      'ExtendedResource: the count of nvidia.com/gpu must be a whole number from 1, because devices cannot be divided, got 0.5; write for example 1',
    ],
    [
      'a token',
      () => ExtendedResource.nvidiaGpu(-1.8881545897087827e289),
      'ExtendedResource: the count of nvidia.com/gpu must be a whole number from 1, because devices cannot be divided, got a token, whose value is known only at deployment; write for example 1',
    ],
    [
      'zero',
      () => ExtendedResource.efa(0),
      'ExtendedResource: the count of vpc.amazonaws.com/efa must be a whole number from 1, because devices cannot be divided, got 0; write for example 1',
    ],
    [
      'a resource without a domain',
      () => ExtendedResource.of('gpu', 1),
      'ExtendedResource.of: must be a name with a domain of its own, got "gpu"; write for example nvidia.com/gpu',
    ],
    [
      'a domain of Kubernetes',
      () => ExtendedResource.of('node.kubernetes.io/gpu', 1),
      'ExtendedResource.of: must be a name with a domain of its own, got "node.kubernetes.io/gpu"; write for example nvidia.com/gpu',
    ],
    [
      'no resource',
      () => new ExtendedResources(),
      'ExtendedResources: must have at least one resource, got none; write for example ExtendedResource.nvidiaGpu(1)',
    ],
    [
      'the same resource twice',
      () => new ExtendedResources(ExtendedResource.efa(1), ExtendedResource.efa(2)),
      'ExtendedResources: a container can have vpc.amazonaws.com/efa once, got it twice; add up the counts',
    ],
  ])('cannot be %s', (_, build, message) => expect(build).toThrow(new Error(message)));

  test('cannot be the same resource for the first container and for its name', () => {
    const chart = newChart();
    apiObject(chart, 'Job').with(
      new ExtendedResources(ExtendedResource.neuron(1), ExtendedResource.neuron(2).inContainer('main')),
    );
    expect(() => Testing.synth(chart)).toThrow(
      'chart/Job: a container can have aws.amazon.com/neuron once, got it twice for main; add up the counts',
    );
  });

  test('cannot go to a container that does not exist', () => {
    const chart = newChart();
    apiObject(chart, 'Job').with(new ExtendedResources(ExtendedResource.neuron(1).inContainer('model')));
    expect(() => Testing.synth(chart)).toThrow(
      'chart/Job: the pod must have a container model, got main; write one of these names',
    );
  });
});

describe('volume claims', () => {
  test('for each replica are claim templates of a ResilientStatefulSet, with a mount', () => {
    const chart = newChart();
    new ResilientStatefulSet(chart, 'db', {
      containers: [{ ...CONTAINER, portNumber: 80 }],
      volumeClaims: [VolumeClaim.perReplica('data', DATA)],
    });
    const manifest = written(chart, 'StatefulSet');
    expect(manifest.spec.volumeClaimTemplates).toEqual([{ metadata: { name: 'data' }, spec: CLAIM_SPEC }]);
    expect(podOf(manifest).containers[0].volumeMounts).toEqual([{ name: 'data', mountPath: '/var/lib/data' }]);
    expect(podOf(manifest)).not.toHaveProperty('volumes');
  });

  test('for each pod are ephemeral volumes', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', {
      containers: [CONTAINER],
      volumeClaims: [VolumeClaim.perPod('scratch', DATA)],
    });
    const pod = podOf(written(chart, 'Deployment'));
    expect(pod.volumes).toEqual([{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: CLAIM_SPEC } } }]);
    expect(pod.containers[0].volumeMounts).toEqual([{ name: 'scratch', mountPath: '/var/lib/data' }]);
  });

  test('that all pods share create a PersistentVolumeClaim in the namespace of the workload', () => {
    const chart = newChart();
    const accessMode = workloads.VolumeAccessMode.READ_WRITE_MANY;
    const shared = VolumeClaim.shared('uploads', {
      ...DATA,
      storageClassName: undefined,
      accessMode,
      container: 'main',
    });
    new ResilientDeployment(chart, 'web', {
      metadata: { name: 'web', namespace: 'shop' },
      containers: [CONTAINER],
      volumeClaims: [shared],
    });
    const claim = written(chart, 'PersistentVolumeClaim');
    expect(claim.metadata).toMatchObject({ name: 'web-uploads', namespace: 'shop' });
    expect(claim.spec).toEqual({ accessModes: ['ReadWriteMany'], resources: { requests: { storage: '20Gi' } } });
    expect(podOf(written(chart, 'Deployment')).volumes).toEqual([
      { name: 'uploads', persistentVolumeClaim: { claimName: 'web-uploads' } },
    ]);
  });

  test.each([
    ['before', true],
    ['after', false],
  ])('count for safeguards if they are added %s Resilience', (_, first) => {
    const chart = newChart();
    const mixins = [new VolumeClaims(VolumeClaim.shared('data', DATA)), new Resilience({ zoneCount: 3 })];
    apiObject(chart, 'Deployment').with(...(first ? mixins : mixins.reverse()));
    const manifest = written(chart, 'Deployment');
    expect(manifest.spec.replicas).toBe(1);
    expect(podOf(manifest).containers[0].volumeMounts).toHaveLength(1);
  });

  test('are added to several containers, and to Jobs', () => {
    const chart = newChart();
    const perContainer = ['main', 'init'].map((container) =>
      VolumeClaim.perPod(`scratch-${container}`, { ...DATA, container }),
    );
    apiObject(chart, 'Job', { pod: { initContainers: [{ name: 'init' }] } }).with(new VolumeClaims(...perContainer));
    const { volumes, containers, initContainers } = podOf(written(chart, 'Job'));
    expect([volumes.length, containers[0].volumeMounts[0].name, initContainers[0].volumeMounts[0].name]).toEqual([
      2,
      'scratch-main',
      'scratch-init',
    ]);
  });

  test.each<[string, () => unknown, string]>([
    [
      'have an upper-case name',
      () => VolumeClaim.perPod('Data', DATA),
      'VolumeClaim.perPod: the name must have at most 63 lower-case letters, digits or hyphens, got "Data"; write for example data',
    ],
    [
      'have no size',
      () => VolumeClaim.shared('data', { ...DATA, size: Size.gibibytes(0) }),
      'VolumeClaim.shared.size: must be above zero, got 0Gi; write for example Size.gibibytes(20)',
    ],
    [
      'have a relative path',
      () => VolumeClaim.perReplica('data', { ...DATA, mountPath: 'data' }),
      'VolumeClaim.perReplica.mountPath: must be an absolute path without a colon, got "data"; write for example /var/lib/data',
    ],
    [
      'have an empty StorageClass',
      () => VolumeClaim.perReplica('data', { ...DATA, storageClassName: '' }),
      'VolumeClaim.perReplica.storageClassName: must name a StorageClass, because no volume is created without one, got ""; leave it out for the default of the cluster',
    ],
    [
      'be none',
      () => new VolumeClaims(),
      'VolumeClaims: must have at least one claim, got none; write for example VolumeClaim.perPod(…)',
    ],
    [
      'have the same name',
      () => new VolumeClaims(VolumeClaim.perPod('data', DATA), VolumeClaim.shared('data', DATA)),
      'VolumeClaims: the volumes of a pod must have different names, got data twice; rename one of them',
    ],
  ])('cannot %s', (_, build, message) => expect(build).toThrow(new Error(message)));

  test('for each replica are refused for a Deployment', () => {
    expect(
      () =>
        new ResilientDeployment(newChart(), 'web', {
          containers: [CONTAINER],
          volumeClaims: [VolumeClaim.perReplica('data', DATA)],
        }),
    ).toThrow(
      "chart/web/Resource: a volume for each replica needs a StatefulSet, got a Deployment with VolumeClaim.perReplica('data'); " +
        'write VolumeClaim.perPod for a volume that is deleted with its pod, or VolumeClaim.shared for one volume of all pods',
    );
  });

  test.each([
    [
      'a name of an existing volume',
      VolumeClaim.perPod('tmp', DATA),
      'the volumes of a pod must have different names, got tmp twice; rename one of them',
    ],
    [
      'a path of an existing mount',
      VolumeClaim.perPod('data', { ...DATA, mountPath: '/tmp' }),
      'each volume of container main needs a path of its own, got /tmp for tmp and data; change one of them',
    ],
  ])('are refused with %s', (_, claim, message) => {
    const chart = newChart();
    const mounted = {
      container: { volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] },
      pod: { volumes: [{ name: 'tmp', emptyDir: {} }] },
    };
    apiObject(chart, 'Deployment', mounted).with(new VolumeClaims(claim));
    expect(() => Testing.synth(chart)).toThrow(`chart/Deployment: ${message}`);
  });
});
