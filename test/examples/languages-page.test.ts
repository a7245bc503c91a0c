import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test.each([
  ['ts', 'shop.ts'],
  ['python', 'python/shop.py'],
  ['java', 'java/Shop.java'],
  ['go', 'go/shop/main.go'],
])('docs/languages.md contains the %s program examples/languages/%s unchanged', (fence, file) => {
  const program = read(`examples/languages/${file}`).replace("'../../src'", "'karpenter-constructs'");
  expect(read('docs/languages.md')).toContain(`\`\`\`${fence}\n${program}\`\`\`\n`);
});

test.each([
  ['python', 'python/start.py'],
  ['java', 'java/Start.java'],
  ['go', 'go/start/main.go'],
])('docs/start/languages.md contains the %s program examples/languages/%s unchanged', (fence, file) => {
  expect(read('docs/start/languages.md')).toContain(`\`\`\`${fence}\n${read(`examples/languages/${file}`)}\`\`\`\n`);
});
