import { readSession } from '../../../../src/validation';
import { knownWorkloads } from '../../../../src/validation/scenario/policies/day-workloads';
import { jobOfDay } from '../../../../src/validation/scenario/policies/scheduled-jobs';
import { prepareCluster } from '../../../../src/validation/scenario/prepared-cluster';
import { NODE_CLASS, nodePool } from '../../setup';

/** A Sunday with a change of the clocks nowhere near. */
const PERIOD = { start: Date.UTC(2026, 0, 4), seconds: 86_400 };
const POD =
  'template: {spec: {restartPolicy: Never, containers: [{name: c, image: x, resources: {requests: {cpu: 1, memory: 1Gi}}}]}}';

function jobOf(spec: string, jobSpec = '', durations: ReadonlyArray<[string, number]> = []) {
  const text = [
    NODE_CLASS,
    nodePool(['m5.large']),
    `{apiVersion: batch/v1, kind: CronJob, metadata: {name: report, namespace: batch}, spec: {${spec}, jobTemplate: {spec: {${jobSpec}${POD}}}}}`,
  ].join('---\n');
  const prepared = prepareCluster(readSession([{ path: 'a.yaml', text }]));
  const [workload] = knownWorkloads(prepared).filter(({ kind }) => kind === 'CronJob');
  return jobOfDay(workload, PERIOD, { byName: new Map(durations) });
}

describe('jobOfDay', () => {
  test('returns the starts of a CronJob in the period, in its time zone', () => {
    expect(jobOf('schedule: "30 2 * * *"')).toMatchObject({ starts: [2.5 * 3_600], parallelism: 1, completions: 1 });
    expect(jobOf('schedule: "30 2 * * *", timeZone: Europe/Berlin')).toMatchObject({ starts: [1.5 * 3_600] });
  });

  test('runs pods for the given duration, but at most for activeDeadlineSeconds', () => {
    const seconds = (...args: Parameters<typeof jobOf>) => {
      const job = jobOf(...args);
      return typeof job === 'string' ? job : job.pod.runSeconds;
    };
    expect(seconds('schedule: "@daily"')).toBe(600);
    expect(seconds('schedule: "@daily"', '', [['report', 60]])).toBe(60);
    expect(
      seconds('schedule: "@daily"', '', [
        ['batch/report', 90],
        ['report', 60],
      ]),
    ).toBe(90);
    expect(seconds('schedule: "@daily"', 'activeDeadlineSeconds: 30, ', [['report', 60]])).toBe(30);
  });

  test('reads parallelism, completions and the concurrency policy', () => {
    expect(jobOf('schedule: "@daily", concurrencyPolicy: Forbid', 'parallelism: 2, completions: 6, ')).toMatchObject({
      parallelism: 2,
      completions: 6,
      concurrency: 'Forbid',
    });
  });

  test.each([
    ['schedule: "@daily", suspend: true', 'is suspended'],
    ['schedule: "0 0 * * 1"', 'has no run in this time'],
  ])('says why %s does not run', (spec, why) => {
    expect(jobOf(spec)).toBe(`CronJob batch/report does not run: it ${why}`);
  });
});
