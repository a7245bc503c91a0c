import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { blocksOf, PAGES } from '../docs/pages';

const ROOT = join(__dirname, '../..');
/**
 * The TypeScript of each page, by the name of an imaginary file in this folder. The `ts` blocks of a page form one
 * program. A `typescript` block is a program of its own, or is in the scope of the page's program.
 */
const programs = new Map(
  PAGES.flatMap((page) => {
    const file = (name: string) => join(__dirname, `${page.replaceAll(/\W/g, '-')}${name}.ts`);
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
    ([, block], index) =>
      [join(__dirname, `${file.replaceAll(/\W/g, '-')}-${index}.ts`), block.replaceAll(/^ *\* ?/gm, '')] as const,
  ),
);
examples.forEach(([file, text]) => programs.set(file, text));

test('the TypeScript in README.md, in docs/ and in docstring examples compiles', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const pageOptions = {
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
    rootDir: ROOT,
    paths: { 'karpenter-constructs': [join(ROOT, 'src')], 'karpenter-constructs/lib/*': [join(ROOT, 'lib/*')] },
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(pageOptions);
  const program = ts.createProgram([...programs.keys()], pageOptions, {
    ...host,
    fileExists: (file) => programs.has(file) || host.fileExists(file),
    readFile: (file) => programs.get(file) ?? host.readFile(file),
    getSourceFile: (file, target, ...rest) =>
      programs.has(file)
        ? ts.createSourceFile(file, programs.get(file)!, target)
        : host.getSourceFile(file, target, ...rest),
  });
  const problems = [...programs.keys()].flatMap((file) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(file)),
  );
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
}, 120_000);
