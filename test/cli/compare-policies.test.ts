import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool } from '../validation/setup';

const REQUEST = 'cpu: 1, memory: 1Gi';
const AUTOSCALER =
  '{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {minReplicas: 1, maxReplicas: 4, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}\n';
const SETUP = [NODE_CLASS, nodePool(['m5.large', 'm5.xlarge']), deployment('web', 2, REQUEST), AUTOSCALER].join(
  '---\n',
);
const compare = (...args: string[]) => run(['check', '-', '--compare-policies', ...args], SETUP);

const load = (deploymentName: string, values: ReadonlyArray<readonly [number, string]>) =>
  JSON.stringify({
    status: 'success',
    data: { resultType: 'matrix', result: [{ metric: { namespace: 'default', deployment: deploymentName }, values }] },
  });
const folder = folderOf({
  'load.json': load('web', [
    [1_767_600_000, '1'],
    [1_767_607_200, '3'],
    [1_767_614_400, '1'],
  ]),
  'unknown.json': load('wbe', [
    [1_767_600_000, '1'],
    [1_767_607_200, '3'],
  ]),
  'cpu.json': load('web', [
    [1_767_600_000, '0.3'],
    [1_767_607_200, '3'],
  ]),
});

describe('check --compare-policies', () => {
  test('prints a line for each policy, the one to choose with its price, and what is assumed', async () => {
    const { code, out } = await compare();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^1 day from 2026-01-05T00:00Z\n\nPOLICY +AFTER +NODE-HOURS +A DAY +EVICTIONS +LAUNCHES +LIFETIME +PENDING +LOWEST READY\nWhenEmpty +0 s +[\d.]+ +\$[\d.]+ +0 +\d+ /,
    );
    expect(out).toMatch(/\n(Keep|Choose) .*: \$[\d.]+\/day, /);
    expect(out).toContain(
      'each HorizontalPodAutoscaler and ScaledObject follows a cosine from its fewest replicas at 04:00',
    );
    expect(out).toContain('each Deployment is rolled out once, one after the other from 09:00 to 17:00 UTC');
  });

  test('prints the same figures as JSON', async () => {
    const { out } = await compare('--format', 'json', '--rollouts', '0', '--karpenter-version', '1.8');
    const { policies, seconds, assumptions } = JSON.parse(out);
    expect(seconds).toBe(86_400);
    expect(policies.filter(({ isWritten }: { isWritten: boolean }) => isWritten)).toHaveLength(1);
    // Karpenter 1.8 has no policy Balanced.
    expect(new Set(policies.map(({ policy }: { policy: string }) => policy))).toEqual(
      new Set(['WhenEmpty', 'WhenEmptyOrUnderutilized']),
    );
    expect(assumptions).toContain('no Deployment is rolled out');
  });

  test('plays the replicas of a load file', async () => {
    const { out } = await compare('--load', `${folder}/load.json`, '--format', 'json');
    const { start, seconds, assumptions } = JSON.parse(out);
    expect([start, seconds]).toEqual(['2026-01-05T08:00:00.000Z', 14_400]);
    expect(assumptions[0]).toBe('replicas are those of the load file, over 4 h');
  });

  test.each([
    [['--load', `${folder}/none.json`], '--load: '],
    [
      ['--load', `${folder}/unknown.json`],
      `--load: ${folder}/unknown.json: data.result[0] is of Deployment default/wbe, which is not among the workloads`,
    ],
    [['--load', `${folder}/cpu.json`], `cpu.json: data.result[0].values[0] is "0.3", which is no count of replicas`],
    [['--job-duration', 'soon'], '--job-duration: "soon" is not a duration in whole seconds'],
    [['--job-duration', 'report=5m'], '--job-duration: there is no Job or CronJob "report"; the manifests have none'],
    [['--rollouts', '11'], '--rollouts: "11" is not a number from 0 to 10'],
    [['--scenario', 'drift'], '--compare-policies: plays a day instead of scenarios'],
    [['--times', 'horizon=2h'], '--times: --compare-policies always plays a day'],
    [['--format', 'html'], '--compare-policies: cannot be written as html'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await compare(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('refuses its options without it', async () => {
    const { code, err } = await run(['check', '-', '--load', 'x.json'], SETUP);
    expect([code, err]).toEqual([2, expect.stringContaining('--load: only --compare-policies uses it')]);
  });
});
