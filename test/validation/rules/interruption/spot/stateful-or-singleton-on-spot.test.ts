import { statefulOrSingletonOnSpot } from '../../../../../src/validation/rules/interruption/spot/stateful-or-singleton-on-spot';
import { deployment, judge, manifest, nodeClass, nodePool, oneOf } from '../../judge';

const rule = statefulOrSingletonOnSpot;
const anywhere = [nodeClass(), nodePool('default')];
const onDemand = [
  nodeClass(),
  nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] }),
];

const storage = JSON.stringify({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'gp3' },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
});

function database(replicas: number, accessMode = 'ReadWriteOnce'): string {
  const labels = { app: 'db' };
  const requests = { cpu: '100m', memory: '128Mi' };
  return manifest('apps/v1', 'StatefulSet', 'db', {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db', resources: { requests } }] } },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { storageClassName: 'gp3', accessModes: [accessMode], resources: { requests: { storage: '10Gi' } } },
      },
    ],
  });
}

describe('KARP-514 stateful-or-singleton-on-spot', () => {
  test('leaves a single pod to KARP-401, unless it opts out and has a volume', () => {
    expect(judge(rule, [...anywhere, deployment('web'), database(1), storage]).outcomes).toEqual([]);
    const text = JSON.parse(database(1));
    text.metadata.annotations = { 'resilience.karpenter-constructs.dev/replicas': 'off: nobody waits for it' };
    expect(judge(rule, [...anywhere, JSON.stringify(text), storage]).states).toEqual(['fail StatefulSet/db']);
  });

  test('warns of volumes per pod, with any number of replicas', () => {
    const { findings } = judge(rule, [...anywhere, database(3), storage]);
    expect(findings[0].message).toContain('has a volume per pod, and ');
    expect(findings[0].message).toContain('its volume (data) is detached from the lost node');
    expect(findings[0].evidence).toMatchObject({ volumes: ['data'] });
  });

  test('passes with a volume per pod on demand', () => {
    expect(judge(rule, [...onDemand, database(3), storage]).states).toEqual(['pass StatefulSet/db']);
  });

  test('does not apply to several pods without volumes or with shared volumes, or to no replicas', () => {
    const documents = [
      deployment('web', {}, { replicas: 2 }),
      database(2, 'ReadWriteMany'),
      storage,
      deployment('none', {}, { replicas: 0 }),
    ];
    expect(judge(rule, [...anywhere, ...documents]).outcomes).toEqual([]);
  });

  test('is not evaluated if no node is planned for the pods', () => {
    expect(judge(rule, [database(3), storage]).whys).toEqual(['the plan has no node for its pods']);
  });
});
