/**
 * Runs programs that write to the console.
 *
 * @jest-environment node
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAsUser } from './run-as-user';
import { run } from '../cli/run';
import { bundleSource } from '../support/command-line';

const ROOT = join(__dirname, '../..');

test('docs/start/demo.md shows exactly the output of the demo', async () => {
  const program = join(mkdtempSync(join(tmpdir(), 'demo-')), 'demo.js');
  await bundleSource('examples/demo.ts', program);
  const env = { ...process.env, NODE_PATH: join(ROOT, 'node_modules') };
  const demo = spawnSync(process.execPath, [program], { cwd: ROOT, encoding: 'utf8', env });
  expect(demo.stderr).toBe('');
  const [, block] = /```text\n(.*?)```/s.exec(readFileSync(join(ROOT, 'docs/start/demo.md'), 'utf8')) ?? [];
  expect(block?.trim()).toBe(demo.stdout.trim());
});

describe('the first program in README.md', () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  beforeAll(() => process.chdir(folder));
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  test('writes the manifest and the verdict, and prints exactly the text below it', () => {
    const [, program, printed] =
      /```ts\n(.*?)```.*?and prints\n\n```text\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    runAsUser(program);
    expect(stderr.mock.calls.join('')).toBe(printed);
    expect(readdirSync('dist').sort()).toEqual(['karpenter-verdict.json', 'shop.k8s.yaml']);
    stderr.mockRestore();
  });
});

test('docs/explain.md shows exactly the output of explain for its example', async () => {
  const { code, out } = await run(['explain', join(ROOT, 'examples/explain/shop.yaml'), '--pod', 'shop/report']);
  expect(code).toBe(0);
  const [, block] =
    /--pod shop\/report\n```\n\n```text\n(.*?)```/s.exec(readFileSync(join(ROOT, 'docs/explain.md'), 'utf8')) ?? [];
  expect(block?.trim()).toBe(out.trim());
});
