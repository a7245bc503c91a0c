import { terminationGraceShorterThanPod } from '../../../../../src/validation/rules/disruption/expiration/termination-grace-shorter-than-pod';
import { deployment, judge, nodeClass, nodePool } from '../../judge';

const rule = terminationGraceShorterThanPod;
const judged = (terminationGracePeriod: string | undefined, pod: object) =>
  judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod }), deployment('web', pod)]);

describe('KARP-407 termination-grace-shorter-than-pod', () => {
  test('reports pods with a longer grace period than their nodes, also by default', () => {
    const { states, findings } = judged('5m', { terminationGracePeriodSeconds: 600 });
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].message).toContain('its pods get 300 s of their 600 s to terminate');
    expect(judged('20s', {}).states).toEqual(['fail Deployment/web']);
  });

  test('reports a warning if the time is too short to detach volumes', () => {
    const volumes = [
      {
        name: 'data',
        ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'gp3', accessModes: ['ReadWriteOnce'] } } },
      },
    ];
    const storage = JSON.stringify({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'gp3' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const [finding] = judge(rule, [
      nodeClass(),
      nodePool('default', { terminationGracePeriod: '60s' }),
      storage,
      deployment('web', { volumes }),
    ]).findings;
    expect(finding).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('after the 30 s of its pods, 30 s are left to detach volumes'),
    });
  });

  test('passes a grace period that is long enough', () => {
    expect(judged('10m', { terminationGracePeriodSeconds: 600 }).states).toEqual(['pass Deployment/web']);
    expect(judged('30s', {}).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    const text = deployment('web').replace(
      '"spec": {\n        "containers"',
      '"spec": {\n        "terminationGracePeriodSeconds": "${Grace}", "containers"',
    );
    expect(judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod: '5m' }), text]).states).toEqual([
      'not-evaluated Deployment/web',
    ]);
  });

  test('does not apply to NodePools without a terminationGracePeriod', () => {
    expect(judged(undefined, { terminationGracePeriodSeconds: 600 }).outcomes).toEqual([]);
  });

  test('reports a NodePool once that is too short for several workloads, with the largest need', () => {
    const slow = (name: string, seconds: number) => deployment(name, { terminationGracePeriodSeconds: seconds });
    const pool = nodePool('default', { terminationGracePeriod: '60s' });
    expect(judge(rule, [nodeClass(), pool, slow('web', 90), slow('db', 300)]).findings).toMatchObject([
      {
        object: { kind: 'NodePool', name: 'default' },
        path: ['spec', 'template', 'spec', 'terminationGracePeriod'],
        remedy: expect.stringContaining('at least 300s'),
        evidence: { neededSeconds: 300, workloads: ['Deployment db (300 s)', 'Deployment web (90 s)'] },
      },
    ]);
  });
});
