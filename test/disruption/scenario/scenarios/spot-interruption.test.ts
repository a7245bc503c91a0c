import { ScenarioReport } from '../../../../src/disruption';
import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, machine, pod } from '../../builders';
import { budget, simulated, single, WEB, webReport } from '../web-workload';

describe('spot-interruption', () => {
  test('leaves a single replica unready until its pod is ready on a new node', () => {
    const [report] = simulated('spot-interruption', [single('a', { capacityType: 'spot' })]);
    expect(webReport(report)).toEqual({ workload: WEB, replicas: 1, lowestReady: 0, evictions: 1 });
    expect(report.timeline.map(({ second, what }) => [second, what.replace(/\(.*\)/, '()')])).toEqual([
      [0, 'EC2 will take a in two minutes'],
      [0, 'a drains'],
      [0, 'default-new-0 is launched ()'],
      [0, `${WEB} has no pod ready`],
      [10, 'a is terminated'],
      [60, 'default-new-0 is up'],
      [80, `${WEB} has 1 of 1 ready again`],
    ]);
    expect(report.seconds).toBe(80);
  });

  const onSpot = (zones: readonly string[]) => ({
    pools: [
      anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'spot'), isIn(Label.ZONE, ...zones)] }),
    ],
  });
  const launchesOf = ({ timeline }: ScenarioReport) => timeline.filter(({ what }) => what.includes('is launched'));

  test('launches no spot instance of the interrupted type in the same zone', () => {
    const [report] = simulated(
      'spot-interruption',
      [single('a', { capacityType: 'spot' })],
      onSpot(['us-east-1a', 'us-east-1b']),
    );
    expect(launchesOf(report)).toEqual([{ second: 0, what: 'default-new-0 is launched (m5.large, spot, us-east-1b)' }]);
    expect(report.before).toEqual(report.after);
  });

  test('leaves pods pending for three minutes if nothing else can be launched', () => {
    const [report] = simulated('spot-interruption', [single('a', { capacityType: 'spot' })], onSpot(['us-east-1a']));
    expect(launchesOf(report)).toEqual([
      { second: 180, what: 'default-new-0 is launched (m5.large, spot, us-east-1a)' },
    ]);
    expect(report).toMatchObject({ pending: [], seconds: 180 + 60 + 20 });
  });

  test('does not affect replicas on on-demand nodes', () => {
    const [report, ...others] = simulated('spot-interruption', [single('a', { capacityType: 'spot' }), single('b')]);
    expect(others).toEqual([]);
    expect(webReport(report).lowestReady).toBe(1);
  });

  test('returns a report for each node, and for each type and zone with several nodes', () => {
    const subjects = simulated('spot-interruption', [
      single('a', { capacityType: 'spot' }),
      single('b', { capacityType: 'spot' }),
    ]).map(({ subject }) => subject);
    expect(subjects).toEqual(['node a', 'node b', 'm5.large in us-east-1a']);
  });

  test('overrides a PodDisruptionBudget after two minutes', () => {
    const [report] = simulated('spot-interruption', [single('a', { capacityType: 'spot' })], {
      pdbs: [budget({ maxUnavailable: 0 })],
    });
    expect(webReport(report)).toMatchObject({ lowestReady: 0, secondsBelowBudget: 80 });
    expect(report.timeline).toContainEqual({ second: 120, what: 'a is taken away' });
  });

  test('respects a PodDisruptionBudget if two minutes suffice', () => {
    const nodes = [single('a', { capacityType: 'spot' }), single('b', { capacityType: 'spot' }), single('c')];
    const both = simulated('spot-interruption', nodes, { pdbs: [budget()] })[2];
    expect(webReport(both)).toMatchObject({ lowestReady: 2, evictions: 2, secondsBelowBudget: 0 });
  });

  test('loses a bare pod', () => {
    const [report] = simulated('spot-interruption', [
      machine('a', 'm5.large', [pod('bare', undefined, { owner: undefined })], { capacityType: 'spot' }),
    ]);
    expect(report.lost).toEqual(['default/bare']);
  });
});
