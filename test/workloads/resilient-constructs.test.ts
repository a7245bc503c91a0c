import { ApiObject, Duration, JsonPatch, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { kindsOf, newChart, notesOf, podOf, written } from './fixtures';
import * as workloads from '../../src/workloads';

const { ResilientDeployment, ResilientStatefulSet, Safeguard } = workloads;
const CONTAINER = { image: 'nginx', portNumber: 80 };

describe('ResilientDeployment', () => {
  test('is a Deployment with all safeguards and no notes', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', { containers: [CONTAINER] });
    const deployment = written(chart, 'Deployment');
    expect(deployment.spec.replicas).toBe(2);
    expect(podOf(deployment).topologySpreadConstraints).toHaveLength(2);
    expect(podOf(deployment).topologySpreadConstraints[0].labelSelector).toEqual(deployment.spec.selector);
    expect(written(chart, 'PodDisruptionBudget').spec).toMatchObject({
      maxUnavailable: 1,
      selector: deployment.spec.selector,
    });
    expect(notesOf(deployment)).toEqual({});
  });

  test('overrides the default replica count of cdk8s-plus', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', { containers: [CONTAINER], minReplicas: 6 });
    expect(written(chart, 'Deployment').spec.replicas).toBe(6);
  });

  test('keeps values of the props', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', {
      containers: [CONTAINER],
      replicas: 1,
      terminationGracePeriod: Duration.minutes(10),
    });
    const deployment = written(chart, 'Deployment');
    expect([deployment.spec.replicas, podOf(deployment).terminationGracePeriodSeconds]).toEqual([1, 600]);
    expect(Object.keys(notesOf(deployment))).toEqual(['replicas', 'termination-grace']);
  });

  test('limits memory to the request, also in containers that are added later', () => {
    const chart = newChart();
    const web = new ResilientDeployment(chart, 'web', { containers: [CONTAINER] });
    web.addContainer({ image: 'log', name: 'log', resources: { memory: { request: Size.mebibytes(64) } } });
    web.addContainer({ image: 'proxy', name: 'proxy' });
    const memory = podOf(written(chart, 'Deployment')).containers.map(({ resources }: any) => [
      resources.requests.memory,
      resources.limits.memory,
    ]);
    expect(memory).toEqual([
      ['512Mi', '512Mi'],
      ['64Mi', '64Mi'],
      ['512Mi', '512Mi'],
    ]);
  });

  test.each([
    ['ResilientDeployment', ResilientDeployment, 'Deployment'],
    ['ResilientStatefulSet', ResilientStatefulSet, 'StatefulSet'],
  ])('limits the memory of the init containers of a %s too', (_, Resilient, kind) => {
    const chart = newChart();
    const init = { image: 'migrate', name: 'migrate' };
    new Resilient(chart, 'web', { containers: [CONTAINER], initContainers: [init] }).addInitContainer({
      ...init,
      name: 'more',
    });
    const manifest = written(chart, kind);
    expect(podOf(manifest).initContainers.map(({ resources }: any) => resources.limits.memory)).toEqual([
      '512Mi',
      '512Mi',
    ]);
    expect(notesOf(manifest)).not.toHaveProperty('memory-limit');
  });

  test('accepts containers that are added later', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web').addContainer(CONTAINER);
    new kplus.Deployment(chart, 'api').with(new workloads.Resilience());
    (chart.node.findChild('api') as kplus.Deployment).addContainer(CONTAINER);
    expect(kindsOf(chart)).toEqual(['Deployment', 'PodDisruptionBudget', 'Deployment', 'PodDisruptionBudget']);
  });

  test('leaves the replicas to an autoscaler', () => {
    const chart = newChart();
    const target = new ResilientDeployment(chart, 'web', { containers: [CONTAINER] });
    new kplus.HorizontalPodAutoscaler(chart, 'scaler', { target, minReplicas: 6, maxReplicas: 9 });
    const { spec } = written(chart, 'Deployment');
    expect([spec.replicas, spec.template.spec.topologySpreadConstraints[1].maxSkew]).toEqual([undefined, 2]);
  });

  test('omits replicas with an autoscaler from elsewhere, and notes minReplicas that are too low', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', { containers: [CONTAINER], metadata: { name: 'web' } });
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const scaler: any = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'own' },
      spec: { scaleTargetRef, maxReplicas: 9 },
    };
    new ApiObject(chart, 'scaler', scaler);
    expect(written(chart, 'Deployment').spec).not.toHaveProperty('replicas');
    expect(notesOf(written(chart, 'Deployment'))).toEqual({
      replicas: 'as written: 1, by HorizontalPodAutoscaler own',
    });
    chart.with(new workloads.Resilience());
    expect([written(chart, 'HorizontalPodAutoscaler').spec.minReplicas, notesOf(written(chart, 'Deployment'))]).toEqual(
      [2, {}],
    );
  });

  test.each<[string, object, object, Record<string, string>]>([
    ['KEDA that may keep none, which switches it off', { name: 'web' }, {}, {}],
    [
      'KEDA that keeps one',
      { name: 'web' },
      { minReplicaCount: 1 },
      { replicas: 'as written: 1, by ScaledObject own' },
    ],
    ['KEDA of something else, which decides nothing', { kind: 'StatefulSet', name: 'web' }, { minReplicaCount: 1 }, {}],
  ])('leaves the replicas to an autoscaler of %s', (_, scaleTargetRef, fields, notes) => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', { containers: [CONTAINER], metadata: { name: 'web' } });
    new ApiObject(chart, 'scaler', {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name: 'own' },
      spec: { scaleTargetRef, ...fields },
    } as any);
    expect([written(chart, 'Deployment').spec.replicas, notesOf(written(chart, 'Deployment'))]).toEqual([
      'kind' in scaleTargetRef ? 2 : undefined,
      notes,
    ]);
  });

  test('keeps patched values', () => {
    const chart = newChart();
    const web = new ResilientDeployment(chart, 'web', { containers: [CONTAINER] });
    ApiObject.of(web).addJsonPatch(JsonPatch.replace('/spec/replicas', 1));
    expect(written(chart, 'Deployment').spec.replicas).toBe(1);
  });

  test('extends the default grace period of cdk8s-plus by the preStopDelay', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', { containers: [CONTAINER], preStopDelay: Duration.seconds(80) });
    const {
      terminationGracePeriodSeconds,
      containers: [{ lifecycle }],
    } = podOf(written(chart, 'Deployment'));
    expect([terminationGracePeriodSeconds, lifecycle.preStop.sleep.seconds]).toEqual([110, 80]);
  });

  test('leaves out waived safeguards', () => {
    const chart = newChart();
    new ResilientDeployment(chart, 'web', {
      containers: [CONTAINER],
      waivers: [{ safeguard: Safeguard.POD_DISRUPTION_BUDGET, reason: 'a demo' }],
    });
    expect(kindsOf(chart)).toEqual(['Deployment']);
  });
});

describe('ResilientStatefulSet', () => {
  test('is a StatefulSet with all safeguards, and a service', () => {
    const chart = newChart();
    new ResilientStatefulSet(chart, 'db', { containers: [CONTAINER], minReplicas: 3, maxUnavailable: 2 });
    expect(kindsOf(chart).sort()).toEqual(['PodDisruptionBudget', 'Service', 'StatefulSet']);
    expect([
      written(chart, 'StatefulSet').spec.replicas,
      written(chart, 'PodDisruptionBudget').spec.maxUnavailable,
    ]).toEqual([3, 2]);
  });

  test('limits memory to the request', () => {
    const chart = newChart();
    new ResilientStatefulSet(chart, 'db', { containers: [CONTAINER] }).addContainer({ image: 'proxy', name: 'proxy' });
    expect(
      podOf(written(chart, 'StatefulSet')).containers.map(({ resources }: any) => resources.limits.memory),
    ).toEqual(['512Mi', '512Mi']);
  });
});
