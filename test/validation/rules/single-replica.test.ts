import { autoscaler, daemonSet, deployment, job, judge, manifest, nodeClass, nodePool, workload } from './helper';
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
      .toMatch(/is an outage, of 45 s where a pod starts within 45 s; NodePool default consolidates whenever that saves something and ends each node after 720h, 12 times a year$/);
    expect(judge(rule, [...documents, workload('StatefulSet', 'web', {})]).findings[0].evidence).toMatchObject({ outageSeconds: 30 });
  });

  test('says nothing of a NodePool that leaves its nodes alone', () => {
    const still = nodePool('default', { expireAfter: 'Never', disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' } });
    expect(judge(rule, [nodeClass(), still, deployment('web')]).findings[0].message).toMatch(/is an outage, of 20 s where a pod starts within 20 s$/);
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

  test('does not apply to batch work, daemonsets, and pods on nodes of others', () => {
    expect(judge(rule, [job('web'), daemonSet('web', {}), deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } })]).outcomes).toEqual([]);
  });
});
