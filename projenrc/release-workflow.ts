/**
 * Writes .github/workflows/release.yml: a tag `v1.2.3` builds, tests and publishes the package to npm, PyPI, Maven
 * Central, NuGet and a repository of Go modules. projen's own release would add a tool that needs a newer Node.js than
 * this project supports.
 */
import { github, Project, YamlFile } from 'projen';

const ACTIONS = github.ActionRefs;

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
    tools: [{ uses: ACTIONS.ACTIONS_SETUP_PYTHON, with: { 'python-version': '3.x' } }],
    env: { PYPI_TRUSTED_PUBLISHER: 'true' },
  },
  {
    job: 'maven',
    task: 'package:java',
    folder: 'java',
    command: 'publib-maven',
    isTrusted: false,
    tools: [{ uses: ACTIONS.ACTIONS_SETUP_JAVA, with: { distribution: 'corretto', 'java-version': '17' } }],
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
    tools: [{ uses: ACTIONS.ACTIONS_SETUP_DOTNET, with: { 'dotnet-version': '8.x' } }],
    env: { NUGET_TRUSTED_PUBLISHER: 'true', NUGET_USERNAME: '${{ secrets.NUGET_USERNAME }}' },
  },
  {
    job: 'go',
    task: 'package:go',
    folder: 'go',
    command: 'publib-golang',
    isTrusted: false,
    tools: [{ uses: ACTIONS.ACTIONS_SETUP_GO, with: { 'go-version': 'stable' } }],
    env: {
      GITHUB_TOKEN: '${{ secrets.GO_GITHUB_TOKEN }}',
      GIT_USER_NAME: 'github-actions[bot]',
      GIT_USER_EMAIL: '41898282+github-actions[bot]@users.noreply.github.com',
    },
  },
];

const setUp: readonly Step[] = [
  { uses: ACTIONS.ACTIONS_CHECKOUT, with: { 'persist-credentials': false } },
  { uses: ACTIONS.ACTIONS_SETUP_NODE, with: { 'node-version': NODE } },
  { run: 'npm ci' },
];

const build = {
  'runs-on': 'ubuntu-latest',
  'timeout-minutes': 60,
  permissions: { contents: 'read' },
  steps: [
    ...setUp,
    {
      name: 'Check that the tag, package.json and CHANGELOG.md have the same version',
      run: 'npx tsx projenrc/changelog.ts --check "$GITHUB_REF_NAME"',
    },
    { run: 'npm test' },
    { name: 'Compare the API with the released one', run: '.ci/compat' },
    { name: 'Write the SBOM', run: 'npx projen sbom' },
    { name: 'Check that the build has changed no committed file', run: 'git diff --exit-code' },
    {
      uses: ACTIONS.ACTIONS_UPLOAD_ARTIFACT,
      with: {
        name: 'build',
        path: ['lib', '.jsii', '.jsii.gz', 'dist/sbom.cdx.json'].join('\n'),
        'include-hidden-files': true,
        'if-no-files-found': 'error',
      },
    },
  ],
};

function publish({ task, folder, command, tools, env, isTrusted }: Registry) {
  return {
    needs: 'build',
    'runs-on': 'ubuntu-latest',
    'timeout-minutes': 60,
    environment: 'release',
    permissions: { contents: 'read', ...(isTrusted ? { 'id-token': 'write' } : {}) },
    steps: [
      ...setUp,
      ...tools,
      { uses: ACTIONS.ACTIONS_DOWNLOAD_ARTIFACT, with: { name: 'build' } },
      { run: `npx projen ${task}` },
      { run: `npx --yes --package ${PUBLISHER} ${command} dist/${folder}`, env },
    ],
  };
}

/** The release of GitHub, with the package and its SBOM attached, and an attestation of both. */
const announce = {
  needs: REGISTRIES.map(({ job }) => job),
  'runs-on': 'ubuntu-latest',
  'timeout-minutes': 15,
  permissions: { contents: 'write', 'id-token': 'write', attestations: 'write' },
  steps: [
    ...setUp,
    { uses: ACTIONS.ACTIONS_DOWNLOAD_ARTIFACT, with: { name: 'build' } },
    { run: 'npm pack --ignore-scripts --pack-destination dist' },
    { uses: 'actions/attest-build-provenance@v3', with: { 'subject-path': 'dist/*.tgz' } },
    { uses: 'actions/attest-sbom@v3', with: { 'subject-path': 'dist/*.tgz', 'sbom-path': 'dist/sbom.cdx.json' } },
    {
      run: [
        'npx tsx projenrc/changelog.ts --notes "$GITHUB_REF_NAME" > dist/notes.md',
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
