import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, PAGES } from '../docs/pages';
import { errorsOfPrograms } from '../support/compiler-errors';

const ROOT = join(__dirname, '../..');
/**
 * The TypeScript of each page, by the name of its file. The `ts` blocks of a page form one program. A `typescript`
 * block is a program of its own, or is in the scope of the page's program.
 */
const programs = new Map(
  PAGES.flatMap((page) => {
    const file = (name: string) => `${page.replaceAll(/\W/g, '-')}${name}.ts`;
    const program = blocksOf(page, 'ts').join('\n');
    const others = blocksOf(page, 'typescript').map(
      (block, index) =>
        [file(`-${index}`), block.startsWith('import ') ? block : `${program}\n{\n${block}\n}`] as const,
    );
    return [[file(''), program] as const, ...others].filter(([, text]) => text !== '');
  }),
);

/** Each example in a docstring is a program of its own, because Construct Hub translates each one separately. */
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();
const examples = sources.flatMap((file) =>
  [...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(/ \* @example\n(.*?) \*\//gs)].map(
    ([, block], index) => [`${file.replaceAll(/\W/g, '-')}-${index}.ts`, block.replaceAll(/^ *\* ?/gm, '')] as const,
  ),
);
examples.forEach(([file, text]) => programs.set(file, text));

test('the TypeScript in README.md, in docs/ and in docstring examples compiles', () => {
  const errors = errorsOfPrograms(programs, {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      composite: false,
      incremental: false,
      moduleDetection: 'force',
      rootDir: ROOT,
      paths: { 'karpenter-constructs': [join(ROOT, 'src')], 'karpenter-constructs/lib/*': [join(ROOT, 'lib/*')] },
      skipLibCheck: true,
    },
    include: [],
    exclude: [],
  });
  expect(errors).toEqual([]);
}, 120_000);
