import { spawnSync } from 'child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { packageIndex, submodulesOf } from '../../../tools/build/package-index';

describe('exports of the package', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'package-index-'));
    const modules = ['near', 'far'].map(
      (name) => `get ${name}() { console.log('loads ${name}'); return { name: '${name}' }; }`,
    );
    writeFileSync(join(folder, 'bundle.js'), `module.exports = { ${modules.join(', ')} };`);
    writeFileSync(join(folder, 'index.js'), packageIndex(['near', 'far']));
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
});

describe('the submodules of a declaration file', () => {
  test('are those that it exports', () => {
    expect(submodulesOf("export * as near from './near';\nexport * as far from './far';\n")).toEqual(['near', 'far']);
  });

  test.each([
    ['a re-export of single names', "export { x } from './far';"],
    ['a flat re-export', "export * from './far';"],
    ['a submodule of another name', "export * as near from './far';"],
    ['a declaration', 'export declare const x = 1;'],
  ])('are refused with %s', (_, line) => {
    expect(() => submodulesOf(`export * as near from './near';\n${line}\n`)).toThrow(`got ${line}`);
  });
});
