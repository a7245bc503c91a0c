import { annotated, autoscaler, daemonSet, deployment, job, judge, manifest, nodeClass, nodePool, oneOf, types, workload } from './helper';
import { tooBigNode } from './too-big-node';
import { CheckOptions, playScenario } from '../../../src/validation';
import { SingleReplica } from '../../../src/validation/rules/single-replica';

const rule = new SingleReplica();
const waived = (reason: string) => JSON.stringify({
  ...JSON.parse(deployment('web')),
  metadata: { name: 'web', annotations: { 'resilience.karpenter-constructs.dev/replicas': reason } },
});

describe('KARP-401 single-replica', () => {
  test.each(['Deployment', 'StatefulSet', 'ReplicaSet'])('fails for a %s of one pod, written or not', (kind) => {
    expect(judge(rule, [workload(kind, 'web', {})]).states).toEqual([`fail ${kind}/web`]);
    expect(judge(rule, [workload(kind, 'web', {}, { replicas: 1 })]).states).toEqual([`fail ${kind}/web`]);
  });

  test('fails where an autoscaler may go down to one, and names it', () => {
    const [finding] = judge(rule, [deployment('web', {}, { replicas: 5 }), autoscaler()]).findings;
    expect(finding.message).toContain('runs 1 pod (minReplicas of HorizontalPodAutoscaler web)');
  });

  test('says how long the outage is, and how often the node goes', () => {
    const slow = { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '100m', memory: '128Mi' } }, readinessProbe: { initialDelaySeconds: 45 } }] };
    const documents = [nodeClass(), nodePool('default')];
    expect(judge(rule, [...documents, deployment('web', slow)]).findings[0].message)
      .toMatch(/is an outage, of 45 s where a pod starts within 45 s; NodePool default consolidates .+ and ends each node after 720h \(1 time in 30 days\)$/);
    expect(judge(rule, [...documents, workload('StatefulSet', 'web', {})]).findings[0].evidence).toMatchObject({ outageSeconds: 30 });
  });

  test.each([['24h', 30, '30 times'], ['336h', 2.14, '2.14 times'], ['2400h', 0.3, '0.3 times'], ['900000h', 0, 'less than 0.01 times']])(
    'counts the expiries of a month where nodes live for %s', (expireAfter, expiries, text) => {
      const [finding] = judge(rule, [nodeClass(), nodePool('default', { expireAfter }), deployment('web')]).findings;
      expect(finding.evidence).toMatchObject({ expiriesPerMonth: [{ nodePool: 'default', expiries }] });
      expect(finding.message).toContain(`(${text} in 30 days)`);
    });

  describe('of what consolidation does to the planned cluster', () => {
    const web = deployment('web', {}, { requests: { cpu: '1', memory: '1Gi' } });
    const documents = [nodeClass(), nodePool('default', { requirements: [types('m5.large', 'm5.4xlarge'), oneOf('karpenter.sh/capacity-type', 'on-demand')] }), web];
    const cluster = tooBigNode();
    const evictionsPlayed = (options: CheckOptions) => playScenario([{ path: 'test.yaml', text: documents.join('\n---\n') }], 'consolidation', options)
      .reports[0].workloads.find(({ workload: key }) => key === 'Deployment default/web')!.evictions;

    test('tells what the scenario tells: evictions', () => {
      expect(evictionsPlayed({ cluster })).toBe(1);
      const [finding] = judge(rule, documents, { cluster }).findings;
      expect(finding.evidence).toMatchObject({ consolidationEvictions: 1 });
      expect(finding.message).toContain('(simulated: of the planned cluster it evicts the pod 1 time)');
    });

    test('tells what the scenario tells: none', () => {
      expect(evictionsPlayed({})).toBe(0);
      expect(judge(rule, documents).findings[0].message).toContain('(simulated: it leaves the pod where it is)');
    });

    test.each<[string, string[]]>([
      ['there are more pods than are played', [deployment('crowd', {}, { replicas: 1000 })]],
      ['some pod cannot be evaluated', [deployment('claims', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })]],
      ['some NodePool is known only at deployment', [nodePool('other', { disruption: { consolidateAfter: '${After}' } })]],
      ['another workload cannot be read', [deployment('broken', {}, { replicas: 2, requests: { cpu: 'much' } })]],
    ])('says nothing where %s', (_, others) => {
      const [finding] = judge(rule, [...documents, ...others]).findings;
      expect(finding.evidence).toMatchObject({ consolidationEvictions: null });
      expect(finding.message).not.toContain('simulated');
    });

    test('says nothing where there are more pods now than the least that there may be', () => {
      const [finding] = judge(rule, [...documents.slice(0, 2), deployment('web', {}, { replicas: 5 }), autoscaler()], { cluster }).findings;
      expect(finding.evidence).toMatchObject({ replicas: 1, consolidationEvictions: null });
    });
  });

  test('says nothing of a NodePool that leaves its nodes alone', () => {
    const still = nodePool('default', { expireAfter: 'Never', disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' } });
    expect(judge(rule, [nodeClass(), still, deployment('web')]).findings[0].message).toMatch(/is an outage, of 20 s where a pod starts within 20 s$/);
  });

  test('does not tell of moves that nothing lets Karpenter make', () => {
    const held = annotated(deployment('web'), { 'karpenter.sh/do-not-disrupt': 'true' });
    const [finding] = judge(rule, [nodeClass(), nodePool('default'), held]).findings;
    expect(finding.message).toBe('runs 1 pod: karpenter.sh/do-not-disrupt keeps Karpenter from moving it, but an interruption or a lost node '
      + 'is an outage all the same, of 20 s where a pod starts within 20 s');
    expect(finding.evidence).toMatchObject({ expiriesPerMonth: [{ nodePool: 'default', expiries: 0 }], consolidationEvictions: null });
    const ends = nodePool('default', { terminationGracePeriod: '1h' });
    expect(judge(rule, [nodeClass(), ends, held]).findings[0].message).toContain('so that each consolidation, drift and expiry is an outage');
  });

  test('passes several, none, and what an autoscaler keeps at several', () => {
    for (const replicas of [0, 2, 9]) expect(judge(rule, [deployment('web', {}, { replicas })]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [deployment('web'), autoscaler({ minReplicas: 2 })]).states).toEqual(['pass Deployment/web']);
  });

  test('passes one that says why it is enough, and only with a reason', () => {
    expect(judge(rule, [waived('off: a gap is fine')]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [waived('off: ')]).states).toEqual(['fail Deployment/web']);
  });

  test('is not evaluated where something else says the number', () => {
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [deployment('web'), keda]).whys).toEqual(['ScaledObject web decides how many replicas Deployment web has']);
  });

  test('is not evaluated where the number cannot be used', () => {
    expect(judge(rule, [deployment('web', {}, { replicas: -1 })]).whys).toEqual(['its replicas cannot be used as they are written']);
  });

  test.each([[null], ['pods'], [[]]])('says nothing of one whose spec is %j, which the API server refuses', (spec) => {
    const document = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
    expect(judge(rule, [document]).outcomes).toEqual([]);
  });

  test('does not apply to batch work, daemonsets, and pods on nodes of others', () => {
    expect(judge(rule, [job('web'), daemonSet('web', {}), deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } })]).outcomes).toEqual([]);
  });
});
