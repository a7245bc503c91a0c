import { deployment, judge, nodeClass, nodePool } from './helper';
import { TerminationGraceShorterThanPod } from '../../../src/validation/rules/termination-grace-shorter-than-pod';

const rule = new TerminationGraceShorterThanPod();
const judged = (terminationGracePeriod: string | undefined, pod: object) => judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod }), deployment('web', pod)]);

describe('KARP-407 termination-grace-shorter-than-pod', () => {
  test('fails where pods have more time than their nodes, by default too', () => {
    const { states, findings } = judged('5m', { terminationGracePeriodSeconds: 600 });
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].message).toContain('get 300 of their 600 seconds');
    expect(judged('20s', {}).states).toEqual(['fail Deployment/web']);
  });

  test('warns where it is too short for volumes to come off', () => {
    const volumes = [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'gp3', accessModes: ['ReadWriteOnce'] } } } }];
    const storage = JSON.stringify({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp3' }, provisioner: 'ebs.csi.aws.com', volumeBindingMode: 'WaitForFirstConsumer' });
    const [finding] = judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod: '60s' }), storage, deployment('web', { volumes })]).findings;
    expect(finding).toMatchObject({ severity: 'warning', message: expect.stringContaining('30 seconds left after their 30 for volumes') });
  });

  test('passes where it is enough', () => {
    expect(judged('10m', { terminationGracePeriodSeconds: 600 }).states).toEqual(['pass Deployment/web']);
    expect(judged('30s', {}).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated where it is known only at deployment', () => {
    const text = deployment('web').replace('"spec": {\n        "containers"', '"spec": {\n        "terminationGracePeriodSeconds": "${Grace}", "containers"');
    expect(judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod: '5m' }), text]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to pools whose drains have no end', () => {
    expect(judged(undefined, { terminationGracePeriodSeconds: 600 }).outcomes).toEqual([]);
  });
});
