import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { kindsOf, newChart, workload, written } from './fixtures';
import * as workloads from '../../src/workloads';

const { Resilience, Safeguard } = workloads;
const KIND = 'PodDisruptionBudget';
const budget = (spec: object, metadata: object = {}) => ({
  apiVersion: 'policy/v1',
  kind: KIND,
  metadata: { name: 'own', ...metadata },
  spec,
});
const OWN = { selector: { matchLabels: { app: 'web' } }, minAvailable: 1 };

describe('the PodDisruptionBudget', () => {
  test('allows one eviction at a time, and always evictions of unready pods', () => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload('Deployment', { metadata: { namespace: 'shop' } })).with(new Resilience());
    expect(written(chart, KIND)).toEqual({
      apiVersion: 'policy/v1',
      kind: KIND,
      metadata: { name: 'web', namespace: 'shop' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    });
  });

  test('allows as many evictions as maxUnavailable if there are more pods', () => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload('StatefulSet')).with(
      new Resilience(),
      new Resilience({ minReplicas: 9, maxUnavailable: 3 }),
    );
    expect(written(chart, KIND).spec.maxUnavailable).toBe(3);
  });

  test.each([
    [3, 2],
    [2, 1],
    [1, 1],
    [0, 1],
    [9, 3],
  ])('for a workload with %d replicas allows at most %d evictions at a time', (replicas, most) => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload('Deployment', { spec: { replicas } })).with(
      new Resilience({ minReplicas: 9, maxUnavailable: 3 }),
    );
    expect(written(chart, KIND).spec.maxUnavailable).toBe(most);
  });

  test('uses the minimum of an autoscaler', () => {
    const chart = newChart();
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const spec = { scaleTargetRef, minReplicas: 3, maxReplicas: 9 };
    new ApiObject(chart, 'scaler', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec,
    });
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience({ minReplicas: 9, maxUnavailable: 3 }));
    expect(written(chart, KIND).spec.maxUnavailable).toBe(2);
  });

  test('uses the final selector of the workload', () => {
    const chart = newChart();
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] };
    new ApiObject(chart, 'it', { ...workload('Deployment'), spec: { ...workload('Deployment').spec, selector } }).with(
      new Resilience(),
    );
    expect(written(chart, KIND).spec.selector).toEqual(selector);
  });

  test.each(['DaemonSet', 'Job', 'CronJob'])('is not created for a %s', (kind) => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload(kind)).with(new Resilience());
    expect(kindsOf(chart)).toEqual([kind]);
  });

  test('is not created if another PodDisruptionBudget selects the pods', () => {
    const chart = newChart();
    new ApiObject(chart, 'own', budget(OWN));
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    expect(written(chart, KIND).spec).toEqual(OWN);
  });

  test.each([
    ['List', budget(OWN)],
    ['PodDisruptionBudgetList', { metadata: { name: 'own' }, spec: OWN }],
  ])('is not made where another guards the pods from within a %s', (kind, item) => {
    const chart = newChart();
    const items = [{ ...item, metadata: { name: 'other', namespace: 'other' } }, null, item];
    new ApiObject(chart, 'own', { apiVersion: kind === 'List' ? 'v1' : 'policy/v1', kind, items } as any);
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    expect(kindsOf(chart)).toEqual([kind, 'Deployment']);
  });

  test.each([[['canary', 'stable']], [['stable', 'canary']]])(
    'covers the pods of all workloads that the selector matches, with %j in this order',
    (names) => {
      const chart = newChart();
      const labels: Record<string, Record<string, string>> = {
        stable: { app: 'web' },
        canary: { app: 'web', track: 'canary' },
      };
      names.forEach(
        (name) => new ApiObject(chart, name, workload('Deployment', { metadata: { name }, labels: labels[name] })),
      );
      new ApiObject(chart, 'other', workload('Deployment', { metadata: { name: 'other', namespace: 'other' } }));
      chart.with(new Resilience(), new Resilience());
      expect(
        Testing.synth(chart)
          .filter(({ kind }: any) => kind === KIND)
          .map(({ metadata }: any) => metadata.name),
      ).toEqual(['stable', 'other']);
    },
  );

  test('is created beside a List of other objects', () => {
    const chart = newChart();
    const spec = { selector: { matchLabels: { app: 'web' } } };
    new ApiObject(chart, 'own', {
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'ConfigMap', spec }, budget({ minAvailable: 1 })],
    } as any);
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    expect(kindsOf(chart)).toEqual(['List', 'Deployment', KIND]);
  });

  test.each([
    ['of another namespace', budget(OWN, { namespace: 'other' })],
    ['of other pods', budget({ ...OWN, selector: { matchLabels: { app: 'api' } } })],
    ['without a selector', budget({ minAvailable: 1 })],
  ])('is made beside one %s', (_, other) => {
    const chart = newChart();
    new ApiObject(chart, 'own', other);
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    expect(kindsOf(chart)).toEqual([KIND, 'Deployment', KIND]);
  });

  test('uses the namespace that a patch gives the workload', () => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    ApiObject.of(chart.node.findChild('it')).addJsonPatch(JsonPatch.add('/metadata/namespace', 'shop'));
    expect(written(chart, KIND).metadata).toEqual({ name: 'web', namespace: 'shop' });
  });

  test('is not created if another PodDisruptionBudget selects the pods in the patched namespace, or in default', () => {
    const chart = newChart();
    for (const object of [
      new ApiObject(chart, 'own', budget(OWN)),
      new ApiObject(chart, 'it', workload('Deployment')),
    ]) {
      object.addJsonPatch(JsonPatch.add('/metadata/namespace', 'shop'));
    }
    new ApiObject(chart, 'other', budget(OWN, { name: 'other', namespace: 'default' }));
    new ApiObject(chart, 'plain', workload('StatefulSet'));
    chart.with(new Resilience());
    expect(kindsOf(chart)).toEqual([KIND, 'Deployment', KIND, 'StatefulSet']);
  });

  test('is created for the same workload in each chart, because charts can be for different clusters', () => {
    const app = Testing.app();
    const charts = ['staging', 'production'].map((stage) => new Chart(app, stage));
    charts.forEach((chart) => new ApiObject(chart, 'it', workload('Deployment')));
    charts.forEach((chart) => chart.with(new Resilience()));
    expect(charts.map(kindsOf)).toEqual([
      ['Deployment', KIND],
      ['Deployment', KIND],
    ]);
    expect(charts.map((chart) => written(chart, KIND).metadata.name)).toEqual(['web', 'web']);
  });

  test('gets another name if its name is taken', () => {
    const chart = newChart();
    new ApiObject(
      chart,
      'other',
      budget({ selector: { matchLabels: { app: 'api' } }, minAvailable: 1 }, { name: 'web' }),
    );
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    expect(Testing.synth(chart).map(({ metadata }: any) => metadata.name)).toEqual(['web', 'web', 'web-deployment']);
  });

  test('rejects a second PodDisruptionBudget that is added later', () => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    new ApiObject(chart, 'own', budget(OWN));
    expect(() => Testing.synth(chart)).toThrow(
      'chart/it: must have only one PodDisruptionBudget, because a pod with two can never be evicted, got chart/own as well; ' +
        'remove that one, or waive Safeguard.POD_DISRUPTION_BUDGET with a reason',
    );
  });

  test('is removed in favour of the second one if it is waived', () => {
    const chart = newChart();
    const web = new ApiObject(chart, 'it', workload('Deployment')).with(new Resilience());
    new ApiObject(chart, 'own', budget(OWN));
    web.with(
      new Resilience({ waivers: [{ safeguard: Safeguard.POD_DISRUPTION_BUDGET, reason: 'there is chart/own' }] }),
    );
    expect(written(chart, KIND).spec).toEqual(OWN);
  });
});
