import { join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');
const BIG = [GOOD, deployment('big', 1, 'cpu: 64, memory: 1Gi')].join('---\n');
const LOOSE = GOOD.replace(/.*capacity-type.*\n/, '');
const SPREAD = [
  NODE_CLASS,
  nodePool(['m7i.large', 'm7i.xlarge', 'm7i.2xlarge']),
  deployment(
    'api',
    9,
    'cpu: 700m, memory: 2Gi',
    '      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: api } } }] } }\n',
  ),
].join('---\n');
const spreadWith = (replicas: number) => [SPREAD, deployment('web', replicas, 'cpu: 850m, memory: 1Gi')].join('---\n');
const folder = folderOf({
  'spread.yaml': spreadWith(14),
  'fewer.yaml': spreadWith(9),
  'good/app.yaml': GOOD,
  'big.yaml': BIG,
  'loose.yaml': LOOSE,
  'broken.yaml': 'a: [',
});
const [good, big, loose, broken] = ['good', 'big.yaml', 'loose.yaml', 'broken.yaml'].map((name) => join(folder, name));
const [spread, fewer] = ['spread.yaml', 'fewer.yaml'].map((name) => join(folder, name));

async function verdictOf(args: readonly string[]) {
  return JSON.parse((await run([...args, '--format', 'json'])).out);
}

describe('diff', () => {
  test('prints the effect of a change, and exits with 1 for a new error', async () => {
    const { code, out } = await run(['diff', good, big]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^\$0\.0960\/h \(\$70\/month\); 1 new node; 2 of 2 → 2 of 3 pods fit\.\n1 new error \(KARP-\d+\)/,
    );
    expect(out).toContain('Deployment big is added');
  });

  test('exits with 0 for an old error', async () => {
    expect(await run(['diff', big, big])).toEqual({ code: 0, out: 'Nothing changes.\n', err: '' });
    expect((await run(['diff', big, good])).code).toBe(0);
  });

  test('exits with 1 for a new warning with --fail-on warning', async () => {
    expect((await run(['diff', good, loose])).code).toBe(0);
    expect((await run(['diff', good, loose, '--fail-on', 'warning'])).code).toBe(1);
    expect((await run(['diff', good, big, '--fail-on', 'never'])).code).toBe(0);
  });

  test('reads one side from standard input, and prints JSON', async () => {
    const { out } = await run(['diff', good, '-', '--format', 'json'], BIG);
    expect(JSON.parse(out)).toMatchObject({
      schemaVersion: '1',
      objects: [{ name: 'big', change: 'added' }],
      unschedulable: [{ pod: 'default/big-0' }],
    });
  });

  test('compares the settled fleets that check shows, with the range of random names', async () => {
    const [old, now, firstPass] = await Promise.all([
      verdictOf(['check', spread]),
      verdictOf(['check', fewer]),
      verdictOf(['diff', spread, fewer, '--first-pass']),
    ]);
    const difference = await verdictOf(['diff', spread, fewer]);
    expect(difference.summary).toEqual({ before: old.summary, after: now.summary });
    expect(difference.settled).toEqual({ before: old.settled, after: now.settled });
    expect(firstPass.summary.after.cost).not.toEqual(now.summary.cost);
    expect(firstPass.settled).toBeUndefined();
    expect((await run(['diff', spread, fewer])).out).toMatch(/\nDepending on random names: .* → .*\/h to .*\/h\.\n/);
  });

  describe('--path', () => {
    const tree = folderOf({
      'old/pools/pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
      'old/other/broken.yaml': 'kind: [',
      'new/pools/pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
      'new/apps/web.yaml': deployment('web', 2, SMALL),
    });
    const sides = ['diff', join(tree, 'old'), join(tree, 'new')];

    test('compares several paths inside both folders, and takes a path that is missing on one side as empty', async () => {
      const { code, out } = await run([...sides, '--path', 'pools', '--path', 'apps']);
      expect(code).toBe(0);
      expect(out).toMatch(/; 0 → 1 new node; 0 of 0 → 2 of 2 pods fit\.\n/);
      expect(out).toContain('Deployment web is added');
    });

    test('compares nothing with something if no path is on one side', async () => {
      expect((await run([...sides, '--path', 'apps'])).out).toContain('Deployment web is added');
      expect((await run(['diff', join(tree, 'new'), join(tree, 'old'), '--path', 'apps'])).out).toContain(
        'Deployment web is removed',
      );
    });

    test('rejects a path that is on neither side, and standard input', async () => {
      expect((await run([...sides, '--path', 'app'])).err).toMatch(
        /^error: --path: "app" is neither in .*old nor in .*new\n$/,
      );
      expect((await run(['diff', good, '-', '--path', 'apps'])).err).toBe(
        'error: --path: standard input has no paths; name two folders\n',
      );
    });
  });

  test('prints Markdown', async () => {
    expect((await run(['diff', good, big, '--format', 'markdown'])).out).toMatch(
      /^## \\\$0\.0960\/h .*; 2 of 2 → 2 of 3 pods fit\.\n[^]*<summary>1 new error<\/summary>/,
    );
  });

  test('uses the options of check for both sides', async () => {
    const { out } = await run(['diff', good, loose, '--format', 'json', '--region', 'eu-west-1']);
    expect(JSON.parse(out).assumptions).toContainEqual(expect.stringContaining('eu-west-1'));
  });

  test.each([
    [[broken, good], 'broken.yaml:1:'],
    [[good, broken], 'broken.yaml:1:'],
    [[good, '/nowhere'], '/nowhere'],
    [['-', '-'], 'standard input already contains the manifests before the change; name a file or folder'],
    [[good], "missing required argument 'after'"],
  ])('exits with 2 without output for %j', async (paths, message) => {
    const { code, out, err } = await run(['diff', ...paths], GOOD);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});
