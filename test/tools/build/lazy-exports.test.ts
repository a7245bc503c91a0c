import { spawnSync } from 'child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import * as ts from 'typescript';
import { makeExportsLazy } from '../../../tools/build/lazy-exports';

/** Compiles with the module settings of jsii. */
function compile(source: string): string {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

const INDEX = compile("export * as near from './near';\nexport * as far from './far';\n");

describe('lazy exports', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lazy-exports-'));
    const modules = ['near', 'far'].map(
      (name) => `get ${name}() { console.log('loads ${name}'); return { name: '${name}' }; }`,
    );
    writeFileSync(join(folder, 'bundle.js'), `module.exports = { ${modules.join(', ')} };`);
    writeFileSync(join(folder, 'index.js'), makeExportsLazy('index.js', INDEX));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function run(code: string, file = 'main.cjs'): string {
    writeFileSync(join(folder, file), code);
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, file)], { encoding: 'utf8' });
    return stdout + stderr;
  }

  test('load a submodule when it is first read, and once', () => {
    expect(
      run(
        "const x = require('./index.js'); console.log('start'); x.near; console.log(x.near.name, x.near === x.near);",
      ),
    ).toBe('start\nloads near\nnear true\n');
  });

  test('are all enumerable by name', () => {
    expect(run("console.log(Object.keys(require('./index.js')).sort().join());")).toBe('far,near\n');
  });

  test('have the plugin of cdk8s-cli, which is not listed with the submodules', () => {
    appendFileSync(join(folder, 'bundle.js'), '\nmodule.exports.Cdk8sValidation = class Loaded {};');
    expect(run("console.log(require('./index.js')['Cdk8sValidation'].name);")).toBe('Loaded\n');
  });

  test('can be imported by name from an ES module', () => {
    expect(run("import { near } from './index.js'; console.log(near.name);", 'main.mjs')).toContain('near\n');
  });

  test('do not change a file that already has them', () => {
    const lazy = makeExportsLazy('index.js', INDEX);
    expect(makeExportsLazy('index.js', lazy)).toBe(lazy);
  });

  test('keep the number of lines, for the source map', () => {
    expect(makeExportsLazy('index.js', INDEX).split('\n')).toHaveLength(INDEX.split('\n').length);
  });
});

describe('lazy exports reject', () => {
  test.each<[string, string, RegExp]>([
    ['a file without submodules', 'export const x = 1;', /^lib\/index\.js: no `exports/],
    [
      'a re-export of single names',
      "export * as near from './near';\nexport { x } from './far';",
      /^lib\/index\.js: an eager require is left/,
    ],
    [
      'a flat re-export',
      "export * as near from './near';\nexport * from './far';",
      /^lib\/index\.js: an eager require is left/,
    ],
    [
      'other code in addition to the submodules',
      "export * as near from './near';\nexport const x = 1;",
      /^lib\/index\.js: the exports declared differ from those loaded/,
    ],
  ])('%s', (_, source, message) => {
    expect(() => makeExportsLazy('lib/index.js', compile(source))).toThrow(message);
  });

  test('a file that does not begin in strict mode', () => {
    expect(() => makeExportsLazy('lib/index.js', `// banner\n${INDEX}`)).toThrow(/the first line is not "use strict"/);
  });
});
