import { simulateScenario } from '../../../src/validation';
import { dump, karpenterNode, nodeClaim, object, Plain, pod } from '../cluster/dump';
import { manifests, NODE_CLASS, nodePool } from '../setup';

const HOUR = 3600;
const POOL = nodePool(['m5.large']);
const TEMPLATE = `template:
        metadata: { annotations: { karpenter.sh/do-not-disrupt: "true" } }
        spec: { restartPolicy: Never, containers: [{ name: main, image: x, resources: { requests: { cpu: 500m, memory: 1Gi } } }] }`;
const job = (fields: string) => `apiVersion: batch/v1
kind: Job
metadata: { name: sync }
spec:
      ${fields}
      ${TEMPLATE}
`;
const cronJob = (fields: string) => `apiVersion: batch/v1
kind: CronJob
metadata: { name: sync }
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      ${fields}
      ${TEMPLATE}
`;

/** When the pods of the Job end in a roll of all nodes, in seconds after the start, and which nodes are stuck. */
function drift(documents: readonly string[], cluster?: ReturnType<typeof dump>) {
  const {
    reports: [{ timeline, stuck }],
  } = simulateScenario(manifests(NODE_CLASS, POOL, ...documents), 'drift', { cluster });
  return [
    timeline.find(({ what }) => what === 'the pods of Job default/sync end by its activeDeadlineSeconds')?.second,
    stuck.map(({ what }) => what),
  ];
}

describe('a Job with a protected pod', () => {
  test.each([job, cronJob])('of the manifests ends activeDeadlineSeconds after the start (%#)', (document) => {
    expect(drift([document(`activeDeadlineSeconds: ${6 * HOUR}`)])).toEqual([6 * HOUR, []]);
  });

  test.each(['completions: 1', 'managedBy: example.com/queue\n      activeDeadlineSeconds: 3600'])(
    'never ends with %j',
    (fields) => {
      expect(drift([job(fields)])).toEqual([undefined, ['node default-0']]);
    },
  );

  const inCluster = (status: Plain, spec: Plain = { activeDeadlineSeconds: 6 * HOUR }) =>
    dump(
      karpenterNode('n1', {
        labels: { 'karpenter.sh/capacity-type': 'on-demand' },
        metadata: { creationTimestamp: '2026-03-02T10:00:00Z' },
      }),
      nodeClaim('default-n1', {
        of: 'n1',
        labels: { 'karpenter.sh/capacity-type': 'on-demand' },
        metadata: { creationTimestamp: '2026-03-02T09:00:00Z' },
        status: { nodeName: 'n1' },
      }),
      pod('sync-x1', {
        on: 'n1',
        owner: ['Job', 'sync'],
        metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
      }),
      object('batch/v1', 'Job', 'sync', { spec, status }, 'default'),
    );

  test('of the cluster ends activeDeadlineSeconds after its own start', () => {
    const [start] = drift([], inCluster({}));
    expect(start).toBe(6 * HOUR);
    expect(drift([], inCluster({ startTime: '2026-03-02T08:00:00Z' }))).toEqual([4 * HOUR, []]);
  });

  test('of the cluster has the deadline of its manifest', () => {
    expect(
      drift([job(`activeDeadlineSeconds: ${3 * HOUR}`)], inCluster({ startTime: '2026-03-02T08:00:00Z' }))[0],
    ).toBe(HOUR);
    expect(drift([job('completions: 1')], inCluster({ startTime: '2026-03-02T08:00:00Z' }))[0]).toBeUndefined();
  });
});
