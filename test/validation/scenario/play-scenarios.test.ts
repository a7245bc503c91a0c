import { CheckOptions, PlayedScenario, playScenario, playScenarios, SCENARIO_NAMES, UnknownTargetError } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const POOL = nodePool(['m5.large']);
const WEB = deployment('web', 2, SMALL);
const SOURCES = manifests(NODE_CLASS, POOL, WEB);
const NO_PODS = manifests(NODE_CLASS, POOL);
const OPTIONS: CheckOptions = {};

function played(names: readonly PlayedScenario[], sources = SOURCES) {
  return playScenarios(sources, names, OPTIONS);
}

describe('several scenarios in one', () => {
  test('are what it is alone where it is one', () => {
    expect(played(['drift'])).toEqual(playScenario(SOURCES, 'drift', OPTIONS));
  });

  test('have the reports of each, in the order of their names', () => {
    const alone = (['zone-outage', 'drift'] as const).map((name) => playScenario(SOURCES, name, OPTIONS));
    expect(played(['zone-outage', 'drift']).reports).toEqual(alone.flatMap(({ reports }) => reports));
  });

  test('are placed once', () => {
    expect(played(['drift', 'peak']).workloads).toBe(playScenario(SOURCES, 'drift', OPTIONS).workloads);
  });

  test('say of which there is nothing to play, and why', () => {
    const { reports, notPlayed } = played(SCENARIO_NAMES);
    expect(new Set(reports.map(({ scenario }) => scenario))).toEqual(new Set(['consolidation', 'zone-outage', 'drift', 'expiration', 'node-repair', 'deletion']));
    expect(notPlayed).toEqual([
      { scenario: 'spot-interruption', why: 'there is no spot node' },
      { scenario: 'capacity-block', why: 'no node is in a capacity block' },
      { scenario: 'scale-down', why: 'no static NodePool has more nodes than its replicas' },
      { scenario: 'job-end', why: 'no Job has a pod on a node' },
      { scenario: 'peak', why: 'no autoscaler lets a workload have more pods' },
    ]);
  });

  test('are all without anything to play where there is no node', () => {
    const { reports, notPlayed, assumptions } = played(SCENARIO_NAMES, NO_PODS);
    expect({ reports, assumptions }).toEqual({ reports: [], assumptions: [] });
    expect(notPlayed!.map(({ scenario }) => scenario)).toEqual(SCENARIO_NAMES);
  });

  test('take the same for granted once, and say of which scenario it is where it is not of all', () => {
    expect(played(['drift', 'zone-outage', 'expiration', 'peak']).assumptions).toEqual([
      'it begins at 2026-01-05T12:00:00.000Z, with all pods that have a node ready',
      'a node takes pods 60 seconds after it is asked for, a pod is ready 20 seconds after it has a node, and gone 10 seconds after it is told to end',
      'nothing is looked at after 168h, except in expiration',
      'EC2 has capacity of everything, and launches the cheapest',
      'in drift: every node has drifted, as after a new AMI',
      expect.stringMatching(/^in zone-outage: somebody deletes the nodes of the zone/),
    ]);
  });

  test.each<[string, PlayedScenario[], unknown]>([
    ['the horizon where one has it', ['expiration', 'drift'], expect.objectContaining({ nodeStart: 60, horizon: 604_800 })],
    ['no horizon where none has one', ['expiration', 'peak'], expect.not.objectContaining({ horizon: expect.anything() })],
  ])('have times with %s', (_, names, times) => {
    expect(played(names).times).toEqual(times);
  });

  test('fail where there is nothing of the name that is to be deleted', () => {
    expect(() => playScenarios(SOURCES, ['drift', 'deletion'], OPTIONS, { of: { kind: 'node', name: 'other' } })).toThrow(UnknownTargetError);
  });
});
