import { ClusterNode, ClusterPod, runScenario, ScenarioName, ScenarioReport } from '../../../../src/disruption';
import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, clusterOf, HOUR, machine, NOW, pod, PROTECTED } from '../../builders';

const POOLS = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
const JOB = { kind: 'Job', name: 'sync' };
/** Seconds. */
const SIX_HOURS = 6 * 3600;

/** A pod of a Job whose deadline is six hours after the start. Two do not fit on one node. */
const ofJob = (name: string, more: Partial<ClusterPod> = {}) =>
  pod(name, { cpu: '1500m' }, { owner: JOB, jobDeadline: NOW + 6 * HOUR, annotations: PROTECTED, ...more });
const DRIFTED = {
  claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, drifted: { reason: 'AMIDrift', since: NOW } },
};

function simulate(scenario: ScenarioName, nodes: readonly ClusterNode[], times = {}): ScenarioReport {
  return runScenario(scenario, clusterOf(nodes, { pools: POOLS, disruption: { consolidateAfter: 0 } }), {
    start: NOW,
    times,
  })[0];
}

const secondOf = ({ timeline }: ScenarioReport, what: string) => timeline.find((entry) => entry.what === what)?.second;

describe('the deadline of a Job', () => {
  test('ends its pods, so that the drain of their node goes on and nothing replaces them', () => {
    const report = simulate('expiration', [
      machine('a', 'm5.large', [ofJob('sync-0')], {
        claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, expireAfter: 2 * HOUR },
      }),
    ]);
    expect(report).toMatchObject({ stuck: [], pending: [], lost: [], unfinished: false, after: { nodes: 0 } });
    expect(secondOf(report, 'the pods of Job default/sync end by its activeDeadlineSeconds')).toBe(SIX_HOURS);
    expect(secondOf(report, 'a is terminated')).toBeGreaterThan(SIX_HOURS);
    expect(secondOf(report, 'a is terminated')).toBeLessThan(SIX_HOURS + 60);
  });

  test('is not counted as an eviction, nor as a time without ready pods', () => {
    const report = simulate('drift', [machine('a', 'm5.large', [ofJob('sync-0')], DRIFTED)]);
    expect(report.workloads).toEqual([{ workload: 'Job default/sync', replicas: 1, lowestReady: 1, evictions: 0 }]);
    expect(report.timeline.filter(({ what }) => what.includes('ready'))).toEqual([]);
  });

  test('lets a drifted node go on, which is replaced without room for the pods', () => {
    const report = simulate('drift', [machine('a', 'm5.large', [ofJob('sync-0')], DRIFTED)]);
    expect(report).toMatchObject({ stuck: [], after: { nodes: 0 } });
  });

  test('ends pods that a PodDisruptionBudget keeps on a draining node', () => {
    const nodes = [machine('a', 'm5.large', [ofJob('sync-0', { annotations: {} })], DRIFTED)];
    const pdb = { namespace: 'default', name: 'sync', selector: {}, minAvailable: 1 };
    const [report] = runScenario(
      'expiration',
      clusterOf(
        nodes.map((node) => ({ ...node, claim: { ...node.claim!, expireAfter: 2 * HOUR } })),
        { pools: POOLS, pdbs: [pdb] },
      ),
      { start: NOW },
    );
    expect(report).toMatchObject({ stuck: [], unfinished: false });
    expect(secondOf(report, 'a is terminated')).toBeGreaterThan(SIX_HOURS);
  });

  test('counts from the start of the Job, also for a pod that replaces an evicted one', () => {
    const report = simulate('drift', [
      machine('a', 'm5.large', [ofJob('sync-0', { annotations: {} })], DRIFTED),
      machine(
        'b',
        'm5.large',
        [
          pod(
            'keeper',
            { cpu: '1500m' },
            { owner: { kind: 'Job', name: 'other' }, jobDeadline: NOW + 7 * HOUR, annotations: PROTECTED },
          ),
        ],
        DRIFTED,
      ),
    ]);
    expect(secondOf(report, 'the pods of Job default/sync end by its activeDeadlineSeconds')).toBe(SIX_HOURS);
    expect(report).toMatchObject({ pending: [], stuck: [] });
  });

  test('does not prolong a simulation in which everything else has ended', () => {
    const report = simulate('drift', [machine('a', 'm5.large', [ofJob('sync-0', { annotations: {} })], DRIFTED)]);
    expect(report.seconds).toBeLessThan(3600);
  });

  test('after the horizon is named as what ends the wait', () => {
    const report = simulate(
      'expiration',
      [
        machine('a', 'm5.large', [ofJob('sync-0')], {
          claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, expireAfter: 2 * HOUR },
        }),
      ],
      { horizon: 5 * 3600 },
    );
    expect(report.stuck).toMatchObject([
      { what: 'node a', remedy: expect.stringContaining('the activeDeadlineSeconds of its Job end') },
    ]);
  });
});
