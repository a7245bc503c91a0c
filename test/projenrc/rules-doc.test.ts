import { readFileSync } from 'fs';
import { join } from 'path';
import { rulesDocument } from '../../projenrc/rules-doc';
import { RULES } from '../../src/validation/rules';

describe('docs/rules.md', () => {
  test('is what `tsx projenrc/rules-doc.ts` writes', () => {
    expect(readFileSync(join(__dirname, '../../docs/rules.md'), 'utf8')).toBe(rulesDocument(RULES));
  });

  test('lists every rule, where SARIF logs point to', () => {
    const document = rulesDocument(RULES);
    expect(RULES.filter(({ id }) => !document.includes(`<a id="${id.toLowerCase()}"></a>${id} |`))).toEqual([]);
  });
});
