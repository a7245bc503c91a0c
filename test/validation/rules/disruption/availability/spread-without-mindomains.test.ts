import { spreadWithoutMinDomains } from '../../../../../src/validation/rules/disruption/availability/spread-without-mindomains';
import { deployment, judge, nodeClass, nodePool, oneOf, types, workload } from '../../judge';

const rule = spreadWithoutMinDomains;
const ZONE = 'topology.kubernetes.io/zone';
const POOL = [nodeClass(), nodePool('default', { requirements: [types('m5.large')] })];
const zones = (fields: object = {}) => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: ZONE,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
      ...fields,
    },
  ],
});
const web = (pod: object, replicas = 3) => deployment('web', pod, { replicas });

describe('KARP-415 spread-without-mindomains', () => {
  test('reports a zone spread without minDomains, and counts the zones', () => {
    const { states, findings } = judge(rule, [...POOL, web(zones())]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0]).toMatchObject({
      remedy: expect.stringContaining('minDomains: 2'),
      evidence: { replicas: 3, zones: 3 },
    });
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.topologySpreadConstraints[0]');
  });

  test('passes with minDomains', () => {
    expect(judge(rule, [...POOL, web(zones({ minDomains: 2 }))]).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to preferred spreads, single pods, one or two zones, and pods without a node', () => {
    const twoZones = [
      nodeClass(),
      nodePool('default', { requirements: [types('m5.large'), oneOf(ZONE, 'us-east-1a', 'us-east-1b')] }),
    ];
    expect(judge(rule, [...POOL, web(zones({ whenUnsatisfiable: 'ScheduleAnyway' }))]).outcomes).toEqual([]);
    expect(judge(rule, [...POOL, web(zones(), 1)]).outcomes).toEqual([]);
    expect(judge(rule, [...twoZones, web(zones())]).outcomes).toEqual([]);
    expect(judge(rule, [web(zones())]).outcomes).toEqual([]);
  });

  test('does not apply to a constraint that selects other pods', () => {
    expect(
      judge(rule, [...POOL, web(zones({ labelSelector: { matchLabels: { app: 'database' } } }))]).outcomes,
    ).toEqual([]);
  });

  test('does not apply to pods with existing volumes', () => {
    const claim = JSON.stringify({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    const storage = JSON.stringify({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'ebs.csi.aws.com',
    });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    expect(judge(rule, [...POOL, storage, claim, web({ ...zones(), volumes })]).outcomes).toEqual([]);
  });

  test('does not apply to pods with zonal volumes', () => {
    const storage = JSON.stringify({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'gp3' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const volumes = [
      {
        name: 'data',
        ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'gp3', accessModes: ['ReadWriteOnce'] } } },
      },
    ];
    expect(
      judge(rule, [...POOL, storage, workload('StatefulSet', 'web', { ...zones(), volumes }, { replicas: 3 })])
        .outcomes,
    ).toEqual([]);
  });
});
