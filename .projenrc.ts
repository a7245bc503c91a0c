import { awscdk, javascript, JsonFile, TextFile } from 'projen';

/** Exact versions: a build of the same commit gives the same package. */
const bundledDeps = ['yaml@2.9.1', 'js-yaml@5.5.0', 'commander@14.0.3', 'picocolors@1.1.1', 'cli-table3@0.6.5', 'ignore@7.0.16', '@bufbuild/cel@0.6.1', '@bufbuild/protobuf@2.17.0'];

/** Folders with code that is not published, in addition to src/ and test/. */
const LINTED_FOLDERS = ['examples', 'bench', 'data', 'conformance', 'test-aws', 'test-languages'];

const project = new awscdk.AwsCdkConstructLibrary({
  name: 'karpenter-constructs',
  description: 'Typed constructs for Karpenter on EKS, and a compiled validator that says at synth what Karpenter will do with them',
  keywords: ['karpenter', 'eks', 'kubernetes', 'autoscaling', 'spot', 'bin-packing', 'validation', 'cdk8s'],
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
  cdkVersion: '2.276.0',
  constructsVersion: '10.8.1',
  peerDeps: ['cdk8s@^2.70.106', 'cdk8s-plus-28@^2.5.6'],
  bundledDeps,
  devDeps: [
    'assemblyscript@0.28.20', 'esbuild@^0.28', 'fast-check@^4', 'tsx@^4', '@types/sarif@^2.1.7', 'ajv@^6', 'echarts@6.1.0',
    'aws-cdk@2.1148.1', 'cdk-nag@3.0.2', '@aws-cdk/lambda-layer-kubectl-v34@2.2.2', '@cloud-copilot/iam-simulate@0.1.173',
  ],
  publishToPypi: { distName: 'karpenter-constructs', module: 'karpenter_constructs' },
  publishToMaven: { javaPackage: 'io.github.karpenterconstructs', mavenGroupId: 'io.github.karpenter-constructs', mavenArtifactId: 'karpenter-constructs' },
  publishToGo: { moduleName: 'github.com/karpenter-constructs/karpenter-constructs-go' },
  publishToNuget: { dotNetNamespace: 'KarpenterConstructs', packageId: 'KarpenterConstructs' },
  github: false,
  release: false,
  depsUpgrade: false,
  sampleCode: false,
  excludeTypescript: ['assembly/**'],
  bin: { 'karpenter-constructs': 'bin/karpenter-constructs' },
  gitignore: ['/node_modules', '/dist/', '/examples/*/dist/', '/cdk.out/', '/cdk.context.json', '/conformance/bin/', '/test-aws/.venv/', '*.wasm', '.DS_Store'],
  eslintOptions: { dirs: ['src', 'test', 'projenrc', ...LINTED_FOLDERS], devdirs: ['test', 'projenrc', ...LINTED_FOLDERS], prettier: false },
  jestOptions: {
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    passWithNoTests: false,
    // Coverage by V8 makes the suite several times slower; run `jest --coverage` if you need it.
    jestConfig: {
      testTimeout: 30_000,
      collectCoverage: false,
      maxWorkers: '100%',
      coverageReporters: ['text-summary'],
      globalSetup: '<rootDir>/test/support/temporary-folder.ts',
      cacheDirectory: '<rootDir>/node_modules/.cache/jest', // by default in the temporary folder of the system
    },
  },
});

// After projen's own lines, which take all of src/ in.
project.gitignore.exclude('/src/kernel/packer.generated.ts');

// The kernel: AssemblyScript is compiled to WebAssembly and embedded in a TypeScript module, which every bundler
// handles.
const wasm = project.addTask('kernel', {
  description: 'Compiles assembly/ to WebAssembly and embeds it in src/kernel/packer.generated.ts',
  steps: [{ exec: 'tsx projenrc/build-kernel.ts' }],
});
project.compileTask.prependSpawn(wasm); // not committed: a fresh clone has to create it before it compiles

// `build` packs for Node.js only. Other languages need their own toolchains and have separate tasks (package:python,
// …).
project.packageTask.reset();
project.packageTask.spawn(project.tasks.tryFind('package:js')!);

// Each submodule is loaded on first use, so that cdk8s users load no AWS code.
project.compileTask.exec('tsx projenrc/lazy-exports.ts lib/index.js');

// The chart code of the HTML report, bundled with the used parts of its library.
project.compileTask.exec('tsx projenrc/bundle-page.ts');

// The command line in one file: loading hundreds of modules would take a quarter of a short run.
project.compileTask.exec('tsx projenrc/bundle-cli.ts');

// The tests run the command line and load the package as users do, so the package must be compiled.
project.testTask.prependSpawn(project.compileTask);

project.addTask('rules-doc', {
  description: 'Writes docs/rules.md from the rules',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx projenrc/rules-doc.ts' }],
});
project.package.addField('peerDependenciesMeta', { 'aws-cdk-lib': { optional: true } });

// 1.13.0 names platform packages that do not exist, which makes `npm ci` fail.
project.package.addField('overrides', { 'unrs-resolver': '1.12.2' });

project.addTask('demo', {
  description: 'The main job: the verdict on examples/quickstart, and a consolidation of a web server without and with protection',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx examples/demo.ts' }],
});
project.addTask('conformance', {
  description: 'Compares verdicts with the real Karpenter; needs Go. The last line is one JSON object',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx conformance/run.ts', receiveArgs: true }],
});
project.addTask('test:aws', {
  description: 'Tests the AWS side: cfn-lint, cdk-nag, and templates deployed to moto; needs Python 3.10 or later, and installs test-aws/requirements.txt',
  steps: [{ spawn: 'kernel' }, { exec: 'jest --config test-aws/jest.config.json', receiveArgs: true }],
});
project.addTask('test:languages', {
  description: 'Runs the same programs in TypeScript, Go, Java and Python on the compiled package; needs Go, a JDK with Maven, and Python; takes minutes',
  steps: [{ exec: 'jest --config test-languages/jest.config.json', receiveArgs: true }],
});
project.addTask('bench', {
  description: 'Measures the solver and the command line; the last line is one JSON object',
  steps: [{ exec: 'tsx bench/main.ts', receiveArgs: true }],
});

project.addTask('fuzz', {
  description: 'Solves small scenarios of every kind twice and verifies the answers; the last line is one JSON object',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx test/scheduling/fuzz/main.ts', receiveArgs: true }],
});

project.addTask('corpus', {
  description: 'Checks each repository in a folder: exit codes, times, and findings by rule for 100 workloads; the last line is one JSON object',
  steps: [{ spawn: 'kernel' }, { exec: 'tsx bench/corpus.ts', receiveArgs: true }],
});

project.addTask('fuzz:yaml', {
  description: 'Reads generated texts that resemble YAML with both readers of manifests; the last line is one JSON object',
  steps: [{ exec: 'tsx test/validation/manifest/yaml/main.ts', receiveArgs: true }],
});

// The published package contains the compact catalogue, not its source facts.
const UNPUBLISHED = [
  '/assembly/', '/examples/', '/bench/', '/conformance/', '/test-aws/', '/test-languages/', '/docs/', '/projenrc/', '/.ci/', '/data/generate*.ts', '/data/instance-types.json',
  '/lib/**/*.cache',
];
for (const folder of UNPUBLISHED) {
  project.npmignore?.exclude(folder);
}
// The lock file contains no download addresses: integrity hashes are the same on every registry mirror.
project.npmrc.addConfig('omit-lockfile-registry-resolved', 'true');
project.npmrc.addConfig('fund', 'false');
project.npmrc.addConfig('audit', 'false');

// Folders outside src/ and test/ that are type-checked too.
for (const folder of LINTED_FOLDERS) {
  new JsonFile(project, `${folder}/tsconfig.json`, {
    marker: false,
    obj: { extends: '../tsconfig.json', compilerOptions: { noEmit: true, rootDir: '..' }, include: ['**/*.ts'], exclude: ['node_modules'] },
  });
}

// jest and tsx do not check types. This project has everything that runs but is not published.
const everything = new JsonFile(project, 'tsconfig.dev.json', {
  marker: false,
  obj: {
    extends: './tsconfig.json',
    compilerOptions: { noEmit: true, rootDir: '.', isolatedModules: true },
    include: ['.projenrc.ts', ...['test', 'projenrc', ...LINTED_FOLDERS].map((folder) => `${folder}/**/*.ts`)],
    exclude: ['node_modules'],
  },
});
const typecheck = project.addTask('typecheck', {
  description: 'Checks the types of code that runs but is not published',
  steps: [{ exec: `tsc -p ${everything.path}` }],
});
project.testTask.spawn(typecheck);

new TextFile(project, 'assembly/tsconfig.json', {
  marker: false,
  lines: ['{', '  "extends": "assemblyscript/std/assembly.json",', '  "include": ["./**/*.ts"]', '}', ''],
});

// jsii prints a page about the version of Node.js on every run. package.json and the README say which versions are
// supported.
project.tasks.addEnvironment('JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION', '20');
project.tasks.addEnvironment('JSII_SILENCE_WARNING_DEPRECATED_NODE_VERSION', '1');
project.tasks.addEnvironment('JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION', '1');

project.synth();
