import { readFileSync } from 'fs';
import { join } from 'path';
import { RULES } from '../../../src/validation/rules';
import { rulesDocument } from '../../../tools/docs/rules-doc';

describe('docs/rules.md', () => {
  test('equals the output of `tsx tools/docs/rules-doc.ts`', () => {
    expect(readFileSync(join(__dirname, '../../../docs/rules.md'), 'utf8')).toBe(rulesDocument(RULES));
  });

  test('lists every rule with a link to its page, and with the anchor that older SARIF logs link to', () => {
    const document = rulesDocument(RULES);
    expect(
      RULES.filter(({ id }) => !document.includes(`<a id="${id.toLowerCase()}"></a>[${id}](rules/${id}.md) |`)),
    ).toEqual([]);
  });
});

test('CONTRIBUTING shows a rule as it is in the source', () => {
  const root = join(__dirname, '../../..');
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, path, code] = /`(src\/validation\/rules\/\S+\.ts)`:\n\n```ts\n(.*?)```/s.exec(guide) ?? [];
  expect(code).toBe(readFileSync(join(root, path), 'utf8'));
});
