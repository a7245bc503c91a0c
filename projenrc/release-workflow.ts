/**
 * Writes .github/workflows/release.yml: a tag `v1.2.3` builds, tests and publishes the package to npm, PyPI, Maven
 * Central, NuGet and a repository of Go modules. projen's own release would add a tool that needs a newer Node.js than
 * this project supports.
 */
import { Project, YamlFile } from 'projen';

/** By commit, because a tag can be moved to other code. The version is that of the tag. */
const ACTIONS = {
  /** v7.0.1 */
  CHECKOUT: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1',
  /** v7.0.0 */
  SETUP_NODE: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020',
  /** v7.0.0 */
  SETUP_PYTHON: 'actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97',
  /** v5.7.0 */
  SETUP_JAVA: 'actions/setup-java@b6effb05e454b25005698d916606bdc6ffcbf961',
  /** v6.0.0 */
  SETUP_DOTNET: 'actions/setup-dotnet@a98b56852c35b8e3190ac28c8c2271da59106c68',
  /** v7.0.0 */
  SETUP_GO: 'actions/setup-go@b7ad1dad31e06c5925ef5d2fc7ad053ef454303e',
  /** v7.0.1 */
  UPLOAD_ARTIFACT: 'actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a',
  /** v8.0.1 */
  DOWNLOAD_ARTIFACT: 'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c',
  /** v4.1.0 */
  ATTEST_BUILD_PROVENANCE: 'actions/attest-build-provenance@a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32',
  /** v4.1.0 */
  ATTEST_SBOM: 'actions/attest-sbom@c604332985a26aa8cf1bdc465b92731239ec6b9e',
};

const NODE = '24';
/** Publishes with the registries' own protocols. The version is exact, because it handles credentials. */
const PUBLISHER = 'publib@0.2.1061';

type Step = Readonly<Record<string, unknown>>;

/** A registry, the tools that make its package, and how its publisher logs in. */
interface Registry {
  readonly job: string;
  readonly task: string;
  readonly folder: string;
  readonly command: string;
  readonly tools: readonly Step[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the registry accepts the identity of the workflow instead of a secret. */
  readonly isTrusted: boolean;
}

const REGISTRIES: readonly Registry[] = [
  {
    job: 'npm',
    task: 'package:js',
    folder: 'js',
    command: 'publib-npm',
    tools: [],
    isTrusted: true,
    env: { NPM_DIST_TAG: 'latest', NPM_CONFIG_PROVENANCE: 'true', NPM_TRUSTED_PUBLISHER: 'true' },
  },
  {
    job: 'pypi',
    task: 'package:python',
    folder: 'python',
    command: 'publib-pypi',
    isTrusted: true,
    tools: [{ uses: ACTIONS.SETUP_PYTHON, with: { 'python-version': '3.x' } }],
    env: { PYPI_TRUSTED_PUBLISHER: 'true' },
  },
  {
    job: 'maven',
    task: 'package:java',
    folder: 'java',
    command: 'publib-maven',
    isTrusted: false,
    tools: [{ uses: ACTIONS.SETUP_JAVA, with: { distribution: 'corretto', 'java-version': '17' } }],
    env: {
      MAVEN_SERVER_ID: 'central-ossrh',
      MAVEN_GPG_PRIVATE_KEY: '${{ secrets.MAVEN_GPG_PRIVATE_KEY }}',
      MAVEN_GPG_PRIVATE_KEY_PASSPHRASE: '${{ secrets.MAVEN_GPG_PRIVATE_KEY_PASSPHRASE }}',
      MAVEN_USERNAME: '${{ secrets.MAVEN_USERNAME }}',
      MAVEN_PASSWORD: '${{ secrets.MAVEN_PASSWORD }}',
    },
  },
  {
    job: 'nuget',
    task: 'package:dotnet',
    folder: 'dotnet',
    command: 'publib-nuget',
    isTrusted: true,
    tools: [{ uses: ACTIONS.SETUP_DOTNET, with: { 'dotnet-version': '8.x' } }],
    env: { NUGET_TRUSTED_PUBLISHER: 'true', NUGET_USERNAME: '${{ secrets.NUGET_USERNAME }}' },
  },
  {
    job: 'go',
    task: 'package:go',
    folder: 'go',
    command: 'publib-golang',
    isTrusted: false,
    tools: [{ uses: ACTIONS.SETUP_GO, with: { 'go-version': 'stable', cache: false } }],
    env: {
      GITHUB_TOKEN: '${{ secrets.GO_GITHUB_TOKEN }}',
      GIT_USER_NAME: 'github-actions[bot]',
      GIT_USER_EMAIL: '41898282+github-actions[bot]@users.noreply.github.com',
    },
  },
];

/** Without a cache, into which a workflow of a pull request could write. */
const setUp: readonly Step[] = [
  { uses: ACTIONS.CHECKOUT, with: { 'persist-credentials': false } },
  { uses: ACTIONS.SETUP_NODE, with: { 'node-version': NODE, 'package-manager-cache': false } },
];
/** Jobs that publish run no script of a dependency: it could ask for the same token. */
const setUpWithToken: readonly Step[] = [...setUp, { run: 'npm ci --ignore-scripts' }];
/** The tarball as npm has got it. */
const PUBLISHED = 'published';

const build = {
  'runs-on': 'ubuntu-latest',
  'timeout-minutes': 60,
  permissions: { contents: 'read' },
  steps: [
    ...setUp,
    { run: 'npm ci' },
    {
      name: 'Check that the tag, package.json and CHANGELOG.md have the same version',
      run: 'npx tsx tools/docs/changelog.ts --check "$GITHUB_REF_NAME"',
    },
    { name: 'Warn if the prices are more than 60 days old', run: 'npx tsx data/price-age.ts' },
    { run: 'npm test' },
    { name: 'Compare the API with the released one', run: '.ci/compat' },
    { name: 'Write the SBOM', run: 'npx projen sbom' },
    { name: 'Check that the build has changed no committed file', run: 'git diff --exit-code' },
    {
      uses: ACTIONS.UPLOAD_ARTIFACT,
      with: {
        name: 'build',
        path: ['lib', '.jsii', '.jsii.gz', 'dist/sbom.cdx.json'].join('\n'),
        'include-hidden-files': true,
        'if-no-files-found': 'error',
      },
    },
  ],
};

const keepTarball: Step = {
  uses: ACTIONS.UPLOAD_ARTIFACT,
  with: { name: PUBLISHED, path: 'dist/js/*.tgz', 'if-no-files-found': 'error' },
};

function publish({ job, task, folder, command, tools, env, isTrusted }: Registry) {
  return {
    needs: 'build',
    'runs-on': 'ubuntu-latest',
    'timeout-minutes': 60,
    environment: 'release',
    permissions: { contents: 'read', ...(isTrusted ? { 'id-token': 'write' } : {}) },
    steps: [
      ...setUpWithToken,
      ...tools,
      { uses: ACTIONS.DOWNLOAD_ARTIFACT, with: { name: 'build' } },
      { run: `npx projen ${task}` },
      { run: `npx --yes --package ${PUBLISHER} ${command} dist/${folder}`, env },
      ...(job === 'npm' ? [keepTarball] : []),
    ],
  };
}

/** The release of GitHub, with the published package and its SBOM attached, and an attestation of both. */
const announce = {
  needs: REGISTRIES.map(({ job }) => job),
  'runs-on': 'ubuntu-latest',
  'timeout-minutes': 15,
  permissions: { contents: 'write', 'id-token': 'write', attestations: 'write' },
  steps: [
    ...setUpWithToken,
    { uses: ACTIONS.DOWNLOAD_ARTIFACT, with: { name: 'build' } },
    { uses: ACTIONS.DOWNLOAD_ARTIFACT, with: { name: PUBLISHED, path: 'dist' } },
    {
      name: 'Check that the tarball is the one on npm',
      run: [
        'published="$(npm view "karpenter-constructs@${GITHUB_REF_NAME#v}" dist.integrity)"',
        'test "$published" = "sha512-$(openssl dgst -sha512 -binary dist/*.tgz | openssl base64 -A)"',
      ].join('\n'),
    },
    { uses: ACTIONS.ATTEST_BUILD_PROVENANCE, with: { 'subject-path': 'dist/*.tgz' } },
    { uses: ACTIONS.ATTEST_SBOM, with: { 'subject-path': 'dist/*.tgz', 'sbom-path': 'dist/sbom.cdx.json' } },
    {
      run: [
        'npx tsx tools/docs/changelog.ts --notes "$GITHUB_REF_NAME" > dist/notes.md',
        'gh release create "$GITHUB_REF_NAME" --verify-tag --title "$GITHUB_REF_NAME" --notes-file dist/notes.md dist/*.tgz dist/sbom.cdx.json',
      ].join('\n'),
      env: { GH_TOKEN: '${{ github.token }}' },
    },
  ],
};

export function writeReleaseWorkflow(project: Project): void {
  new YamlFile(project, '.github/workflows/release.yml', {
    obj: {
      name: 'release',
      on: { push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } },
      permissions: {},
      concurrency: { group: 'release' },
      jobs: { build, ...Object.fromEntries(REGISTRIES.map((registry) => [registry.job, publish(registry)])), announce },
    },
  });
}
