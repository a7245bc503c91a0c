import { run } from './run';
import { Played, SCENARIO_NAMES } from '../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');

describe('check --scenario', () => {
  test('prints what becomes of each workload after the verdict, and what is taken for granted', async () => {
    const { code, out } = await run(['check', '-', '--scenario', 'drift'], GOOD);
    expect(code).toBe(0);
    expect(out).toMatch(/^All 2 pods fit/);
    expect(out).toContain('  Deployment default/web: at least 0 of 2 ready, 2 evictions\n');
    expect(out).toContain('  - a node takes pods 60 seconds after it is asked for');
  });

  test('puts the reports into the JSON', async () => {
    const { out } = await run(['check', '-', '--scenario', 'drift', '--format', 'json'], GOOD);
    expect(JSON.parse(out).scenarios.reports[0]).toMatchObject({ scenario: 'drift', workloads: [{ workload: 'Deployment default/web', lowestReady: 0 }] });
  });

  test('plays with the times and from the moment that are given, and states them', async () => {
    const args = ['check', '-', '--scenario', 'drift', '--times', 'nodeStart=2m,podStart=30s', '--times', 'podStop=5s', '--at', '2026-01-05T03:00+01:00'];
    const { out } = await run(args, GOOD);
    expect(out).toContain('  - it begins at 2026-01-05T02:00:00.000Z');
    expect(out).toContain('  - a node takes pods 120 seconds after it is asked for, a pod is ready 30 seconds after it has a node, and gone 5 seconds after');
    const { start, times, reports } = JSON.parse((await run([...args, '--format', 'json'], GOOD)).out).scenarios;
    expect({ start, times }).toEqual({ start: '2026-01-05T02:00:00.000Z', times: { nodeStart: 120, podStart: 30, podStop: 5, horizon: 604800 } });
    expect(reports[0].timeline).toContainEqual({ second: 120, what: 'default-new-0 is up' });
  });

  test('states for how long Karpenter simulates where that is told, and is of consequence', async () => {
    const { out } = await run(['check', '-', '--scenario', 'drift', '--times', 'simulation=250ms'], GOOD);
    expect(out).toContain('  - Karpenter takes 250 ms for each node that it tries\n');
    expect((await run(['check', '-', '--scenario', 'drift', '--times', 'simulation=0s'], GOOD)).out).not.toContain('Karpenter takes');
  });

  test('begins in the hours of a budget when it is told to', async () => {
    const closed = GOOD.replace('  template:', '  disruption: { consolidateAfter: 0s, budgets: [{ nodes: "0", schedule: "0 9 * * *", duration: 8h }] }\n  template:');
    const first = async (at: string) => JSON.parse((await run(['check', '-', '--scenario', 'drift', '--format', 'json', '--at', at], closed)).out)
      .scenarios.reports[0].timeline[0].second;
    expect(await first('2026-01-05T12:00Z')).toBe(5 * 3600);
    expect(await first('2026-01-05T18:00Z')).toBe(0);
  });

  test.each([
    ['--times', 'podStrt=20s', 'no time of a scenario, got "podStrt"; write nodeStart, podStart, podStop, simulation, horizon'],
    ['--times', 'pod-start=20s', 'no time of a scenario, got "pod-start"; write podStart'],
    ['--times', 'podStart', 'not a duration of whole seconds, one at least, got "podStart"; write for example podStart=30s'],
    ['--times', 'nodeStart=1.5s', 'not a duration of whole seconds, one at least, got "nodeStart=1.5s"; write for example nodeStart=90s'],
    ['--times', 'nodeStart=90s=5m', 'not a duration of whole seconds, one at least, got "nodeStart=90s=5m"; write for example nodeStart=90s'],
    ['--times', 'podStop=0s', 'not a duration of whole seconds, one at least, got "podStop=0s"; write for example podStop=10s'],
    ['--times', 'simulation=2m', 'not a duration from 0s to 60s, got "simulation=2m"; write for example simulation=250ms'],
    ['--times', 'simulation=often', 'not a duration from 0s to 60s, got "simulation=often"; write for example simulation=250ms'],
    ['--times', ',', 'no time, got ","; write for example nodeStart=90s'],
    ['--at', 'noon', 'not a moment with its time zone, got "noon"; write for example 2026-01-05T12:00Z'],
    ['--at', '2026-01-05T12:00', 'not a moment with its time zone, got "2026-01-05T12:00"; write for example 2026-01-05T12:00Z'],
    ['--at', '2026-02-30T12:00Z', 'not a moment with its time zone, got "2026-02-30T12:00Z"; write for example 2026-01-05T12:00Z'],
  ])('refuses %s %s, and says what to write', async (flag, value, message) => {
    const { code, err } = await run(['check', '-', '--scenario', 'drift', flag, value], GOOD);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test.each([['--times', 'podStart=20s'], ['--at', '2026-01-05T12:00Z']])('refuses %s where no scenario is played', async (flag, value) => {
    const { code, err } = await run(['check', '-', flag, value], GOOD);
    expect(code).toBe(2);
    expect(err).toBe(`error: ${flag}: no scenario is played; add for example --scenario drift\n`);
  });

  test('plays the deletion of what --of names', async () => {
    const { code, out } = await run(['check', '-', '--scenario', 'deletion', '--of', 'nodepool/default'], GOOD);
    expect(code).toBe(0);
    expect(out).toContain('deletion of NodePool default: ');
    expect(out).toContain('NodePool default is deleted, and its NodeClaims with it\n');
  });

  test.each([
    [['--scenario', 'drift', '--of', 'nodepool/default'], 'error: --of: nothing is deleted; add --scenario deletion\n'],
    [['--scenario', 'drift,peak', '--of', 'nodepool/default'], 'error: --of: nothing is deleted; add --scenario deletion\n'],
    [['--scenario', ','], 'no scenario, got ","; write for example drift'],
    [['--scenario', 'drift,flood'], 'no scenario, got "flood"; write consolidation, '],
    [['--scenario', 'deletion', '--of', 'default'], 'not a kind and a name, got "default"; write for example nodepool/default'],
    [['--scenario', 'all', '--of', 'nodepool/other'], 'error: --of: there is no such nodepool, got "other"; write for example nodepool/default\n'],
    [['--scenario', 'deletion', '--of', 'nodepool/other'], 'error: --of: there is no such nodepool, got "other"; write for example nodepool/default\n'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await run(['check', '-', ...args], GOOD);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('names the scenarios that there are', async () => {
    const { code, err } = await run(['check', '-', '--scenario', 'flood'], GOOD);
    expect(code).toBe(2);
    expect(err).toContain('consolidation, spot-interruption, zone-outage, drift, expiration, capacity-block, node-repair, deletion, scale-down, job-end, peak, or all');
  });
});

describe('check with several scenarios', () => {
  /** The scenarios of the reports, and those that nothing is played of, each once. */
  async function scenariosOf(...args: string[]): Promise<{ played: string[]; not: string[] }> {
    const { code, out } = await run(['check', '-', '--format', 'json', ...args], GOOD);
    expect(code).toBe(0);
    const { reports, notPlayed } = JSON.parse(out).scenarios as Played;
    return { played: [...new Set(reports.map(({ scenario }) => scenario))], not: notPlayed!.map(({ scenario }) => scenario) };
  }

  test.each([
    ['by commas', ['--scenario', 'zone-outage, drift']],
    ['one after the other', ['--scenario', 'zone-outage', '--scenario', 'drift']],
    ['each once', ['--scenario', 'zone-outage,drift', '--scenario', 'zone-outage']],
  ])('plays them in the order in which they are given, %s', async (_, args) => {
    expect(await scenariosOf(...args)).toEqual({ played: ['zone-outage', 'drift'], not: [] });
  });

  test('plays all that can happen, and names the others', async () => {
    const { played, not } = await scenariosOf('--scenario', 'all');
    expect(played).toEqual(['consolidation', 'zone-outage', 'drift', 'expiration', 'node-repair', 'deletion']);
    expect([...played, ...not].sort()).toEqual([...SCENARIO_NAMES].sort());
  });

  test('begins all with those that are given before all', async () => {
    expect((await scenariosOf('--scenario', 'deletion,all')).played).toEqual(['deletion', 'consolidation', 'zone-outage', 'drift', 'expiration', 'node-repair']);
  });

  test('plays one that is given twice as one', async () => {
    const [once, twice] = [await run(['check', '-', '--scenario', 'drift', '--format', 'json'], GOOD), await run(['check', '-', '--scenario', 'drift,drift', '--format', 'json'], GOOD)];
    expect(twice).toEqual(once);
  });

  test('prints how each comes out, then each by itself, and what is taken for granted once', async () => {
    const { code, out } = await run(['check', '-', '--scenario', 'drift,job-end,expiration'], GOOD);
    expect(code).toBe(0);
    expect(out).toMatch(/\nScenario {6}Nodes {2}USD per hour {2}Takes {6}What becomes of it\n {2}drift [^]*\n {2}expiration [^]*\n {2}job-end {5}nothing to play: no Job has a pod on a node\n\ndrift: 1 node[^]*\nexpiration: 1 node/);
    expect(out.match(/ {2}- it begins at /g)).toHaveLength(1);
  });

  test('has the same exit code as the verdict has without', async () => {
    const big = [GOOD, deployment('big', 1, 'cpu: 90')].join('---\n');
    expect((await run(['check', '-', '--scenario', 'all'], big)).code).toBe(1);
    expect((await run(['check', '-', '--scenario', 'all', '--fail-on', 'never'], big)).code).toBe(0);
  });

  test('holds times and beginning for all of them', async () => {
    const { out } = await run(['check', '-', '--scenario', 'drift,zone-outage', '--times', 'nodeStart=2m', '--at', '2026-01-05T03:00Z', '--format', 'json'], GOOD);
    const { start, times, reports } = JSON.parse(out).scenarios as Played;
    expect({ start, nodeStart: times!.nodeStart }).toEqual({ start: '2026-01-05T03:00:00.000Z', nodeStart: 120 });
    const took = reports.map(({ timeline }) => ['is launched', 'is up'].map((what) => timeline.find((entry) => entry.what.includes(what))!.second));
    expect(took.map(([launched, up]) => up - launched)).toEqual([120, 120]);
  });

  test.each(['all', 'zone-outage,deletion'])('plays the deletion of what --of names among %s', async (names) => {
    const { out } = await run(['check', '-', '--scenario', names, '--of', 'nodepool/default'], GOOD);
    expect(out).toContain('deletion of NodePool default: ');
    expect(out).toContain('zone-outage of us-east-1a: ');
  });

  test('has nothing to play, and does not fail, where there are no pods', async () => {
    const { code, out } = await run(['check', '-', '--scenario', 'all'], [NODE_CLASS, nodePool(['m5.large'])].join('---\n'));
    expect(code).toBe(0);
    expect(out.match(/nothing to play: /g)).toHaveLength(SCENARIO_NAMES.length);
  });
});
