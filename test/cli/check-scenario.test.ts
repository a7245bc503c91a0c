import { run } from './run';
import { ScenarioResult, SCENARIO_NAMES } from '../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');

describe('check --scenario', () => {
  test('prints the impact on each workload after the verdict, and the assumptions', async () => {
    const { code, out } = await run(['check', '-', '--scenario', 'drift'], GOOD);
    expect(code).toBe(0);
    expect(out).toMatch(/^All 2 pods fit/);
    expect(out).toContain('  Deployment default/web: at least 0 of 2 pods ready, 2 evictions\n');
    expect(out).toContain('  - a node is ready 60 seconds after its launch');
  });

  test('includes the reports in the JSON', async () => {
    const { out } = await run(['check', '-', '--scenario', 'drift', '--format', 'json'], GOOD);
    expect(JSON.parse(out).scenarios.reports[0]).toMatchObject({
      scenario: 'drift',
      workloads: [{ workload: 'Deployment default/web', lowestReady: 0 }],
    });
  });

  test('simulates with the given times and start, and prints them', async () => {
    const args = [
      'check',
      '-',
      '--scenario',
      'drift',
      '--times',
      'nodeStart=2m,podStart=30s',
      '--times',
      'podStop=5s',
      '--at',
      '2026-01-05T03:00+01:00',
    ];
    const { out } = await run(args, GOOD);
    expect(out).toContain('  - the simulation starts at 2026-01-05T02:00:00.000Z');
    expect(out).toContain(
      '  - a node is ready 120 seconds after its launch; a pod is ready 30 seconds after it is bound, and stops within 5 seconds',
    );
    const { start, times, reports } = JSON.parse((await run([...args, '--format', 'json'], GOOD)).out).scenarios;
    expect({ start, times }).toEqual({
      start: '2026-01-05T02:00:00.000Z',
      times: { nodeStart: 120, podStart: 30, podStop: 5, horizon: 604800 },
    });
    expect(reports[0].timeline).toContainEqual({ second: 120, what: 'default-new-0 is up' });
  });

  test('rolls out each Deployment by its strategy', async () => {
    const { out } = await run(['check', '-', '--scenario', 'rollout'], GOOD);
    expect(out).toMatch(
      /\nrollout of Deployment default\/web: 1 node, done after .*\n {2}launches 1 node: at most 2 instead of 1 node, /,
    );
  });

  test('takes the name of what is scarce with the scenario', async () => {
    const { out } = await run(['check', '-', '--scenario', 'no-type=m5,quota 1,reservation-full'], GOOD);
    expect(out).toContain('\nno-type of m5: 1 → 0 nodes');
    expect(out).toContain('\n  nodes by instance family: m5 1 → 0\n');
    expect(out).toContain('\nquota of 1 vCPU: 1 → 0 nodes');
    expect(out).toContain('nothing to simulate: no node is in a capacity reservation');
    expect(out).toContain('EC2 has capacity for every instance type, and launches the cheapest, except for what');
  });

  test.each([
    ['quota', '--scenario: "quota" needs the on-demand vCPUs of the quota; write for example \'quota 64\''],
    ['no-spt', '--scenario: unknown scenario "no-spt"; did you mean "no-spot"?'],
  ])('refuses the scenario %s', async (name, message) => {
    const { code, err } = await run(['check', '-', '--scenario', name], GOOD);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("prints the duration of Karpenter's simulations if it matters", async () => {
    const { out } = await run(['check', '-', '--scenario', 'drift', '--times', 'simulation=250ms'], GOOD);
    expect(out).toContain('  - Karpenter needs 250 ms to simulate the removal of a node\n');
    expect((await run(['check', '-', '--scenario', 'drift', '--times', 'simulation=0s'], GOOD)).out).not.toContain(
      'Karpenter needs',
    );
  });

  test('starts within the schedule of a budget with --at', async () => {
    const closed = GOOD.replace(
      '  template:',
      '  disruption: { consolidateAfter: 0s, budgets: [{ nodes: "0", schedule: "0 9 * * *", duration: 8h }] }\n  template:',
    );
    const first = async (at: string) =>
      JSON.parse((await run(['check', '-', '--scenario', 'drift', '--format', 'json', '--at', at], closed)).out)
        .scenarios.reports[0].timeline[0].second;
    expect(await first('2026-01-05T12:00Z')).toBe(5 * 3600);
    expect(await first('2026-01-05T18:00Z')).toBe(0);
  });

  test.each([
    ['--times', 'podStrt=20s', '--times: unknown time "podStrt"; did you mean "podStart"?'],
    ['--times', 'pod-start=20s', '--times: unknown time "pod-start"; did you mean "podStart"?'],
    [
      '--times',
      'podStart',
      '--times: "podStart" is not a duration in whole seconds, from 1s on; write for example podStart=30s',
    ],
    [
      '--times',
      'nodeStart=1.5s',
      '--times: "nodeStart=1.5s" is not a duration in whole seconds, from 1s on; write for example nodeStart=90s',
    ],
    [
      '--times',
      'nodeStart=90s=5m',
      '--times: "nodeStart=90s=5m" is not a duration in whole seconds, from 1s on; write for example nodeStart=90s',
    ],
    [
      '--times',
      'podStop=0s',
      '--times: "podStop=0s" is not a duration in whole seconds, from 1s on; write for example podStop=10s',
    ],
    [
      '--times',
      'simulation=2m',
      '--times: "simulation=2m" is not a duration from 0s to 60s; write for example simulation=250ms',
    ],
    [
      '--times',
      'simulation=often',
      '--times: "simulation=often" is not a duration from 0s to 60s; write for example simulation=250ms',
    ],
    ['--times', ',', '--times: "," sets no time; write for example nodeStart=90s'],
    ['--at', 'noon', '--at: "noon" is not a time with a time zone; write for example 2026-01-05T12:00Z'],
    [
      '--at',
      '2026-01-05T12:00',
      '--at: "2026-01-05T12:00" is not a time with a time zone; write for example 2026-01-05T12:00Z',
    ],
    [
      '--at',
      '2026-02-30T12:00Z',
      '--at: "2026-02-30T12:00Z" is not a time with a time zone; write for example 2026-01-05T12:00Z',
    ],
  ])('rejects %s %s, and says what to write', async (flag, value, message) => {
    const { code, err } = await run(['check', '-', '--scenario', 'drift', flag, value], GOOD);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test.each([
    ['--times', 'podStart=20s'],
    ['--at', '2026-01-05T12:00Z'],
  ])('rejects %s without a scenario', async (flag, value) => {
    const { code, err } = await run(['check', '-', flag, value], GOOD);
    expect(code).toBe(2);
    expect(err).toBe(`error: ${flag}: needs a scenario; add for example --scenario drift\n`);
  });

  test('simulates the deletion of the object of --of', async () => {
    const { code, out } = await run(['check', '-', '--scenario', 'deletion', '--of', 'nodepool/default'], GOOD);
    expect(code).toBe(0);
    expect(out).toContain('deletion of NodePool default: ');
    expect(out).toContain('NodePool default is deleted, and its NodeClaims with it\n');
  });

  test.each([
    [
      ['--scenario', 'drift', '--of', 'nodepool/default'],
      'error: --of: only the scenario deletion uses it; add --scenario deletion\n',
    ],
    [
      ['--scenario', 'drift,peak', '--of', 'nodepool/default'],
      'error: --of: only the scenario deletion uses it; add --scenario deletion\n',
    ],
    [['--scenario', ','], '--scenario: "," names no scenario; write for example drift'],
    [['--scenario', 'drift,flood'], '--scenario: unknown scenario "flood"; write consolidation, '],
    [['--scenario', 'drfit'], 'error: --scenario: unknown scenario "drfit"; did you mean "drift"?\n'],
    [
      ['--scenario', 'deletion', '--of', 'default'],
      '--of: "default" is not a kind and a name; write for example nodepool/default',
    ],
    [
      ['--scenario', 'all', '--of', 'nodepool/other'],
      'error: --of: there is no nodepool "other"; write for example nodepool/default\n',
    ],
    [
      ['--scenario', 'deletion', '--of', 'nodepool/other'],
      'error: --of: there is no nodepool "other"; write for example nodepool/default\n',
    ],
  ])('rejects %j', async (args, message) => {
    const { code, err } = await run(['check', '-', ...args], GOOD);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('lists the scenarios if none is similar', async () => {
    const { code, err } = await run(['check', '-', '--scenario', 'flood'], GOOD);
    expect(code).toBe(2);
    expect(err).toContain(
      'consolidation, spot-interruption, zone-outage, drift, expiration, capacity-block, node-repair, deletion, scale-down, job-end, peak, rollout, no-spot, no-type, no-type m7i, quota 64, subnet-full, reservation-full or all',
    );
  });
});

describe('check with several scenarios', () => {
  /** The scenarios with reports, and the skipped ones, each once. */
  async function scenariosOf(...args: string[]): Promise<{ simulated: string[]; skipped: string[] }> {
    const { code, out } = await run(['check', '-', '--format', 'json', ...args], GOOD);
    expect(code).toBe(0);
    const { reports, notSimulated } = JSON.parse(out).scenarios as ScenarioResult;
    return {
      simulated: [...new Set(reports.map(({ scenario }) => scenario))],
      skipped: notSimulated!.map(({ scenario }) => scenario),
    };
  }

  test.each([
    ['separated by commas', ['--scenario', 'zone-outage, drift']],
    ['as repeated options', ['--scenario', 'zone-outage', '--scenario', 'drift']],
    ['without duplicates', ['--scenario', 'zone-outage,drift', '--scenario', 'zone-outage']],
  ])('simulates scenarios in the given order, %s', async (_, args) => {
    expect(await scenariosOf(...args)).toEqual({ simulated: ['zone-outage', 'drift'], skipped: [] });
  });

  test('simulates all scenarios that can happen, and lists the others', async () => {
    const { simulated, skipped } = await scenariosOf('--scenario', 'all');
    expect(simulated).toEqual(['consolidation', 'zone-outage', 'drift', 'expiration', 'node-repair', 'deletion']);
    expect([...simulated, ...skipped].sort()).toEqual([...SCENARIO_NAMES].sort());
  });

  test('simulates scenarios that are given before all first', async () => {
    expect((await scenariosOf('--scenario', 'deletion,all')).simulated).toEqual([
      'deletion',
      'consolidation',
      'zone-outage',
      'drift',
      'expiration',
      'node-repair',
    ]);
  });

  test('simulates a scenario once that is given twice', async () => {
    const [once, twice] = [
      await run(['check', '-', '--scenario', 'drift', '--format', 'json'], GOOD),
      await run(['check', '-', '--scenario', 'drift,drift', '--format', 'json'], GOOD),
    ];
    expect(twice).toEqual(once);
  });

  test('prints a summary of all, then each scenario, and the assumptions once', async () => {
    const { code, out } = await run(['check', '-', '--scenario', 'drift,job-end,expiration'], GOOD);
    expect(code).toBe(0);
    expect(out).toMatch(
      /\nScenario {6}Nodes {2}\$\/h +Duration +Impact\n {2}drift [^]*\n {2}expiration [^]*\n {2}job-end {5}nothing to simulate: no Job has a pod on a node\n\ndrift: 1 node[^]*\nexpiration: 1 node/,
    );
    expect(out.match(/ {2}- the simulation starts at /g)).toHaveLength(1);
  });

  test('exits with the code of the verdict', async () => {
    const big = [GOOD, deployment('big', 1, 'cpu: 90')].join('---\n');
    expect((await run(['check', '-', '--scenario', 'all'], big)).code).toBe(1);
    expect((await run(['check', '-', '--scenario', 'all', '--fail-on', 'never'], big)).code).toBe(0);
  });

  test('uses times and start for all scenarios', async () => {
    const { out } = await run(
      [
        'check',
        '-',
        '--scenario',
        'drift,zone-outage',
        '--times',
        'nodeStart=2m',
        '--at',
        '2026-01-05T03:00Z',
        '--format',
        'json',
      ],
      GOOD,
    );
    const { start, times, reports } = JSON.parse(out).scenarios as ScenarioResult;
    expect({ start, nodeStart: times!.nodeStart }).toEqual({ start: '2026-01-05T03:00:00.000Z', nodeStart: 120 });
    const took = reports.map(({ timeline }) =>
      ['is launched', 'is up'].map((what) => timeline.find((entry) => entry.what.includes(what))!.second),
    );
    expect(took.map(([launched, up]) => up - launched)).toEqual([120, 120]);
  });

  test.each(['all', 'zone-outage,deletion'])('simulates the deletion of the object of --of among %s', async (names) => {
    const { out } = await run(['check', '-', '--scenario', names, '--of', 'nodepool/default'], GOOD);
    expect(out).toContain('deletion of NodePool default: ');
    expect(out).toContain('zone-outage of us-east-1a: ');
  });

  test('skips all scenarios, and exits with 0, without pods', async () => {
    const { code, out } = await run(
      ['check', '-', '--scenario', 'all'],
      [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
    );
    expect(code).toBe(0);
    expect(out.match(/nothing to simulate: /g)).toHaveLength(SCENARIO_NAMES.length);
  });
});
