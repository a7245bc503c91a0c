import { RULES } from '../../../src/validation/rules';
import { constantOf, filesOf, newRule } from '../../../tools/build/new-rule';

describe('npm run new-rule', () => {
  test('puts a rule into the folder of its chapter', () => {
    expect(newRule(['KARP-399', 'pods-too-many']).folder).toBe('capacity');
    expect(newRule(['KARP-499', 'pdb-too-many', 'pdb']).folder).toBe('disruption/pdb');
  });

  test.each([
    [['KARP-3'], '"KARP-3" is no id of a rule'],
    [['KARP-399', 'PodsTooMany'], '"PodsTooMany" is no name in kebab-case'],
    [['KARP-301', 'pods-too-many'], 'KARP-301 pod-larger-than-largest-allowed-node exists'],
    [['KARP-399', 'missing-requests'], 'KARP-306 missing-requests exists'],
    [['KARP-799', 'pods-too-many'], 'KARP-799 belongs to no chapter'],
  ])('rejects %s', (args, message) => {
    expect(() => newRule(args)).toThrow(message);
  });

  test('writes the rule, its test and its example, and lists the rule in the order of ids', () => {
    const files = filesOf(newRule(['KARP-312', 'pods-too-many']));
    expect([...files.keys()]).toEqual([
      'src/validation/rules/capacity/pods-too-many.ts',
      'test/validation/rules/capacity/pods-too-many.test.ts',
      'examples/rules/KARP-312/bad.yaml',
      'examples/rules/KARP-312/good.yaml',
      'examples/rules/KARP-312/page.md',
      'src/validation/rules/capacity/index.ts',
    ]);
    const index = files.get('src/validation/rules/capacity/index.ts');
    expect(index).toContain("import { podsTooMany } from './pods-too-many';");
    expect(index).toContain('  limitsBelowSmallestNode,\n  podsTooMany,\n  peakReplicasExceedLimits,\n');
  });

  test('imports from a sub-folder of a chapter', () => {
    const files = filesOf(newRule(['KARP-499', 'pdb-too-many', 'pdb']));
    expect(files.get('src/validation/rules/disruption/pdb/pdb-too-many.ts')).toContain("from '../../define-rule';");
    expect(files.get('src/validation/rules/disruption/index.ts')).toContain("from './pdb/pdb-too-many';");
  });

  test('finds an index for each chapter, and the first and last place in it', () => {
    const chapters = [...new Set(RULES.map(({ id }) => Math.floor(Number(id.slice('KARP-'.length)) / 100)))];
    for (const chapter of chapters) {
      const id = `KARP-${String(100 * chapter + 99).padStart(3, '0')}`;
      const rule = newRule([id, 'one-more']);
      const index = [...filesOf(rule)].find(([path]) => path.endsWith('/index.ts'))![1];
      expect(index).toMatch(/,\n {2}oneMore,\n\];\n$/);
    }
  });

  test('names the constant after the rule', () => {
    expect(constantOf('windows-2025-too-early')).toBe('windows2025TooEarly');
  });
});
