import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { newFolder, run } from './run';

const EXAMPLE = join(__dirname, '../../examples/how-to/cheaper');
const FILES = ['nodepools.yaml', 'workloads.yaml'];
/** The documents of the example that are about GPUs, whose search takes a tenth of the time. */
const ONLY_GPU = FILES.map((file) =>
  readFileSync(join(EXAMPLE, file), 'utf8')
    .split(/^---\n/m)
    .filter((document) => /nvidia\.com\/gpu|kind: EC2NodeClass/.test(document))
    .join('---\n'),
);

describe('recommend', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recommend-'));
    for (const [index, file] of FILES.entries()) writeFileSync(join(folder, file), ONLY_GPU[index]);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('prints the price, the recommendation with its patch, and how many changes were tried', async () => {
    const { code, out, err } = await run(['recommend', folder]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^You pay \$6\.21\/h \(\$5\.41\/h after consolidation\)\. 1 change makes it \$2\.41\/h\./);
    expect(out).toContain('+        - key: karpenter.k8s.aws/instance-cpu');
    expect(out).toMatch(/- \d+ changes tried\n- prices of \d{4}-\d\d-\d\d\n$/);
  });

  test('writes the changes as edits in JSON', async () => {
    const { out } = await run(['recommend', folder, '--format', 'json']);
    const [{ changes, after, ...rest }] = JSON.parse(out).recommendations;
    expect(changes).toMatchObject([
      { nodePool: 'gpu', description: 'launch nodes of at most 4 CPUs', fix: { file: join(folder, FILES[0]) } },
    ]);
    expect([after.usdPerHour, Object.keys(rest)]).toEqual([2.4144, ['before', 'constructs']]);
  });

  test('makes the changes with --apply, after which a plain check says the price', async () => {
    const { code, err } = await run(['recommend', folder, '--apply', '1']);
    expect([code, err]).toEqual([
      0,
      `changed ${join(folder, FILES[0])}:58: NodePool gpu, launch nodes of at most 4 CPUs\n`,
    ]);
    expect(readFileSync(join(folder, FILES[0]), 'utf8')).toContain('values: ["5"]');
    const { out } = await run(['check', folder, '--format', 'json']);
    expect(JSON.parse(out).summary.cost.usdPerHour).toBe(2.4144);
  });

  test('changes each file of a recommendation, and keeps its comments and other documents', async () => {
    // One workload of each NodePool: to search changes for all five takes twice as long.
    const workloads = readFileSync(join(EXAMPLE, FILES[1]), 'utf8').split(/^---\n/m);
    const two = workloads.filter((document) => /^ {2}name: (search|inference)$/m.test(document));
    writeFileSync(join(folder, FILES[1]), two.join('---\n'));
    const [general, gpu] = readFileSync(join(EXAMPLE, FILES[0]), 'utf8').split(/^(?=---\n)/m);
    const rest = readFileSync(join(EXAMPLE, FILES[0]), 'utf8').slice(general.length + gpu.length);
    writeFileSync(join(folder, FILES[0]), `# The pools of the shop.\n${general}${rest}`);
    writeFileSync(join(folder, 'gpu.yaml'), `${gpu.slice(4)}# Ask the model team first.\n`);
    const { recommendations } = JSON.parse((await run(['recommend', folder, '--format', 'json'])).out);
    const number = recommendations.findIndex(
      ({ changes }: { changes: Array<{ nodePool: string }> }) =>
        new Set(changes.map((change) => change.nodePool)).size > 1,
    );
    expect(number).toBeGreaterThanOrEqual(0);
    const { code, err } = await run(['recommend', folder, '--apply', String(number + 1)]);
    expect([code, err.split('\n').length]).toEqual([0, 3]);
    const [pools, gpuPool] = [FILES[0], 'gpu.yaml'].map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(pools.startsWith('# The pools of the shop.\n')).toBe(true);
    expect(gpuPool.endsWith('# Ask the model team first.\n')).toBe(true);
    expect([pools.includes(`${general}${rest}`), pools.endsWith(rest)]).toEqual([false, true]);
    const { out } = await run(['check', folder, '--format', 'json']);
    expect(JSON.parse(out).summary.cost.usdPerHour).toBe(recommendations[number].after.usdPerHour);
  });

  test('names a file that cannot be read, and ends with exit code 2', async () => {
    writeFileSync(join(folder, 'broken.yaml'), 'apiVersion: v1\nkind: Pod\na: [');
    const { code, out, err } = await run(['recommend', folder]);
    expect([code, out.startsWith('You pay $6.21/h (')]).toEqual([2, true]);
    expect(err).toContain(`error: ${join(folder, 'broken.yaml')}:`);
  });

  test('has no patch for standard input, and refuses to apply one', async () => {
    const { code, out, err } = await run(['recommend', '-', '--apply', '1'], ONLY_GPU.join('---\n'));
    expect(out).toContain('   Requirements for NodePool gpu, which is in no file that can be changed:\n');
    expect(out).not.toContain('+++');
    expect([code, err]).toEqual([
      2,
      'error: --apply: a NodePool of recommendation 1 is in no file that can be changed; write its requirements where the NodePool is made\n',
    ]);
  });

  test('says that there is no such recommendation', async () => {
    const { code, err } = await run(['recommend', folder, '--apply', '7']);
    expect([code, err]).toEqual([2, 'error: --apply: there is no recommendation 7; there are 3 recommendations\n']);
  });

  test('rejects a number that is none', async () => {
    const { code, err } = await run(['recommend', folder, '--apply', 'best']);
    expect([code, err.includes('write the number of a recommendation, such as 1')]).toEqual([2, true]);
  });

  test('searches each root of a repository, and names those without a cheaper NodePool in one line', async () => {
    const kustomization = `resources: [${FILES.join(', ')}]\n`;
    const repository = newFolder({
      ...Object.fromEntries(
        ['shop', 'other'].flatMap((app) => [
          [`${app}/kustomization.yaml`, app === 'shop' ? kustomization : 'resources: [config.yaml]\n'],
          ...(app === 'shop' ? FILES : []).map((file, index) => [`${app}/${file}`, ONLY_GPU[index]]),
        ]),
      ),
      'other/config.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: one }\nspec: { nodeName: a, containers: [{ name: main }] }\n',
    });
    const { code, out, err } = await run(['recommend', repository]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^2 roots, which are deployed separately; 1 can be made cheaper\.\n/);
    expect(out).toMatch(/== [^\n]*shop ==\nYou pay \$6\.21\/h \(\$5\.41\/h after consolidation\)\./);
    expect(out).toMatch(/- [^\n]*other[^\n]*: no node is launched, so there is nothing to make cheaper\n$/);
    const { roots } = JSON.parse((await run(['recommend', repository, '--format', 'json'])).out);
    expect(roots.map(({ recommendations }: { recommendations: unknown[] }) => recommendations.length)).toEqual([0, 3]);
    expect(await run(['recommend', repository, '--apply', '1'])).toMatchObject({ code: 2 });
  });
});
