import { autoscaler, daemonSet, deployment, judge, manifest, nodeClass, nodePool } from './helper';
import { PdbBlocksEverything } from '../../../src/validation/rules/pdb-blocks-everything';

const rule = new PdbBlocksEverything();
const web = (replicas: unknown) => deployment('web', {}, { replicas });
const budget = (fields: object, metadata: object = {}) =>
  manifest('policy/v1', 'PodDisruptionBudget', 'web-pdb', { selector: { matchLabels: { app: 'web' } }, ...fields }, metadata);
const stateOf = (fields: object, replicas: unknown) => judge(rule, [web(replicas), budget(fields)]).states;

describe('KARP-403 pdb-blocks-everything', () => {
  test.each<[object, number]>([
    [{ maxUnavailable: 0 }, 3],
    [{ maxUnavailable: '0%' }, 3],
    [{ minAvailable: '100%' }, 3],
    [{ minAvailable: 3 }, 3],
    [{ minAvailable: 4 }, 3],
    [{ minAvailable: 1 }, 1],
    [{ minAvailable: '51%' }, 2],
    [{ minAvailable: '67%' }, 3],
    [{ minAvailable: '1%' }, 1],
    [{}, 3],
  ])('fails for %j with %d replicas', (fields, replicas) => {
    expect(stateOf(fields, replicas)).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test.each<[object, number]>([
    [{ maxUnavailable: 1 }, 1],
    [{ maxUnavailable: '1%' }, 1],
    [{ minAvailable: '50%' }, 2],
    [{ minAvailable: '66%' }, 3],
    [{ minAvailable: 2 }, 3],
    [{ minAvailable: 0 }, 1],
    [{ minAvailable: 1 }, 0],
  ])('passes %j with %d replicas', (fields, replicas) => {
    expect(stateOf(fields, replicas)).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('shows the rounding', () => {
    const [finding] = judge(rule, [web(2), budget({ minAvailable: '51%' })]).findings;
    expect(finding.message).toContain('minAvailable 51% of 2 = 2, rounded up');
    expect(finding.message).toContain('Deployment web');
    expect(finding.object.locate(finding.path).path).toBe('spec.minAvailable');
  });

  test('does not call a drain endless that the terminationGracePeriod of every node ends', () => {
    const said = (...pools: string[]) => judge(rule, [nodeClass(), ...pools, web(2), budget({ maxUnavailable: 0 })]).findings[0].message;
    expect(said(nodePool('default'))).toContain('can drain no node that runs them, be it to consolidate, for drift or after expiry');
    expect(said(nodePool('default', { terminationGracePeriod: '1h' }))).toContain('consolidates no node that runs them, and for drift and after expiry drains it for');
  });

  test('counts the replicas of all workloads that it selects', () => {
    const other = manifest('apps/v1', 'StatefulSet', 'db', {
      replicas: 1, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    });
    expect(judge(rule, [web(1), other, budget({ minAvailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [web(1), other, budget({ minAvailable: 2 })]).states).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test('goes by the smallest number that a HorizontalPodAutoscaler keeps', () => {
    const scaler = (minReplicas?: number) => manifest('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas, maxReplicas: 9,
    });
    expect(judge(rule, [web(5), scaler(2), budget({ minAvailable: 2 })]).findings[0].message).toContain('minReplicas of HorizontalPodAutoscaler web');
    expect(judge(rule, [web(5), scaler(), budget({ minAvailable: 1 })]).states).toEqual(['fail PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [web(undefined), scaler(3), budget({ minAvailable: 2 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('goes by no HorizontalPodAutoscaler where the replicas are 0, which turns it off', () => {
    expect(judge(rule, [web(0), autoscaler({ minReplicas: 1 }), budget({ minAvailable: 1 })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('selects by expressions, within the namespace only', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] };
    expect(stateOf({ selector, minAvailable: 3 }, 3)).toEqual(['fail PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [web(3), budget({ minAvailable: 3 }, { namespace: 'other' })]).states).toEqual(['not-evaluated PodDisruptionBudget/web-pdb']);
  });

  test('an empty selector selects the whole namespace', () => {
    expect(stateOf({ selector: {}, minAvailable: 3 }, 3)).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test('fails even where its pods are not in the input, if it never allows an eviction', () => {
    expect(judge(rule, [budget({ maxUnavailable: 0 })]).states).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test('is not evaluated where the number of pods is not known', () => {
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [budget({ minAvailable: 1 })]).whys).toEqual(['it selects no workload of the input']);
    expect(judge(rule, [daemonSet('web', {}), budget({ minAvailable: 1 })]).states).toEqual(['not-evaluated PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [web(2), keda, budget({ minAvailable: 2 })]).states).toEqual(['not-evaluated PodDisruptionBudget/web-pdb']);
  });

  test('does not apply without a selector, or to pods on nodes that Karpenter does not make', () => {
    const managed = deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } }, { replicas: 1 });
    expect(stateOf({ selector: undefined, maxUnavailable: 0 }, 3)).toEqual([]);
    expect(judge(rule, [managed, budget({ maxUnavailable: 0 })]).outcomes).toEqual([]);
    expect(judge(rule, [web(3)]).outcomes).toEqual([]);
  });
});
