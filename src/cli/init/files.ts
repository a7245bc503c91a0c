/** The files that `init` writes, and the lines that it prints. */
import { existsSync } from 'fs';
import { join } from 'path';
import { asRecord } from '../../contract';
import { readRegularText } from '../../model';
import { CONSTRUCTS_FILE } from '../input/constructs-file';
import { lazy } from '../lazy';

const REPOSITORY = 'https://github.com/karpenter-constructs/karpenter-constructs';
const SCHEMA = `${REPOSITORY}/raw/main/integrations/vscode/karpenter-constructs.schema.json`;

export interface InitFile {
  /** Relative to the folder of the project. */
  readonly path: string;
  readonly text: string;
}

export function initFiles(project: Project, region: string | undefined, version: string): InitFile[] {
  return [
    { path: CONSTRUCTS_FILE, text: constructsFile(region) },
    project.ci === 'gitlab'
      ? { path: '.gitlab/karpenter-constructs.yml', text: gitlabJob(project, version) }
      : { path: '.github/workflows/karpenter.yml', text: githubWorkflow(project, region) },
  ];
}

function constructsFile(region: string | undefined): string {
  return `# yaml-language-server: $schema=${SCHEMA}
# Defaults of karpenter-constructs for this project: ${REPOSITORY}/blob/main/docs/validation.md#acknowledge-findings
${region === undefined ? '# flags:\n#   region: eu-west-1' : `flags:\n  region: ${region}`}
acknowledge: []
# - rule: KARP-401
#   subject: Deployment/shop/web
#   reason: why the finding is fine
`;
}

/** The synth of an app is its check: KarpenterVerdict fails it. */
function synthOf({ app }: Project): string {
  return app === 'cdk8s' ? 'npx cdk8s synth' : 'npx cdk synth --quiet';
}

function installOf({ language }: Project): string {
  return language === 'python' ? 'pip install --requirement requirements.txt' : 'npm ci';
}

function githubWorkflow(project: Project, region: string | undefined): string {
  const checkout = `      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 2 # with the base branch, for the diff
          persist-credentials: false`;
  const steps = project.app
    ? `      - run: ${installOf(project)}
      - run: ${synthOf(project)}`
    : `      - uses: karpenter-constructs/karpenter-constructs@v0
        with:
          paths: .${region === undefined ? '' : `\n          region: ${region}`}`;
  return `name: karpenter
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read${project.app ? '' : '\n  pull-requests: write # for the comment'}
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
${checkout}
${steps}
`;
}

function gitlabJob(project: Project, version: string): string {
  const script = project.app
    ? [installOf(project), synthOf(project)]
    : [`npx --yes karpenter-constructs@${version} check . --quiet`];
  return `# In .gitlab-ci.yml, write: include: { local: .gitlab/karpenter-constructs.yml }
karpenter-constructs:
  image: node:24-slim
  stage: test
  script:
${script.map((line) => `    - ${line}`).join('\n')}
`;
}

/** The lines with which the program of an app fails on errors of the verdict, to be added by hand. */
export function verdictLines({ app, language }: Project, region: string | undefined): string | undefined {
  if (app === undefined) return undefined;
  if (language === 'other') return `  see ${REPOSITORY}/blob/main/docs/plugins.md for your language`;
  const isPython = language === 'python';
  const lines =
    app === 'cdk8s'
      ? [
          isPython ? 'from karpenter_constructs import plugins' : "import { plugins } from 'karpenter-constructs';",
          `${isPython ? '' : 'new '}plugins.KarpenterVerdict(app, ${isPython ? '"Verdict"' : "'Verdict'"}${regionArgument(isPython, region)})${isPython ? '' : ';'}`,
        ]
      : [
          isPython
            ? 'from aws_cdk import Validations\nfrom karpenter_constructs import plugins'
            : "import { Validations } from 'aws-cdk-lib';\nimport { plugins } from 'karpenter-constructs';",
          isPython
            ? 'Validations.of(app).add_plugins(plugins.KarpenterVerdictPlugin())'
            : 'Validations.of(app).addPlugins(new plugins.KarpenterVerdictPlugin());',
        ];
  return lines
    .flatMap((text) => text.split('\n'))
    .map((line) => `  ${line}`)
    .join('\n');
}

function regionArgument(isPython: boolean, region: string | undefined): string {
  if (region === undefined) return '';
  return isPython ? `, region="${region}"` : `, { region: '${region}' }`;
}

// What kind of project a folder is, read from the files of its tools.

interface Project {
  /** The program that writes manifests or templates, if there is one. */
  readonly app?: 'cdk8s' | 'cdk';
  readonly language: 'typescript' | 'python' | 'other';
  /** Where pipelines run. */
  readonly ci: 'github' | 'gitlab';
}

const MOST_BYTES = 1024 * 1024;

export function projectIn(folder: string): Project {
  const ci = existsSync(join(folder, '.gitlab-ci.yml')) ? 'gitlab' : 'github';
  const cdk8s = commandIn(join(folder, 'cdk8s.yaml'));
  if (cdk8s !== undefined) return { app: 'cdk8s', language: languageOf(cdk8s), ci };
  const cdk = commandIn(join(folder, 'cdk.json'));
  return cdk === undefined ? { language: 'other', ci } : { app: 'cdk', language: languageOf(cdk), ci };
}

/** The key `app` of the tool's file, empty if it has none. Undefined without a file. JSON is YAML, too. */
function commandIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const app = asRecord(lazy.yaml.parse(readRegularText(file, MOST_BYTES), { logLevel: 'silent' }))?.app;
    return typeof app === 'string' ? app : '';
  } catch {
    return '';
  }
}

function languageOf(command: string): Project['language'] {
  if (/\bpython3?\b|\.py\b/.test(command)) return 'python';
  return /\.[jt]s\b|\b(?:node|tsx|ts-node)\b/.test(command) ? 'typescript' : 'other';
}
