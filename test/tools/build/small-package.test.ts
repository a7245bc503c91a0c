import { mkdtempSync, readFileSync } from 'fs';
import { createRequire } from 'module';
import { tmpdir } from 'os';
import { basename, dirname, join } from 'path';
import { writeCompressedModule } from '../../../tools/build/compressed-module';
import { withShortImports, withShortLoaders } from '../../../tools/build/short-names';

test('an imported module has a short name in each place that uses it', () => {
  expect(
    withShortImports('const node_pool_1 = require("./node-pool");\nexports.a = (0, node_pool_1.a)(node_pool_10);\n'),
  ).toBe('const m$0 = require("./node-pool");\nexports.a = (0, m$0.a)(node_pool_10);\n');
});

describe('functions that load a module', () => {
  const load = (bundled: string) =>
    new Function(`var __commonJS = (cb, mod) => () => (mod || cb[Object.keys(cb)[0]]((mod = { exports: {} }).exports, mod), mod.exports);
${withShortLoaders(bundled)}
return require_main();`)() as unknown;

  test('have a short name in each place, also across a line end, and a text keeps its words', () => {
    const bundled = `var require_pool=
__commonJS({"lib/pool.js"(exports2){exports2.text="see require_pool"}});var require_pool2=__commonJS({"lib/a/pool.js"(exports2,module2){module2.exports=require_pool
().text}});var require_main=()=>require_pool2();`;
    const short = withShortLoaders(bundled);
    expect(short.match(/require_\w+/g)).toEqual(['require_pool', 'require_main']);
    expect(load(bundled)).toBe('see require_pool');
  });

  test('are refused if the bundle has a name of the same kind', () => {
    expect(() => withShortLoaders('var l$1=1;')).toThrow('a name in the bundle begins with l$');
  });
});

test('a compressed module exports what its code does, and quotes its notices', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'compressed-')), 'page.js');
  writeCompressedModule(file, 'module.exports = { page: () => require("path").basename(__dirname) };', '/* Licence */');
  expect(readFileSync(file, 'utf8')).toMatch(/^\/\* Licence \*\/\n/);
  expect((createRequire(file)(file) as { page: () => string }).page()).toBe(basename(dirname(file)));
});
