import {
  CheckOptions,
  SimulatedScenario,
  readSession,
  simulateScenario,
  simulateScenarios,
  SCENARIO_NAMES,
  UnknownTargetError,
} from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const POOL = nodePool(['m5.large']);
const WEB = deployment('web', 2, SMALL);
const SOURCES = manifests(NODE_CLASS, POOL, WEB);
const NO_PODS = manifests(NODE_CLASS, POOL);
const OPTIONS: CheckOptions = {};

function simulate(names: readonly SimulatedScenario[], sources = SOURCES) {
  return simulateScenarios(readSession(sources, OPTIONS), names);
}

describe('simulateScenarios', () => {
  test('returns the result of simulateScenario for a single scenario', () => {
    expect(simulate(['drift'])).toEqual(simulateScenario(SOURCES, 'drift', OPTIONS));
  });

  test('returns the reports of each scenario, in the order of the names', () => {
    const single = (['zone-outage', 'drift'] as const).map((name) => simulateScenario(SOURCES, name, OPTIONS));
    expect(simulate(['zone-outage', 'drift']).reports).toEqual(single.flatMap(({ reports }) => reports));
  });

  test('returns the scenarios that cannot happen, with the reason', () => {
    const { reports, notSimulated } = simulate(SCENARIO_NAMES);
    expect(new Set(reports.map(({ scenario }) => scenario))).toEqual(
      new Set(['consolidation', 'zone-outage', 'drift', 'expiration', 'node-repair', 'deletion']),
    );
    expect(notSimulated).toEqual([
      { scenario: 'spot-interruption', why: 'there is no spot node' },
      { scenario: 'capacity-block', why: 'no node is in a capacity block' },
      { scenario: 'scale-down', why: 'no static NodePool has more nodes than its replicas' },
      { scenario: 'job-end', why: 'no Job has a pod on a node' },
      { scenario: 'peak', why: 'no autoscaler allows more pods than a workload has' },
    ]);
  });

  test('skips all scenarios without any node', () => {
    const { reports, notSimulated, assumptions } = simulate(SCENARIO_NAMES, NO_PODS);
    expect({ reports, assumptions }).toEqual({ reports: [], assumptions: [] });
    expect(notSimulated!.map(({ scenario }) => scenario)).toEqual(SCENARIO_NAMES);
  });

  test('returns each assumption once, with its scenarios if it does not hold for all', () => {
    expect(simulate(['drift', 'zone-outage', 'expiration', 'peak']).assumptions).toEqual([
      'the simulation starts at 2026-01-05T12:00:00.000Z, with all scheduled pods ready',
      'a node is ready 60 seconds after its launch; a pod is ready 20 seconds after it is bound, and stops within 10 seconds',
      'the simulation ends after 7 days, except in expiration',
      'EC2 has capacity for every instance type, and launches the cheapest',
      'in drift: every node has drifted, as after a new AMI',
      expect.stringMatching(/^in zone-outage: somebody deletes the nodes of the failed zone/),
    ]);
  });

  test.each<[string, SimulatedScenario[], unknown]>([
    [
      'the horizon if one scenario has it',
      ['expiration', 'drift'],
      expect.objectContaining({ nodeStart: 60, horizon: 604_800 }),
    ],
    [
      'no horizon if no scenario has one',
      ['expiration', 'peak'],
      expect.not.objectContaining({ horizon: expect.anything() }),
    ],
  ])('returns times with %s', (_, names, times) => {
    expect(simulate(names).times).toEqual(times);
  });

  test('throws UnknownTargetError if the object to delete does not exist', () => {
    expect(() =>
      simulateScenarios(readSession(SOURCES, OPTIONS), ['drift', 'deletion'], { of: { kind: 'node', name: 'other' } }),
    ).toThrow(UnknownTargetError);
  });
});
