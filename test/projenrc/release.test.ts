import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sectionOf } from '../../tools/docs/changelog';

const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');
const metadata = JSON.parse(read('package.json'));

describe('package.json has what Construct Hub and the registries require', () => {
  test('a version, an open licence, a public repository, an author and a stability', () => {
    expect(metadata).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      license: 'Apache-2.0',
      repository: { type: 'git', url: expect.stringMatching(/^https:\/\/github\.com\/.+\.git$/) },
      author: { name: expect.any(String), email: expect.any(String) },
      stability: expect.stringMatching(/^(experimental|stable)$/),
      publishConfig: { access: 'public' },
    });
    expect(metadata.description.length).toBeGreaterThan(20);
    expect(metadata.private).toBeUndefined();
  });

  // Construct Hub finds a package by its keywords, and shows it for the frameworks that they name.
  test('keywords of both frameworks', () => {
    expect(metadata.keywords).toEqual(
      expect.arrayContaining(['karpenter', 'eks', 'kubernetes', 'cdk', 'awscdk', 'aws-cdk', 'cdk8s']),
    );
  });

  test('a jsii target for each language', () => {
    expect(metadata.jsii.targets).toEqual({
      java: { package: expect.any(String), maven: { groupId: expect.any(String), artifactId: 'karpenter-constructs' } },
      python: { distName: 'karpenter-constructs', module: 'karpenter_constructs' },
      dotnet: { namespace: expect.any(String), packageId: expect.any(String) },
      go: { moduleName: expect.stringMatching(/^github\.com\//) },
    });
  });
});

test('CHANGELOG.md has a section for the version of package.json', () => {
  expect(sectionOf(read('CHANGELOG.md'), metadata.version)).toBeTruthy();
});

describe('the release workflow', () => {
  const workflow = parse(read('.github/workflows/release.yml'));
  const textOf = (job: string) => JSON.stringify(workflow.jobs[job]);

  test('publishes to five registries, each after the build', () => {
    for (const [job, command] of Object.entries({
      npm: 'publib-npm',
      pypi: 'publib-pypi',
      maven: 'publib-maven',
      nuget: 'publib-nuget',
      go: 'publib-golang',
    })) {
      expect(workflow.jobs[job].needs).toBe('build');
      expect(textOf(job)).toContain(command);
    }
  });

  test('uses the identity of the workflow instead of a token for npm, PyPI and NuGet, with provenance on npm', () => {
    for (const job of ['npm', 'pypi', 'nuget']) {
      expect(workflow.jobs[job].permissions).toEqual({ contents: 'read', 'id-token': 'write' });
      expect(textOf(job)).toContain(`${job.toUpperCase()}_TRUSTED_PUBLISHER`);
      expect(textOf(job)).not.toMatch(/_TOKEN|API_KEY|PASSWORD/);
    }
    expect(textOf('npm')).toContain('"NPM_CONFIG_PROVENANCE":"true"');
  });

  test('gives no job more permissions than it states, and writes only where it announces the release', () => {
    expect(workflow.permissions).toEqual({});
    const writers = Object.entries<{ permissions: Record<string, string> }>(workflow.jobs)
      .filter(([, { permissions }]) => permissions.contents === 'write')
      .map(([name]) => name);
    expect(writers).toEqual(['announce']);
  });

  test('checks versions, tests and the API before it publishes, and attaches the SBOM', () => {
    const build = textOf('build');
    const steps = ['changelog.ts --check', 'npm test', '.ci/compat', 'projen sbom', 'git diff --exit-code'].map(
      (step) => build.indexOf(step),
    );
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(steps[0]).toBeGreaterThan(0);
    expect(textOf('announce')).toContain('dist/sbom.cdx.json');
  });

  test('runs no script of a dependency in a job with a token or secret', () => {
    const jobs = Object.keys(workflow.jobs).filter((job) => /"write"|secrets\./.test(textOf(job)));
    expect(jobs).toEqual(['npm', 'pypi', 'maven', 'nuget', 'go', 'announce']);
    for (const job of jobs) expect(textOf(job).match(/npm ci[^"]*/g)).toEqual(['npm ci --ignore-scripts']);
  });

  test('attests the tarball that npm has got', () => {
    expect(textOf('npm')).toMatch(/publib-npm.*"name":"published","path":"dist\/js\/\*\.tgz"/);
    expect(textOf('announce')).toMatch(/"name":"published".*dist\.integrity.*attest-build-provenance/);
    expect(textOf('announce')).not.toContain('npm pack');
  });
});

test('all actions that a workflow uses have the hash of a commit, except our own in the workflow to copy', () => {
  const workflows = ['release', 'nightly', 'pull-request'].map((name) => `.github/workflows/${name}.yml`);
  const files = [...workflows, 'action.yml', 'integrations/github/workflow.yml'];
  const uses = files.flatMap((file) => [...read(file).matchAll(/uses: (\S+)/g)].map(([, action]) => action));
  expect(uses.length).toBeGreaterThan(20);
  expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([
    'karpenter-constructs/karpenter-constructs@v0',
  ]);
});

test('the hook of pre-commit and the job of GitLab have the version of package.json', () => {
  expect(read('.pre-commit-hooks.yaml')).toContain(`npx --yes karpenter-constructs@${metadata.version} check`);
  const { variables } = parse(read('integrations/gitlab/karpenter-constructs.gitlab-ci.yml'));
  expect(variables.KARPENTER_CONSTRUCTS_VERSION).toBe(metadata.version);
});
