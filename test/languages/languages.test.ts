import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeBindings } from './bindings';
import { buildGo, runGo } from './go';
import { buildJava, runJava } from './java';
import { buildPython, runPython, runPythonProject } from './python';
import { newFolder, PROGRAMS, removeBuild, ROOT, run } from './run';

const MANIFESTS = ['dist/shop.k8s.yaml', 'dist/karpenter-verdict.json'];
const TEMPLATE = ['dist/Account.template.json'];

/** Runs a program in a folder, and returns what it prints. */
type Start = (program: string, cwd: string) => Promise<string>;

interface Outcome {
  readonly printed: string;
  readonly written: readonly string[];
}

/** Runs a program in a folder of its own: what it prints, and what the files say that it writes. */
async function outcome(language: string, program: string, files: readonly string[], start: Start): Promise<Outcome> {
  const cwd = newFolder(language, program);
  const printed = await start(program, cwd);
  return { printed, written: files.map((file) => readFileSync(join(cwd, file), 'utf8')) };
}

const runTypeScript: Start = (program, cwd) =>
  run(join(ROOT, 'node_modules/.bin/tsx'), [join(PROGRAMS, `${program}.ts`)], cwd);

let shop: Outcome;
let account: Outcome;
beforeAll(async () => {
  shop = await outcome('TypeScript', 'shop', MANIFESTS, runTypeScript);
  account = await outcome('TypeScript', 'account', TEMPLATE, runTypeScript);
  await writeBindings();
});
afterAll(removeBuild);

describe('a project in Python, as cdk8s init and cdk init write it,', () => {
  beforeAll(buildPython);

  test('protects a Deployment of a newer cdk8s-plus with the mixin', async () => {
    expect(await runPythonProject('cdk8s_app', newFolder('Python', 'cdk8s_app'))).toBe('1 1\n');
  });

  test('deploys two charts and two objects to a cluster of aws-eks-v2', async () => {
    const printed = await runPythonProject('cdk_app', newFolder('Python', 'cdk_app'));
    expect(printed.trim().split('\n').at(-1)).toBe('2 charts, 2 objects');
  });
});

describe.each([
  ['Go', runGo, buildGo],
  ['Java', runJava, buildJava],
  ['Python', runPython, buildPython],
])('a program in %s', (language, start, build) => {
  beforeAll(build);

  test('writes the same manifests and verdict as in TypeScript, and reports a failing assertion', async () => {
    const { written, printed } = await outcome(language, 'shop', MANIFESTS, start);
    expect(written).toEqual(shop.written);
    expect(printed).toContain('to keep at least 3 pods ready during drift, got 2');
    expect(printed).toContain(shop.printed.trim());
  });

  test('fails on the starting program with the finding and its remedy', async () => {
    await expect(start('start', newFolder(language, 'start'))).rejects.toThrow(
      'each pod requests 8 CPUs, more than any of the 3 instance types that NodePool general allows',
    );
  });

  test('writes the template that it writes in TypeScript, and reads values back as they were given', async () => {
    const { written, printed } = await outcome(language, 'account', TEMPLATE, start);
    expect(written).toEqual(account.written);
    expect(printed.trim()).toBe('true');
  });
});
