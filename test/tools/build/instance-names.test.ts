import { readFileSync } from 'fs';
import { join } from 'path';
import { instanceNameFiles, NODES, readFacts } from '../../../tools/build/instance-names';

describe('the constants of instance families and sizes', () => {
  const files = Object.entries(instanceNameFiles(readFacts()));

  test.each(files)('%s equals the output of `tsx tools/build/instance-names.ts`', (file, text) => {
    expect(readFileSync(join(NODES, file), 'utf8')).toBe(text);
  });

  test.each(files)('%s has unique constant names in upper case', (_, text) => {
    const names = [...text.matchAll(/readonly (\w+) =/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
  });
});
