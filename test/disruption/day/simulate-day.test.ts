import { ClusterBaseline, DayPlan, simulateDay, PoolDisruption, workloadKey } from '../../../src/disruption';
import { timesOf } from '../../../src/disruption/scenario/scenarios/run-scenario';
import { APART, clusterOf, machine, NOW, pod } from '../builders';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const KEY = workloadKey('default', { kind: 'Deployment', name: 'web' });
const large = (name: string) => pod(name, { cpu: '1500m' });
const NOTHING: DayPlan = { scaled: [], jobs: [], rollouts: [], seconds: DAY };

function played(plan: Partial<DayPlan>, disruption: Partial<PoolDisruption> = {}, pods = [large('web-0')]) {
  const nodes = pods.map((one, index) => machine(`n${index}`, 'm5.large', [one]));
  const baseline = new ClusterBaseline(clusterOf(nodes, { disruption, replicas: new Map([[KEY, pods.length]]) }));
  return simulateDay({ baseline, dayStart: NOW, times: timesOf('consolidation', {}) }, { ...NOTHING, ...plan });
}

const scaled = (...changes: ReadonlyArray<readonly [hour: number, replicas: number]>) => ({
  scaled: [
    { key: KEY, pod: large('web'), changes: changes.map(([hour, replicas]) => ({ second: hour * HOUR, replicas })) },
  ],
});

describe('simulateDay', () => {
  test('counts the hours of the nodes of a day on which nothing happens', () => {
    const report = played({}, { consolidationPolicy: 'WhenEmpty' });
    expect(report).toMatchObject({ nodeHours: 24, launches: 0, removals: 0, evictions: 0, pendingPodMinutes: 0 });
    expect(report.cost).toBeGreaterThan(0);
  });

  test('launches nodes for more replicas and removes them afterwards, which is no eviction', () => {
    const report = played(scaled([0, 1], [6, 3], [12, 1]));
    expect(report).toMatchObject({ launches: 1, removals: 1, evictions: 0, leastNodes: 1, mostNodes: 2 });
    expect(report.nodeHours).toBeCloseTo(24 + 6, 0);
    expect(report.medianLifetimeHours).toBeCloseTo(6, 0);
    // A node takes 60 seconds to start.
    expect(report.pendingPodMinutes).toBeCloseTo(2, 1);
  });

  test('keeps empty nodes as long as consolidateAfter says', () => {
    const hours = (consolidateAfter: number) =>
      played(scaled([0, 1], [6, 3], [12, 1]), { consolidateAfter: consolidateAfter * HOUR * 1_000 }).nodeHours;
    expect(hours(2) - hours(0)).toBeCloseTo(2, 0);
  });

  test('does not count a larger load as missing pods, nor what happened before the day', () => {
    expect(played(scaled([0, 1], [6, 3])).lowestReady).toBeUndefined();
    const small = [pod('web-0', { cpu: '200m' }), pod('web-1', { cpu: '200m' })];
    const report = played({}, {}, small);
    expect(report.evictions).toBe(0);
    expect(report.leastNodes).toBe(1);
  });

  test('runs the pods of a Job to their end, and creates the next ones of its completions', () => {
    const job = { ...large('job'), owner: { kind: 'Job', name: 'job' }, runSeconds: HOUR };
    const plan = {
      jobs: [
        {
          key: workloadKey('default', job.owner),
          pod: job,
          starts: [2 * HOUR],
          parallelism: 2,
          completions: 4,
          concurrency: 'Allow' as const,
        },
      ],
    };
    const report = played(plan, { consolidateAfter: 300_000 });
    expect(report).toMatchObject({ launches: 1, removals: 1, evictions: 0, pendingAtEnd: 0, mostNodes: 2 });
    expect(report.medianLifetimeHours).toBeGreaterThan(2);
    expect(report.medianLifetimeHours).toBeLessThan(2.3);
  });

  test('skips a run of a CronJob that forbids concurrency while the last one runs', () => {
    const job = { ...large('job'), owner: { kind: 'Job', name: 'job' }, runSeconds: 3 * HOUR };
    const most = (concurrency: 'Allow' | 'Forbid' | 'Replace') =>
      played({
        jobs: [
          {
            key: workloadKey('default', job.owner),
            pod: job,
            starts: [2 * HOUR, 3 * HOUR],
            parallelism: 1,
            completions: 1,
            concurrency,
          },
        ],
      }).mostNodes;
    expect([most('Allow'), most('Forbid')]).toEqual([3, 2]);
  });

  test('launches nodes for the surge of a rollout of pods that must be apart', () => {
    const apart = (name: string) => pod(name, { cpu: '500m' }, APART);
    const rollout = { key: KEY, pod: apart('web'), second: 10 * HOUR, replicas: 2 };
    const days = [{ maxSurge: '50%', maxUnavailable: 0 }, { maxSurge: 0, maxUnavailable: 1 }, {}].map((strategy) =>
      played({ rollouts: [{ ...rollout, ...strategy }] }, {}, [apart('web-0'), apart('web-1')]),
    );
    // Two old nodes, one for the surge, and one for the second pod while the first old one still terminates.
    expect(days.map(({ mostNodes }) => mostNodes)).toEqual([4, 3, 2]);
    expect(days.map(({ pendingAtEnd }) => pendingAtEnd)).toEqual([0, 0, 0]);
  });

  test('returns the same figures for the same day', () => {
    const plan = scaled([0, 2], [6, 5], [12, 3]);
    expect(played(plan)).toEqual(played(plan));
  });
});
