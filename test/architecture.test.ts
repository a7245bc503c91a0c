import { spawnSync } from 'child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, extname, join } from 'path';
import { Sources, statementsOf } from './architecture/import-graph';
import { violations } from './architecture/violations';
import { bundleText } from './support/command-line';
import { projectFiles } from './support/project-files';

const ROOT = join(__dirname, '..');
const TEXT = ['.ts', '.md', '.json', '.yaml', '.yml', '.mjs', '.js', '.go', '.sh', ''];

describe('architecture of src', () => {
  test('has no violation: layers, forbidden imports, imports past index.ts, cycles, reserved names, root index', () => {
    const sources = readSources();
    expect(sources.size).toBeGreaterThan(50);
    expect(violations(sources)).toEqual([]);
  });
});

describe('folders and files of src', () => {
  const files = [...readSources()].filter(([path]) => !path.endsWith('.generated.ts'));

  test('have at most 26 files in a folder, index.ts included', () => {
    const counts = new Map<string, number>();
    for (const [path] of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 26)).toEqual([]);
  });

  test('have at most 400 lines', () => {
    // Names of instance types, one constant each.
    const isGenerated = (path: string) => /^nodes\/(.*\/)?instance-(family|size)\.ts$/.test(path);
    expect(
      files.filter(([path, text]) => !isGenerated(path) && text.split('\n').length > 401).map(([path]) => path),
    ).toEqual([]);
  });
});

describe('exported names of src', () => {
  /** Public constructs or enums, and the same idea of Karpenter as data in a lower layer. */
  const SAME_IDEA = ['AmiFamily', 'ConsolidationPolicy', 'DisruptionReason', 'FeatureGates', 'Requirement', 'Taint'];
  const DECLARATION = /^export (?:declare |abstract |async )*(?:class|const|enum|function\*?|interface|let|type) (\w+)/;

  test('mean one thing: no two files declare the same name', () => {
    const sources = readSources();
    const files = new Map<string, Set<string>>();
    for (const path of sources.keys())
      for (const [, name] of statementsOf(path, sources).flatMap((text) => [DECLARATION.exec(text) ?? []]))
        if (name !== undefined) files.set(name, (files.get(name) ?? new Set()).add(path));
    expect(files.size).toBeGreaterThan(2000);
    const twice = [...files].filter(([name, paths]) => paths.size > 1 && !SAME_IDEA.includes(name));
    expect(twice.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
  });
});

describe('the architecture check', () => {
  const index = ['index.ts', "export * as nodes from './nodes';"] as const;
  const model = ['model/index.ts', "export * from './quantity';"] as const;
  const quantity = ['model/quantity.ts', 'export const one = 1;'] as const;
  const valid: Sources = new Map([
    index,
    model,
    quantity,
    ['nodes/index.ts', "import { one } from '../model'; export const two = one;"],
    ['scheduling/index.ts', "import './pods/pod-name';"],
    ['scheduling/pods/pod-name.ts', 'export {};'],
    ['scheduling/nodes/node-facts.ts', 'export {};'],
    ['scheduling/nodes/launched-node.ts', "import '../launch/type-filter';"],
    ['scheduling/launch/type-filter.ts', "import '../pods/pod-name';"],
  ]);

  test('returns nothing for a valid graph', () => {
    expect(violations(valid)).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    [
      'an upward import',
      'model/quantity.ts',
      "import '../nodes';",
      'model/quantity.ts: imports upward, nodes/index.ts',
    ],
    [
      'an upward import of a type',
      'model/quantity.ts',
      "let x: import('../nodes').X;",
      'model/quantity.ts: imports upward, nodes/index.ts',
    ],
    [
      'an upward re-export',
      'model/quantity.ts',
      "export { two } from '../nodes';",
      'model/quantity.ts: imports upward, nodes/index.ts',
    ],
    [
      'an upward require',
      'model/quantity.ts',
      "const n = require('../nodes');",
      'model/quantity.ts: imports upward, nodes/index.ts',
    ],
    [
      'an upward dynamic import',
      'model/quantity.ts',
      "void import('../nodes');",
      'model/quantity.ts: imports upward, nodes/index.ts',
    ],
    [
      'a sideways import',
      'scheduling/queue.ts',
      "import '../nodes';",
      'scheduling/queue.ts: imports sideways, nodes/index.ts',
    ],
    [
      'a crossing past index.ts',
      'nodes/pool.ts',
      "import '../model/quantity';",
      'nodes/pool.ts: imports model/quantity.ts past the index.ts of its folder',
    ],
    ['an import of the root index', 'cli/main.ts', "import '..';", 'cli/main.ts: imports index.ts, which has no layer'],
    [
      'an import that leaves src',
      'nodes/pool.ts',
      "import '../../examples/x';",
      "nodes/pool.ts: '../../examples/x' resolves to no source file",
    ],
    [
      'a construct in validation',
      'validation/index.ts',
      "import '../nodes';",
      'validation/index.ts: imports nodes/index.ts, but validation must also check YAML that no construct wrote',
    ],
    [
      'WebAssembly outside the kernel',
      'nodes/pool.ts',
      'globalThis.WebAssembly;',
      'nodes/pool.ts: mentions WebAssembly, which only kernel may use',
    ],
    [
      'WebAssembly by its name as a string',
      'nodes/pool.ts',
      "globalThis['WebAssembly'];",
      'nodes/pool.ts: mentions WebAssembly, which only kernel may use',
    ],
    [
      'data outside the catalogue',
      'nodes/pool.ts',
      "const f = '../../data/prices.csv';",
      'nodes/pool.ts: mentions data/, which only model may use',
    ],
    ['a folder without a layer', 'helpers/strings.ts', 'export {};', 'helpers/strings.ts: its folder has no layer'],
    [
      'code in the root index',
      'index.ts',
      "export * from './nodes';",
      "index.ts: contains more than 'export * as' lines: export * from './nodes';",
    ],
    [
      'a cycle within a folder',
      'model/quantity.ts',
      "import type { one } from '.';",
      'cycle: model/index.ts -> model/quantity.ts -> model/index.ts',
    ],
    [
      'an upward import between sub-folders',
      'scheduling/input/schedule-input.ts',
      "import '../pods/pod-name';",
      'scheduling/input/schedule-input.ts: imports upward, scheduling/pods/pod-name.ts',
    ],
    [
      'a file beside the sub-folders that imports one',
      'scheduling/schedule-plan.ts',
      "import './pods/pod-name';",
      'scheduling/schedule-plan.ts: imports upward, scheduling/pods/pod-name.ts',
    ],
    [
      'a cycle between sub-folders',
      'scheduling/launch/pool-template.ts',
      "import '../nodes/node-facts';",
      'cycle: scheduling/launch -> scheduling/nodes -> scheduling/launch',
    ],
    [
      'a sub-folder without a layer',
      'scheduling/helpers/strings.ts',
      'export {};',
      'scheduling/helpers/strings.ts: its sub-folder has no layer',
    ],
  ])('finds %s', (_, path, text, violation) => {
    expect(violations(new Map([...valid, [path, text]]))).toContain(violation);
  });

  test('finds a report that imports a rule', () => {
    const report = ['validation/report/text.ts', "import '../rules/rule';"] as const;
    expect(violations(new Map([...valid, report, ['validation/rules/rule.ts', 'export {};']]))).toEqual([
      'validation/report/text.ts: imports validation/rules/rule.ts, but reports must not depend on rules',
    ]);
  });

  test('finds a root index whose exports are not in layer order', () => {
    const text = "export * as nodes from './nodes';\nexport * as model from './model';";
    expect(violations(new Map([...valid, ['index.ts', text]]))).toEqual(['index.ts: model is out of layer order']);
  });

  test('ignores comments', () => {
    expect(
      violations(new Map([...valid, ['nodes/pool.ts', '// WebAssembly, import "../plugins", data/x.json']])),
    ).toEqual([]);
  });
});

describe('the repository', () => {
  test('has no path to a folder outside the repository', () => {
    const outside = new RegExp(`${['\\.\\.', 'shared'].join('/')}\\b|/${['work', '(shared|main)'].join('/')}\\b`);
    const files = projectFiles().filter((path) => TEXT.includes(extname(path)));
    expect(files).toContain('README.md');
    expect(files.filter((file) => outside.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });
});

// Bundles the sources, because lib/ is missing when only the tests are run.
describe('loading the cdk8s side', () => {
  test('loads cdk8s, but not aws-cdk-lib', async () => {
    const bundle = join(mkdtempSync(join(tmpdir(), 'cdk8s-side-')), 'bundle.js');
    await bundleText("require('./src/nodes'); require('./src/plugins');", bundle);
    const loaded = modulesLoadedBy(`require(${JSON.stringify(bundle)});`);
    expect(loaded).toContain('cdk8s');
    expect(loaded).not.toContain('aws-cdk-lib');
  });

  test('detects aws-cdk-lib when code loads it', () => {
    expect(modulesLoadedBy("require('aws-cdk-lib/package.json');")).toContain('aws-cdk-lib');
  });
});

function readSources(): Sources {
  const folder = join(ROOT, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [file.split('\\').join('/'), readFileSync(join(folder, file), 'utf8')]));
}

/** Names of the packages in node_modules that a child process has loaded after running the code. */
function modulesLoadedBy(code: string): string[] {
  const print = 'console.log(JSON.stringify(Object.keys(require.cache)));';
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', `${code}${print}`], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules') },
  });
  if (status !== 0) {
    throw new Error(stderr.slice(-1_000));
  }
  const paths: string[] = JSON.parse(stdout);
  return [
    ...new Set(paths.flatMap((path) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1] ?? [])),
  ];
}
