import { awscdk, javascript, JsonFile, TextFile } from 'projen';
import { writeReleaseWorkflow } from './projenrc/release-workflow';

/**
 * Libraries whose code tools/build/bundle-lib.ts copies into lib/, so that the package has no dependencies
 * (decision 17). Exact versions: a build of the same commit gives the same package.
 */
const BUNDLED = [
  'yaml@2.9.1',
  'js-yaml@5.5.0',
  'commander@14.0.3',
  'picocolors@1.1.1',
  'cli-table3@0.6.5',
  'ignore@7.0.16',
  '@marcbachmann/cel-js@8.0.0',
  'echarts@6.1.0',
];

/** The lowest versions that the package works with, and the installed ones. See .ci/peers. */
const PEERS = {
  'aws-cdk-lib': { lowest: '2.262.0', installed: '2.276.0' },
  constructs: { lowest: '10.5.0', installed: '10.8.1' },
  cdk8s: { lowest: '2.69.0', installed: '2.70.106' },
  'cdk8s-plus-28': { lowest: '2.5.6', installed: '2.5.6' },
};

/** Folders with code that is not published, in addition to src/ and test/. */
const LINTED_FOLDERS = ['examples', 'bench', 'data', 'conformance', 'browser', 'tools'];

/** Suites that need more than Node.js. Each has its own jest.config.json, and `npm test` leaves them out. */
const SEPARATE_SUITES = [
  'test/aws',
  'test/browser',
  'test/conformance/every-release',
  'test/integrations/installed',
  'test/languages',
];

const project = new awscdk.AwsCdkConstructLibrary({
  name: 'karpenter-constructs',
  description:
    'Typed constructs for Karpenter on EKS, and a compiled validator that says at synth what Karpenter will do with them',
  keywords: [
    'karpenter',
    'eks',
    'kubernetes',
    'autoscaling',
    'spot',
    'bin-packing',
    'validation',
    'cdk8s',
    'awscdk',
    'aws-cdk',
  ],
  author: 'The karpenter-constructs authors',
  authorAddress: 'maintainers@karpenter-constructs.dev',
  authorOrganization: true,
  stability: 'experimental', // until 1.0
  repositoryUrl: 'https://github.com/karpenter-constructs/karpenter-constructs.git',
  defaultReleaseBranch: 'main',
  license: 'Apache-2.0',
  copyrightOwner: 'The karpenter-constructs authors',
  projenrcTs: true,
  packageManager: javascript.NodePackageManager.NPM,
  minNodeVersion: '20.16.0',
  jsiiVersion: '~6.0.16',
  typescriptVersion: '~6.0.3',
  cdkVersion: PEERS['aws-cdk-lib'].lowest,
  constructsVersion: PEERS.constructs.lowest,
  peerDeps: [`cdk8s@^${PEERS.cdk8s.lowest}`, `cdk8s-plus-28@^${PEERS['cdk8s-plus-28'].lowest}`],
  peerDependencyOptions: { pinnedDevDependency: false },
  devDeps: [
    ...Object.entries(PEERS).map(([name, { installed }]) => `${name}@${installed}`),
    ...BUNDLED,
    'assemblyscript@0.28.20',
    'esbuild@^0.28',
    'fast-check@^4',
    'highs@1.15.3', // a linear programming solver, the judge of the lower bound in tests
    'tsx@^4',
    '@swc/core@1.16.22', // compiles tests, without a check of types
    '@swc/jest@0.2.39',
    'smol-toml@1.9.1', // reads in tests what the TOML writer has written
    '@jest/transform@^30', // these three are part of jest; test/support/shared-registry uses them
    'jest-circus@^30',
    'jest-mock@^30',
    '@types/sarif@^2.1.7',
    'ajv@^6',
    'playwright-core@1.65.1',
    'axe-core@4.14.1',
    'ts-json-schema-generator@^2',
    'concurrently@^9',
    '@biomejs/biome@2.6.8', // formats the code, see biome.json
    // The compiler in Go checks all types in seconds. The API of this version is another one, so tools use 6.
    'typescript-native@npm:typescript@^7',
    'aws-cdk@2.1148.1',
    'cdk-nag@3.0.2',
    '@aws-cdk/lambda-layer-kubectl-v34@2.2.2',
    '@cloud-copilot/iam-simulate@0.1.173',
    'vitepress@1.6.4',
    'cdk8s-cli@2.207.60',
    'cdk8s-plus-33@2.5.57',
    'cdk8s-plus-34@2.0.54',
    // Optional for users, because only `catalog update` loads them. See decision 15.
    '@aws-sdk/client-ec2@^3.1000.0',
    '@aws-sdk/client-pricing@^3.1000.0',
  ],
  publishToPypi: { distName: 'karpenter-constructs', module: 'karpenter_constructs' },
  publishToMaven: {
    javaPackage: 'io.github.karpenterconstructs',
    mavenGroupId: 'io.github.karpenter-constructs',
    mavenArtifactId: 'karpenter-constructs',
  },
  publishToGo: { moduleName: 'github.com/karpenter-constructs/karpenter-constructs-go' },
  publishToNuget: { dotNetNamespace: 'KarpenterConstructs', packageId: 'KarpenterConstructs' },
  github: false,
  release: false,
  depsUpgrade: false,
  sampleCode: false,
  excludeTypescript: ['assembly/**'],
  compressAssembly: true,
  npmignoreEnabled: false, // package.json lists what is published
  bin: { 'karpenter-constructs': 'bin/karpenter-constructs' },
  gitignore: [
    '/node_modules',
    '/dist/',
    '/examples/*/dist/',
    '/cdk.out/',
    '/cdk.context.json',
    '/conformance/bin/',
    '/docs/.vitepress/dist/',
    '/docs/api/',
    '/docs/public/playground/',
    '*.wasm',
    '.DS_Store',
  ],
  eslintOptions: {
    dirs: ['src', 'test', 'projenrc', ...LINTED_FOLDERS],
    devdirs: ['test', 'projenrc', ...LINTED_FOLDERS],
    prettier: false,
  },
  jestOptions: {
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    passWithNoTests: false,
    // Coverage by V8 makes the suite several times slower; run `jest --coverage --env node` if you need it.
    jestConfig: {
      testTimeout: 30_000,
      collectCoverage: false,
      maxWorkers: '100%',
      coverageReporters: ['text-summary'],
      testPathIgnorePatterns: ['/node_modules/', ...SEPARATE_SUITES.map((folder) => `<rootDir>/${folder}/`)],
      globalSetup: '<rootDir>/test/support/temporary-folder.ts',
      cacheDirectory: '<rootDir>/node_modules/.cache/jest', // by default in the temporary folder of the system
      // Suites of a worker share modules and their compiled code, unless they ask for the environment `node`.
      testEnvironment: '<rootDir>/test/support/shared-registry/environment.ts',
      testRunner: '<rootDir>/test/support/shared-registry/runner.ts',
    },
  },
});

project.addDevDeps(`constructs@${PEERS.constructs.installed}`); // the project type removes it

// After projen's own lines, which take all of src/ in.
project.gitignore.exclude(
  '/test/aws/.venv/',
  '/src/kernel/packer.generated.ts',
  '/src/validation/report/html/client.generated.ts',
  '/docs/public/playground/',
);

// The kernel: AssemblyScript is compiled to WebAssembly and embedded in a TypeScript module, which every bundler
// handles.
const wasm = project.addTask('kernel', {
  description:
    'Compiles assembly/ to WebAssembly and embeds it in src/kernel/packer.generated.ts, and the script of the HTML report likewise',
  steps: [{ exec: 'tsx tools/build/build-kernel.ts' }, { exec: 'tsx tools/build/build-client.ts' }],
});
project.compileTask.prependSpawn(wasm); // not committed: a fresh clone has to create it before it compiles

// `build` packs for Node.js only. Other languages need their own toolchains and have separate tasks (package:python,
// …).
project.packageTask.reset();
project.packageTask.spawn(project.tasks.tryFind('package:js')!);

// The package in one file, with the libraries that it uses. See decisions 9 and 17.
project.compileTask.exec('tsx tools/build/bundle-lib.ts');

// The tests run the command line and load the package as users do, so the package must be compiled.
project.testTask.prependSpawn(project.compileTask);

project.addTask('rules-doc', {
  description:
    'Writes docs/rules.md and docs/rules/ from the rules, and data/verdict.schema.json from the types of the verdict',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx tools/docs/rules-doc.ts' }, { exec: 'tsx tools/build/verdict-schema.ts' }],
});

project.addTask('new-rule', {
  description: 'Writes a new rule with its test, example and index entry: new-rule KARP-NNN name [sub-folder]',
  steps: [{ exec: 'tsx tools/build/new-rule.ts', receiveArgs: true }],
});

project.addTask('sbom', {
  description:
    'Writes dist/sbom.cdx.json: the packages whose code the published package contains, in the format CycloneDX',
  steps: [{ exec: 'tsx tools/build/sbom.ts' }],
});
project.addTask('changelog', {
  description:
    'Adds a version to CHANGELOG.md, from the conventional commits since the last tag: npm run changelog -- 0.2.0',
  steps: [{ exec: 'tsx tools/docs/changelog.ts', receiveArgs: true }],
});

project.addTask('pictures', {
  description: 'Makes the pictures of the HTML report in docs/images/; needs chromium on the PATH',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx tools/docs/pictures.ts' }],
});
project.addTask('playground', {
  description: 'Builds the playground, a page of the documentation site, into docs/public/playground/',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx tools/build/build-playground.ts' }],
});
project.package.addField('peerDependenciesMeta', {
  'aws-cdk-lib': { optional: true },
  // Projects use the release of their cluster, such as cdk8s-plus-33. See tools/build/cdk8s-plus-releases.ts.
  'cdk8s-plus-28': { optional: true },
  // jsii refuses them as peer dependencies. Named here alone, they can be loaded under pnpm and Yarn, too.
  '@aws-sdk/client-ec2': { optional: true },
  '@aws-sdk/client-pricing': { optional: true },
});

project.package.addVersion('0.1.0');

// 1.13.0 names platform packages that do not exist, which makes `npm ci` fail.
project.package.addField('overrides', { 'unrs-resolver': '1.12.2' });

project.addTask('demo', {
  description:
    'The main job: the verdict on examples/quickstart, and a consolidation of a web server without and with protection',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx examples/demo.ts' }],
});
project.addTask('conformance', {
  description: 'Compares verdicts with the real Karpenter; needs Go. The last line is one JSON object',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx conformance/run.ts', receiveArgs: true }],
});
project.addTask('conformance:cluster', {
  description:
    'Runs fleets on a real control plane with the real Karpenter, and compares them with the predictions; needs Go, and half an hour for the first build',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx conformance/cluster/run.ts', receiveArgs: true }],
});
project.addTask('test:conformance', {
  description:
    'Judges the objects of the corpus in every release of Karpenter, and compares with the recorded verdicts of the real API server',
  steps: [
    { spawn: 'kernel' },
    { exec: 'jest --config test/conformance/every-release/jest.config.json', receiveArgs: true },
  ],
});
project.addTask('test:aws', {
  description:
    'Tests the AWS side: cfn-lint, cdk-nag, and templates deployed to moto; needs Python 3.10 or later, and installs test/aws/requirements.txt',
  steps: [{ spawn: 'kernel' }, { exec: 'jest --config test/aws/jest.config.json', receiveArgs: true }],
});
project.addTask('test:browser', {
  description:
    'Tests the HTML report and the playground in Chromium: layout, keys, accessibility, verdicts, hostile input; needs chromium on the PATH',
  steps: [{ spawn: 'kernel' }, { exec: 'jest --config test/browser/jest.config.json', receiveArgs: true }],
});
project.addTask('test:integrations', {
  description:
    'Tests the GitHub Action, shell completion in zsh and fish, and the hook in pre-commit; needs these programs',
  steps: [
    { spawn: 'kernel' },
    { exec: 'jest --config test/integrations/installed/jest.config.json', receiveArgs: true },
  ],
});
project.addTask('test:languages', {
  description:
    'Runs the same programs in TypeScript, Go, Java and Python on the compiled package; needs Go, a JDK with Maven, and Python; takes minutes',
  steps: [{ exec: 'jest --config test/languages/jest.config.json', receiveArgs: true }],
});
/** The pages of the API are written from the compiled package. */
const API_PAGES = [
  { spawn: 'compile', condition: "sh -c 'test ! -f .jsii'" },
  { exec: 'tsx tools/site/write-api-pages.ts' },
];
const docs = project.addTask('docs:build', {
  description:
    'Builds the documentation site in docs/.vitepress/dist. DOCS_BASE is its folder on the host, such as /karpenter-constructs/',
  steps: [...API_PAGES, { exec: 'vitepress build docs' }],
});
project.addTask('docs:serve', {
  description: 'Serves the documentation from its sources, and again after each change',
  steps: [...API_PAGES, { exec: 'vitepress dev docs' }],
});
project.addTask('bench', {
  description: 'Measures the solver and the command line; the last line is one JSON object',
  steps: [{ exec: 'tsx bench/main.ts', receiveArgs: true }],
});
project.addTask('bench:loading', {
  description:
    'Fails if a new process needs 30 ms or more to load and resolve the catalogue; needs a compiled lib/, and must run alone',
  steps: [{ exec: 'tsx bench/loading.ts' }],
});

project.addTask('first-verdict', {
  description:
    'Follows the starting pages in empty folders, and measures the time to the first verdict; needs package:js and package:python',
  steps: [{ exec: 'tsx bench/first-verdict.ts', receiveArgs: true }],
});

project.addTask('fuzz', {
  description: 'Solves small scenarios of every kind twice and verifies the answers; the last line is one JSON object',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx test/scheduling/fuzz/main.ts', receiveArgs: true }],
});

project.addTask('fuzz:inputs', {
  description: 'Runs commands on mutated folders of every kind of input; the last line is one JSON object',
  steps: [{ exec: 'tsx test/cli/fuzz/main.ts', receiveArgs: true }],
});

project.addTask('corpus', {
  description:
    'Checks each repository in a folder: exit codes, times, and findings by rule for 100 workloads; the last line is one JSON object',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx bench/corpus.ts', receiveArgs: true }],
});

project.addTask('fuzz:yaml', {
  description:
    'Reads generated texts that resemble YAML with both readers of manifests; the last line is one JSON object',
  steps: [{ exec: 'tsx test/validation/manifest/yaml/main.ts', receiveArgs: true }],
});

// The package contains the compact catalogue, not its source facts. See test/package/contents.test.ts.
project.package.addField('files', [
  'bin',
  'lib',
  '!lib/**/*.cache',
  '.jsii',
  '.jsii.gz',
  'NOTICE',
  'data/catalog.json',
  'data/regions',
  'data/karpenter-api',
  'data/karpenter-cel.json',
  'data/kubelet-configuration.json',
  'data/kubernetes-fields.json',
  'data/verdict.schema.json',
  'data/SOURCE.md',
]);
// jsii-pacmak creates it, although it has no effect on a package that lists its files.
project.gitignore.exclude('/.npmignore', '/.jsii.gz');
// Biome formats the code (biome.json) and the compiler checks the types, so that the linter does neither.
const TYPE_AWARE_RULES = ['@typescript-eslint/no-floating-promises', '@typescript-eslint/return-await'];
const eslintConfig = project.eslint!.config;
eslintConfig.rules = Object.fromEntries(
  Object.entries(project.eslint!.rules).filter(([rule]) => rule !== 'curly' && !TYPE_AWARE_RULES.includes(rule)),
);
eslintConfig.plugins = ['@typescript-eslint', 'import'];
delete eslintConfig.parserOptions.projectService;
project.eslint!.addOverride({
  files: ['src/**/*.ts'],
  excludedFiles: ['src/model/files/yaml-value.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [
          { name: 'yaml', importNames: ['parse'], message: 'parseYaml of src/model writes no warnings to stderr.' },
        ],
      },
    ],
  },
});

// The tests are compiled by swc: `typecheck` checks their types.
project.deps.removeDependency('ts-jest');
project.jest!.config.transform = { '^.+\\.ts$': '@swc/jest' };
new JsonFile(project, '.swcrc', {
  marker: false,
  obj: {
    jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
});
project.addTask('format', { description: 'Formats the code', steps: [{ exec: 'biome format --write .' }] });

// Code of these dependencies is copied into lib/.
project.eslint?.allowDevDeps('**/src/**');

// The lock file contains no download addresses: integrity hashes are the same on every registry mirror.
project.npmrc.addConfig('omit-lockfile-registry-resolved', 'true');
project.npmrc.addConfig('fund', 'false');
project.npmrc.addConfig('audit', 'false');

// Folders outside src/ and test/ that are type-checked too. Code in a browser has other global names.
// One project checks both, because each run of the compiler checks the sources that it imports, too.
const BROWSER_TESTS = 'test/browser';
const IN_BROWSER = ['browser', BROWSER_TESTS];
for (const folder of [...LINTED_FOLDERS, BROWSER_TESTS]) {
  const lib = IN_BROWSER.includes(folder) ? { lib: ['es2022', 'dom', 'dom.iterable'] } : {};
  const root = folder.replaceAll(/[^/]+/g, '..');
  new JsonFile(project, `${folder}/tsconfig.json`, {
    marker: false,
    obj: {
      extends: `${root}/tsconfig.json`,
      compilerOptions: { ...lib, noEmit: true, rootDir: root },
      include: ['**/*.ts', ...(folder === BROWSER_TESTS ? [`${root}/browser/**/*.ts`] : [])],
      exclude: ['node_modules'],
    },
  });
}

// jest and tsx do not check types. This project has everything that runs but is not published.
const everything = new JsonFile(project, 'tsconfig.dev.json', {
  marker: false,
  obj: {
    extends: './tsconfig.json',
    compilerOptions: { noEmit: true, rootDir: '.', isolatedModules: true },
    include: [
      '.projenrc.ts',
      ...['test', 'projenrc', ...LINTED_FOLDERS]
        .filter((folder) => !IN_BROWSER.includes(folder))
        .map((folder) => `${folder}/**/*.ts`),
    ],
    exclude: ['node_modules', 'test/browser'],
  },
});
const typecheck = project.addTask('typecheck', {
  description: 'Checks the types of code that runs but is not published',
  steps: [everything.path, `${BROWSER_TESTS}/tsconfig.json`].map((path) => ({
    exec: `node node_modules/typescript-native/bin/tsc -p ${path}`,
  })),
});

// The compiler and the linter take one core each, for most of a minute.
for (const name of ['compile', 'eslint'])
  project.testTask.removeStep(project.testTask.steps.findIndex(({ spawn }) => spawn === name));
project.testTask.prependExec(`concurrently --group npm:compile npm:eslint npm:${typecheck.name} "biome format ."`);
project.testTask.prependSpawn(wasm);

new TextFile(project, 'assembly/tsconfig.json', {
  marker: false,
  lines: ['{', '  "extends": "assemblyscript/std/assembly.json",', '  "include": ["./**/*.ts"]', '}', ''],
});

// The site has the playground if the project can build it.
const playground = project.tasks.tryFind('playground');
if (playground !== undefined) docs.prependSpawn(playground);

// jsii prints a page about the version of Node.js on every run. package.json and the README say which versions are
// supported.
project.tasks.addEnvironment('JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION', '20');
project.tasks.addEnvironment('JSII_SILENCE_WARNING_DEPRECATED_NODE_VERSION', '1');
project.tasks.addEnvironment('JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION', '1');

writeReleaseWorkflow(project);

project.synth();
