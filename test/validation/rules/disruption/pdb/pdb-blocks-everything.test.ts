import { pdbBlocksEverything } from '../../../../../src/validation/rules/disruption/pdb/pdb-blocks-everything';
import { autoscaler, daemonSet, deployment, judge, manifest, nodeClass, nodePool } from '../../judge';

const rule = pdbBlocksEverything;
const web = (replicas: unknown) => deployment('web', {}, { replicas });
const budget = (fields: object, metadata: object = {}) =>
  manifest(
    'policy/v1',
    'PodDisruptionBudget',
    'web-pdb',
    { selector: { matchLabels: { app: 'web' } }, ...fields },
    metadata,
  );
const stateOf = (fields: object, replicas: unknown) => judge(rule, [web(replicas), budget(fields)]).states;

describe('KARP-403 pdb-blocks-everything', () => {
  test('advises no second replica if two pods may not run at the same time', () => {
    const remedyOf = (strategy: object) =>
      judge(rule, [deployment('web', {}, { replicas: 1, strategy }), budget({ minAvailable: 1 })]).findings[0].remedy;
    expect(remedyOf({})).toMatch(/^run at least 2 replicas/);
    expect(remedyOf({ type: 'Recreate' })).not.toContain('replicas');
  });

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
  ])('reports %j with %d replicas', (fields, replicas) => {
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

  test('shows the rounded percentage', () => {
    const [finding] = judge(rule, [web(2), budget({ minAvailable: '51%' })]).findings;
    expect(finding.message).toContain(
      'minAvailable 51% of 2 replicas (rounded up to 2) allows no eviction of Deployment web, even while all 2 pods are healthy; ',
    );
    expect(finding.message).toContain('Deployment web');
    expect(finding.object.locate(finding.path).path).toBe('spec.minAvailable');
  });

  test('says that a drain ends with EKS Auto Mode, which adds a terminationGracePeriod', () => {
    const autoPool = nodePool('default', {
      nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
    });
    const [{ message }] = judge(rule, [autoPool, web(2), budget({ maxUnavailable: 0 })]).findings;
    expect(message).toContain('after drift or expiry a drain lasts the whole terminationGracePeriod');
  });

  test('says that a drain lasts the terminationGracePeriod if every NodePool has one', () => {
    const messageWith = (...pools: string[]) =>
      judge(rule, [nodeClass(), ...pools, web(2), budget({ maxUnavailable: 0 })]).findings[0].message;
    expect(messageWith(nodePool('default'))).toContain(
      'Karpenter can never drain their nodes, neither to consolidate nor after drift or expiry',
    );
    expect(messageWith(nodePool('default', { terminationGracePeriod: '1h' }))).toContain(
      'cannot consolidate their nodes, and after drift or expiry a drain lasts the whole terminationGracePeriod',
    );
  });

  test('adds up the replicas of all selected workloads', () => {
    const other = manifest('apps/v1', 'StatefulSet', 'db', {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    });
    expect(judge(rule, [web(1), other, budget({ minAvailable: 1 })]).states).toEqual([
      'pass PodDisruptionBudget/web-pdb',
    ]);
    expect(judge(rule, [web(1), other, budget({ minAvailable: 2 })]).states).toEqual([
      'fail PodDisruptionBudget/web-pdb',
    ]);
  });

  test('uses minReplicas of a HorizontalPodAutoscaler', () => {
    const scaler = (minReplicas?: number) =>
      manifest('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas,
        maxReplicas: 9,
      });
    expect(judge(rule, [web(5), scaler(2), budget({ minAvailable: 2 })]).findings[0].message).toContain(
      'minReplicas of HorizontalPodAutoscaler web',
    );
    expect(judge(rule, [web(5), scaler(), budget({ minAvailable: 1 })]).states).toEqual([
      'fail PodDisruptionBudget/web-pdb',
    ]);
    expect(judge(rule, [web(undefined), scaler(3), budget({ minAvailable: 2 })]).states).toEqual([
      'pass PodDisruptionBudget/web-pdb',
    ]);
  });

  test('ignores a HorizontalPodAutoscaler of a workload with 0 replicas', () => {
    expect(judge(rule, [web(0), autoscaler({ minReplicas: 1 }), budget({ minAvailable: 1 })]).states).toEqual([
      'pass PodDisruptionBudget/web-pdb',
    ]);
  });

  test('selects pods by expressions, only in its own namespace', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] };
    expect(stateOf({ selector, minAvailable: 3 }, 3)).toEqual(['fail PodDisruptionBudget/web-pdb']);
    expect(judge(rule, [web(3), budget({ minAvailable: 3 }, { namespace: 'other' })]).states).toEqual([
      'not-evaluated PodDisruptionBudget/web-pdb',
    ]);
  });

  test('selects the whole namespace with an empty selector', () => {
    expect(stateOf({ selector: {}, minAvailable: 3 }, 3)).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test('reports a budget that never allows an eviction even if its pods are not in the input', () => {
    expect(judge(rule, [budget({ maxUnavailable: 0 })]).states).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test('is not evaluated if the number of pods is unknown', () => {
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [budget({ minAvailable: 1 })]).whys).toEqual(['it selects no workload of the input']);
    expect(judge(rule, [daemonSet('web', {}), budget({ minAvailable: 1 })]).states).toEqual([
      'not-evaluated PodDisruptionBudget/web-pdb',
    ]);
    expect(judge(rule, [web(2), keda, budget({ minAvailable: 2 })]).states).toEqual([
      'not-evaluated PodDisruptionBudget/web-pdb',
    ]);
  });

  test('does not apply without a selector, or to pods on nodes that Karpenter does not launch', () => {
    const managed = deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } }, { replicas: 1 });
    expect(stateOf({ selector: undefined, maxUnavailable: 0 }, 3)).toEqual([]);
    expect(judge(rule, [managed, budget({ maxUnavailable: 0 })]).outcomes).toEqual([]);
    expect(judge(rule, [web(3)]).outcomes).toEqual([]);
  });
});
