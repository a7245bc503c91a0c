import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

test('the README shows what the demo prints, word for word', () => {
  const demo = spawnSync(join(ROOT, 'node_modules/.bin/tsx'), ['examples/quickstart/main.ts'], { cwd: ROOT, encoding: 'utf8' });
  expect(demo.stderr).toBe('');
  const [, block] = /The first prints\n\n```text\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(block?.trim()).toBe(demo.stdout.trim());
});
