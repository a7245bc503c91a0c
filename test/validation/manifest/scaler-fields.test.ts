import { read } from './manifests';

/** `field: remedy` of all problems of an object. */
function remedies(apiVersion: string, kind: string, fields: object): string[] {
  const text = JSON.stringify({ apiVersion, kind, metadata: { name: 'web' }, ...fields });
  return read(text).problems.map(({ message, remedy }) => `${message.replace(/^(\S+): .*/, '$1')}: ${remedy}`);
}

const keda = (spec: object) =>
  remedies('keda.sh/v1alpha1', 'ScaledObject', { spec: { scaleTargetRef: { name: 'web' }, ...spec } });
const CPU = { type: 'cpu', metadata: { value: '70' } };
const QUEUE = { type: 'aws-sqs-queue', metadata: { queueLength: '5' } };

test('names the fields of KEDA for those of other autoscalers, and misspelt ones', () => {
  expect(keda({ minReplicas: 2, maxReplicaCuont: 9, newerField: 1, triggers: [QUEUE] })).toEqual([
    'spec.minReplicas: write minReplicaCount',
    'spec.maxReplicaCuont: write maxReplicaCount',
  ]);
});

test('wants texts in the metadata of triggers', () => {
  expect(keda({ triggers: [{ type: 'aws-sqs-queue', metadata: { queueLength: 5 } }] })).toEqual([
    'spec.triggers[0].metadata.queueLength: put the value in quotes',
  ]);
});

test('rejects time zones that KEDA and Argo Workflows cannot load', () => {
  const cron = (timezone: string) => [{ type: 'cron', metadata: { timezone, start: '0 8 * * *', end: '0 9 * * *' } }];
  const workflow = (timezone: string) => remedies('argoproj.io/v1alpha1', 'CronWorkflow', { spec: { timezone } });
  const jobs = remedies('keda.sh/v1alpha1', 'ScaledJob', { spec: { triggers: cron('Europe/Berln') } });
  expect(keda({ triggers: cron('PST') })).toEqual([
    'spec.triggers[0].metadata.timezone: write an area and a city, such as Europe/Berlin',
  ]);
  expect(jobs).toEqual(['spec.triggers[0].metadata.timezone: write Europe/Berlin']);
  expect(workflow('Asia/Mumbai')).toEqual(['spec.timezone: write Asia/Kolkata']);
  expect([keda({ triggers: cron('Asia/Kolkata') }), workflow('US/Eastern'), workflow('{{zone}}')]).toEqual([
    [],
    [],
    [],
  ]);
});

test('wants a replica if only metrics of running pods could wake the workload', () => {
  const remedy = 'spec.minReplicaCount: write minReplicaCount: 1, or add a trigger of another type';
  expect(keda({ triggers: [CPU] })).toEqual([remedy]);
  expect(keda({ minReplicaCount: 0, triggers: [CPU] })).toEqual([remedy]);
  expect([keda({ minReplicaCount: 1, triggers: [CPU] }), keda({ triggers: [CPU, QUEUE] })]).toEqual([[], []]);
});

test('rejects bounds of a VerticalPodAutoscaler that no request meets', () => {
  const policy = { containerName: '*', minAllowed: { memory: '8Gi', cpu: 1 }, maxAllowed: { memory: '4Gi', cpu: 2 } };
  expect(
    remedies('autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', {
      spec: { resourcePolicy: { containerPolicies: [policy] } },
    }),
  ).toEqual([
    'spec.resourcePolicy.containerPolicies[0].maxAllowed.memory: write 8Gi or more, or lower minAllowed.memory',
  ]);
});

test('rejects a Job of Volcano that waits for more pods than it has', () => {
  const job = (minAvailable: number) =>
    remedies('batch.volcano.sh/v1alpha1', 'Job', { spec: { minAvailable, tasks: [{ replicas: 3 }, {}] } });
  expect(job(5)).toEqual(['spec.minAvailable: write minAvailable: 4, or more replicas']);
  expect(job(4)).toEqual([]);
});

test('rejects a PriorityClass with a policy that is misspelt', () => {
  const policy = (preemptionPolicy: string) =>
    remedies('scheduling.k8s.io/v1', 'PriorityClass', { value: 1, preemptionPolicy });
  expect(policy('never')).toEqual(['preemptionPolicy: write Never']);
  expect(policy('Never')).toEqual([]);
});

test('rejects a PriorityClass above those of users', () => {
  const priority = (value: number) => remedies('scheduling.k8s.io/v1', 'PriorityClass', { value });
  expect(priority(2_000_000_000)).toEqual(['value: write 1000000000 or less, or use system-cluster-critical']);
  expect(priority(1_000_000_000)).toEqual([]);
});

test('writes the metric that a field of autoscaling/v1 means', () => {
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 70,
  };
  expect(remedies('autoscaling/v2', 'HorizontalPodAutoscaler', { spec })).toEqual([
    'spec.targetCPUUtilizationPercentage: write averageUtilization: 70 in a metric of type Resource, or apiVersion: autoscaling/v1',
  ]);
  expect(remedies('autoscaling/v1', 'HorizontalPodAutoscaler', { spec })).toEqual([]);
});
