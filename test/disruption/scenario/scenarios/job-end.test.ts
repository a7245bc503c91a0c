import { ClusterNode, ClusterPod, runScenario } from '../../../../src/disruption';
import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, clusterOf, machine, MINUTE, NOW, pod } from '../../builders';

const POOLS = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];

/** Two of these pods do not fit on one node. */
const big = (name: string, owner: ClusterPod['owner']) => pod(name, { cpu: '1500m' }, { owner });
const ofJob = (name: string, job: string) => big(name, { kind: 'Job', name: job });
const web = (name: string) => big(name, { kind: 'Deployment', name: 'web' });

function ends(nodes: readonly ClusterNode[], consolidateAfter = 0, jobs?: readonly string[]) {
  return runScenario('job-end', clusterOf(nodes, { pools: POOLS, disruption: { consolidateAfter } }), {
    start: NOW,
    jobs,
  });
}

describe('job-end', () => {
  test('removes the empty nodes of the Job', () => {
    const [report] = ends([
      machine('a', 'm5.large', [ofJob('sync-0', 'sync')]),
      machine('b', 'm5.large', [web('web-0')]),
    ]);
    expect(report).toMatchObject({
      scenario: 'job-end',
      subject: 'Job default/sync',
      before: { nodes: 2 },
      after: { nodes: 1 },
      pending: [],
    });
    expect(report.timeline[0]).toEqual({ second: 0, what: 'the pods of Job default/sync have ended' });
    expect(report.workloads.map(({ workload, evictions }) => [workload, evictions])).toEqual([
      ['Deployment default/web', 0],
    ]);
  });

  test('returns a report for each Job, in name order', () => {
    const reports = ends([
      machine('a', 'm5.large', [ofJob('sync-0', 'sync')]),
      machine('b', 'm5.large', [ofJob('report-0', 'report')]),
    ]);
    expect(reports.map(({ subject, after }) => [subject, after.nodes])).toEqual([
      ['Job default/report', 1],
      ['Job default/sync', 1],
    ]);
  });

  test('restarts consolidateAfter on its nodes', () => {
    const quiet = (node: ClusterNode) => ({ ...node, claim: { ...node.claim!, lastPodEventAt: NOW - 10 * MINUTE } });
    const [report] = ends([quiet(machine('a', 'm5.large', [ofJob('sync-0', 'sync')]))], 5 * MINUTE);
    expect(report.timeline.find(({ what }) => what === 'a drains')!.second).toBeGreaterThanOrEqual(300);
  });

  test('can be restricted to some Jobs', () => {
    const nodes = [
      machine('a', 'm5.large', [ofJob('sync-0', 'sync')]),
      machine('b', 'm5.large', [ofJob('report-0', 'report')]),
    ];
    expect(ends(nodes, 0, ['Job default/sync']).map(({ subject }) => subject)).toEqual(['Job default/sync']);
  });

  test('returns no report if no Job has pods', () => {
    expect(ends([machine('a', 'm5.large', [web('web-0')])])).toEqual([]);
  });
});
