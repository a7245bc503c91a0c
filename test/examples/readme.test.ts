import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../cli/run';

const ROOT = join(__dirname, '../..');

test('the README shows what the demo prints, word for word', () => {
  const demo = spawnSync(join(ROOT, 'node_modules/.bin/tsx'), ['examples/demo.ts'], { cwd: ROOT, encoding: 'utf8' });
  expect(demo.stderr).toBe('');
  const [, block] = /The first prints\n\n```text\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(block?.trim()).toBe(demo.stdout.trim());
});

test('the README shows what explain prints of its example, word for word', async () => {
  const { code, out } = await run(['explain', join(ROOT, 'examples/explain/shop.yaml'), '--pod', 'shop/report']);
  expect(code).toBe(0);
  const [, block] = /--pod shop\/report\n```\n\n```text\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(block?.trim()).toBe(out.trim());
});
