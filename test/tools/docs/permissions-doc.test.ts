import { readFileSync } from 'fs';
import { join } from 'path';
import { CONTROLLER_STATEMENTS } from '../../../src/contract';
import { permissionsDocument } from '../../../tools/docs/permissions-doc';

describe('docs/permissions.md', () => {
  test('equals the output of `tsx tools/docs/permissions-doc.ts`', () => {
    expect(readFileSync(join(__dirname, '../../../docs/permissions.md'), 'utf8')).toBe(permissionsDocument());
  });

  test('lists every statement', () => {
    const document = permissionsDocument();
    expect(CONTROLLER_STATEMENTS.filter(({ sid }) => !document.includes(`| ${sid} |`))).toEqual([]);
  });
});
