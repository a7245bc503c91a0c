import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { RELEASES } from '../../tools/build/cdk8s-plus-releases';

const ROOT = join(__dirname, '../..');
const MAX_PACKED = 2_000_000;
const MAX_UNPACKED = 8_000_000;
const APACHE_2 = /\(.*Apache-2\.0.*\)/;

/** Every published file matches one of these patterns. Each is needed at run time, or by a licence or a registry. */
const REVIEWED: readonly (readonly [RegExp, string])[] = [
  [/^(package\.json|README\.md|LICENSE)$/, 'npm always publishes them'],
  [/^NOTICE$/, 'licences of the bundled code'],
  [/^\.jsii(\.gz)?$/, 'the API, for other languages and Construct Hub'],
  [/^bin\/karpenter-constructs$/, 'the command line'],
  [/^lib\/(index|bundle)\.js$/, 'all code'],
  [/^lib\/cdk8s-plus-\d+\.(js|d\.ts)$/, 'the workload classes of a release of cdk8s-plus'],
  [/^lib\/cli\/(start|compiled-module|io|standard-streams|v8-tuning)\.js$/, 'loads the bundle'],
  [
    /^lib\/cli\/terminal\/(capabilities|supervise|wants-progress)\.js$/,
    'shows progress while the bundle runs in a thread',
  ],
  [/^lib\/validation\/report\/html\/page\.js$/, 'loads the charts of HTML reports, and quotes their licences'],
  [/^lib\/validation\/report\/html\/page\.js\.br$/, 'the charts of HTML reports'],
  [/^lib\/cli\/rule-pages\.json\.br$/, 'the pages of `rules`'],
  [
    /^lib\/(index|(nodes|workloads|interruption|infra|setups|plugins|assertions|contract|model)\/([\w-]+\/)*[\w-]+)\.d\.ts$/,
    'types of the API',
  ],
  [
    /^data\/(catalog|karpenter-cel|kubelet-configuration|kubernetes-fields|verdict\.schema)\.json$/,
    'instance types and what the API accepts',
  ],
  [/^data\/SOURCE\.md$/, 'where the data comes from'],
  [/^data\/regions\/[a-z]+(-[a-z]+)+-\d\.json$/, 'prices and offerings'],
  [/^data\/karpenter-api\/[\d.]+(-[\w.]+)?\.json$/, 'the schemas of a release'],
];

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
beforeAll(() => {
  [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [Packed];
}, 120_000);

test('the package contains only reviewed files', () => {
  expect(
    packed.files.map(({ path }) => path).filter((path) => !REVIEWED.some(([pattern]) => pattern.test(path))),
  ).toEqual([]);
});

test('the package contains a file for each reviewed pattern', () => {
  expect(
    REVIEWED.filter(([pattern]) => !packed.files.some(({ path }) => pattern.test(path))).map(([, reason]) => reason),
  ).toEqual([]);
});

test('the package has at most 2 MB packed and 8 MB unpacked', () => {
  expect(packed.size).toBeLessThanOrEqual(MAX_PACKED);
  expect(packed.unpackedSize).toBeLessThanOrEqual(MAX_UNPACKED);
});

test('the package has no dependencies, because its code contains them', () => {
  const { dependencies, bundledDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  expect({ dependencies, bundledDependencies }).toEqual({});
  expect(Object.keys(peerDependencies).sort()).toEqual(['aws-cdk-lib', 'cdk8s', 'cdk8s-plus-28', 'constructs']);
});

test('the published code loads only peers, modules of Node.js, its own files and the AWS SDK', () => {
  const code = packed.files
    .filter(({ path }) => /^lib\/.*\.js(\.br)?$/.test(path))
    .map(({ path }) => [path, readFileSync(join(ROOT, path))] as const)
    .map(([path, bytes]) => (path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString())
    .join('\n');
  const names = [...code.matchAll(/\brequire\(["']([^"'.][^"']*)["']\)/g)]
    .map(([, name]) => name)
    .filter((name) => !isBuiltin(name));
  expect([...new Set(names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0]))].sort()).toEqual([
    '@aws-sdk/client-ec2',
    '@aws-sdk/client-pricing',
    'aws-cdk-lib',
    'cdk8s',
    ...RELEASES.map((release) => `cdk8s-plus-${release}`),
    'constructs',
  ]);
});

test('the published types refer only to published types and to peers', () => {
  const types = packed.files.filter(({ path }) => path.endsWith('.d.ts')).map(({ path }) => path);
  const references = types.flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8')
        .replace(/\/\*[^]*?\*\//g, '')
        .matchAll(/\bfrom ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/g),
    ]
      .map(([, first, second]) => first ?? second)
      .map((name) => (name.startsWith('.') ? join(dirname(path), name) : name)),
  );
  const missing = references.filter(
    (name) =>
      !/^(aws-cdk-lib|cdk8s|cdk8s-plus-\d+|constructs)(\/|$)/.test(name) &&
      !types.some((path) => path === `${name}.d.ts` || path === `${name}/index.d.ts`),
  );
  expect(missing).toEqual([]);
});

test('NOTICE has the licence text of each package whose code is bundled', () => {
  const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8');
  const [, list] = /^\/\/ Contains code of (.*)\.$/m.exec(readFileSync(join(ROOT, 'lib', 'bundle.js'), 'utf8')) ?? [];
  const bundled = list.split(', ');
  expect(bundled).toContain('yaml');
  // The code of the charts is minified, so that no comment names these.
  for (const name of new Set([...bundled, 'echarts', 'zrender', 'tslib'])) {
    const { version, license } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
    const [, section] = notice.split(`\n${name} ${version} (${license})\n`);
    expect({ name, isNamed: section !== undefined }).toEqual({ name, isNamed: true });
    const text = section.split('-'.repeat(80))[0];
    expect(APACHE_2.test(`(${license})`) ? text : text.toLowerCase()).toMatch(
      APACHE_2.test(`(${license})`) ? /The Apache License 2\.0 is in the file LICENSE\./ : /copyright|isc|permission/,
    );
  }
});

test('the compressed API describes this version', () => {
  expect(existsSync(join(ROOT, '.jsii.gz'))).toBe(true);
  const assembly = JSON.parse(gunzipSync(readFileSync(join(ROOT, '.jsii.gz'))).toString());
  expect(Object.keys(assembly.targets).sort()).toEqual(['dotnet', 'go', 'java', 'js', 'python']);
});
