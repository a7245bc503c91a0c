import { spawnSync } from 'child_process';
import { readFileSync } from 'fs';
import { join } from 'path';
import { parse } from 'yaml';
import { pathWith } from './programs';
import { newFolder } from '../cli/run';
import { buildCommandLine } from '../support/command-line';
import { deployment, NODE_CLASS, nodePool } from '../validation/setup';

jest.setTimeout(60_000);

const { variables, 'karpenter-constructs': job } = parse(
  readFileSync(join(__dirname, '../../integrations/gitlab/karpenter-constructs.gitlab-ci.yml'), 'utf8'),
);

describe('the job of GitLab CI', () => {
  let PATH: string;
  beforeAll(async () => {
    const command = await buildCommandLine();
    PATH = pathWith({ npm: 'echo "npm $*"', 'karpenter-constructs': command });
  });

  function run(settings: Readonly<Record<string, string>> = {}) {
    const files = {
      'k8s/pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
      'k8s/big.yaml': deployment('big', 1, 'cpu: 64, memory: 1Gi'),
    };
    const folder = newFolder(files);
    const script = [...job.before_script, ...job.script].join('\n');
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH, ...variables, ...settings },
    });
    return { status, text: stdout + stderr, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
  }

  test('fails for an error, after it has written the report of the merge request and the HTML report', () => {
    const { status, text, read } = run();
    expect(status).toBe(1);
    expect(text).toMatch(/^npm install --global --ignore-scripts karpenter-constructs@0\.1\.0\n[^]*Deployment big/);
    const issues = JSON.parse(read(job.artifacts.reports.codequality));
    expect(issues).toContainEqual(
      expect.objectContaining({ check_name: 'KARP-301', location: { path: 'k8s/big.yaml', lines: { begin: 11 } } }),
    );
    expect(read(job.artifacts.paths[0])).toContain('<!doctype html>');
  });

  test('runs helm and kustomize only if a variable says so', () => {
    const script = [...job.before_script, ...job.script].join('\n');
    const options = (settings: Readonly<Record<string, string>>) =>
      spawnSync('bash', ['-c', `npm() { :; }; karpenter-constructs() { echo "$@"; }\n${script}`], {
        encoding: 'utf8',
        env: { ...process.env, ...variables, ...settings },
      }).stdout;
    expect(options({})).toMatch(/^(check .*--no-helm --no-kustomize.*\n){3}$/);
    expect(options({ KARPENTER_PROGRAMS: 'true' })).not.toContain('--no-');
  });

  test('uses the variables of the project', () => {
    const { status, text } = run({
      KARPENTER_PATHS: 'k8s',
      KARPENTER_OPTIONS: '--region eu-west-1 --fail-on never',
      KARPENTER_CONSTRUCTS_VERSION: '0.2.0',
    });
    expect(status).toBe(0);
    expect(text).toMatch(/^npm install --global --ignore-scripts karpenter-constructs@0\.2\.0\n[^]*eu-west-1/);
  });
});
