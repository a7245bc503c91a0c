import { readFileSync } from 'fs';
import { join } from 'path';
import { convert } from './setup';
import { programOf } from './typescript/program';

const read = (file: string) => readFileSync(join(__dirname, '..', '..', file), 'utf8');
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block);

test('docs/conversion.md shows the output for its example', () => {
  const [before, after] = blocks(read('docs/conversion.md'), 'yaml');
  expect(convert(before).text).toBe(after);
});

test('docs/conversion.md shows the program for its example', () => {
  const section = read('docs/conversion.md').split('## Example: a Provisioner as a program')[1];
  const [before] = blocks(section, 'yaml');
  const [after] = blocks(section, 'typescript');
  expect(programOf(convert(before).text)).toBe(after);
});
