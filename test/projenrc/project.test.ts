import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');

test('compile builds the kernel first, because the generated kernel is not in the repository', () => {
  expect(read('.gitignore')).toContain('/src/kernel/packer.generated.ts\n');
  expect(JSON.parse(read('.projen/tasks.json')).tasks.compile.steps[0]).toEqual({ spawn: 'kernel' });
});

test('package metadata and README state the same maturity', () => {
  const [, maturity] = /^\*\*Maturity: (\w+)\.\*\*/m.exec(read('README.md')) ?? [];
  expect(JSON.parse(read('package.json')).stability).toBe(maturity);
});
