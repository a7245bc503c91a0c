import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildCommandLine, bundleSource } from '../support/command-line';

/**
 * Runs the paths that ARCHITECTURE.md describes, and compares the files that it names with those that were executed.
 */
const ROOT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

const MANIFESTS = `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }]
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: KarpenterNodeRole-shop
  amiSelectorTerms: [{ alias: al2023@latest }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: shop } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: shop } }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      topologySpreadConstraints:
        - { maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }
      affinity:
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - { weight: 1, preference: { matchExpressions: [{ key: kubernetes.io/arch, operator: In, values: [arm64] }] } }
      containers: [{ name: web, image: nginx:1.27, resources: { requests: { cpu: '1', memory: 1Gi } } }]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }
---
apiVersion: v1
kind: Pod
metadata: { name: large }
spec: { containers: [{ name: large, image: nginx:1.27, resources: { requests: { cpu: '1000' } } }] }
`;
/** Without the start of the command line, which compiles the bundle in a way that coverage does not see. */
const COMMAND = 'require(process.env.BUNDLE).cli.runAsProcess();';
const NEW_KARPENTER = `
const { App } = require('aws-cdk-lib');
const app = new App();
require(process.env.BUNDLE).build(app, { account: '111122223333', region: 'eu-west-1' });
app.synth();
`;

let folder: string;
/** One bundle loads in a third of the time of its source files. */
let command: Program;
let newKarpenter: Program;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'walk-throughs-'));
  writeFileSync(join(folder, 'shop.yaml'), MANIFESTS);
  // `check` exits with 1, because a pod fits nowhere.
  command = { code: COMMAND, bundle: join(dirname(await buildCommandLine()), 'lib/bundle.js'), status: 1 };
  newKarpenter = { code: NEW_KARPENTER, bundle: join(folder, 'bundle.js'), status: 0 };
  await bundleSource('examples/new-cluster/app.ts', newKarpenter.bundle);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Program {
  readonly code: string;
  readonly bundle: string;
  /** The expected exit code. */
  readonly status: number;
}

/** The files of this repository that were loaded, and in which at least one function ran, or which have no function. */
function executedFiles({ code, bundle, status: expected }: Program, args: readonly string[]): Set<string> {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const { stderr, status } = spawnSync(process.execPath, ['-e', code, '--', 'x', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, BUNDLE: bundle, NODE_V8_COVERAGE: coverage, NODE_PATH: join(ROOT, 'node_modules') },
  });
  if (status !== expected) throw new Error(stderr);
  const scripts = readdirSync(coverage).flatMap(
    (name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')).result as Script[],
  );
  const { functions } = scripts.find(({ url }) => url === pathToFileURL(bundle).href)!;
  return new Set(
    modulesIn(readFileSync(bundle, 'utf8'))
      .filter(({ path, start, end }) => {
        const inside = functions.filter(({ ranges: [range] }) => range.startOffset >= start && range.endOffset <= end);
        // A module that is loaded on use is the body of a function with its path as name.
        if (inside.some(({ functionName, ranges }) => functionName === path && ranges[0].count === 0)) return false;
        const own = inside.filter((each) => each.functionName !== path && !isMadeByCompiler(each));
        return own.length === 0 || own.some(({ ranges }) => ranges[0].count > 0);
      })
      .map(({ path }) => path),
  );
}

/** The source files in a bundle, and where the code of each is: below a comment with its path. */
function modulesIn(bundle: string): { path: string; start: number; end: number }[] {
  const comments = [...bundle.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)];
  return comments.map(({ 1: path, index }, at) => ({
    path,
    start: index,
    end: comments[at + 1]?.index ?? bundle.length,
  }));
}

interface Script {
  readonly url: string;
  readonly functions: readonly CoveredFunction[];
}

interface CoveredFunction {
  readonly functionName: string;
  readonly ranges: ReadonlyArray<{ readonly count: number; readonly startOffset: number; readonly endOffset: number }>;
}

/** Helpers such as `__export`, and `() => name` for each exported name, which run when a module is only loaded. */
function isMadeByCompiler({ functionName, ranges: [{ startOffset, endOffset }] }: CoveredFunction): boolean {
  return functionName.startsWith('__') || endOffset - startOffset <= `() => ${functionName}`.length;
}

/** The files that a section names. A short path continues the folder of a longer one before it. */
function namedFiles(title: string): string[] {
  const section = PAGE.split(`### ${title}\n`)[1].split(/\n##/)[0];
  const steps = [...section.matchAll(/^\d+\. (?:.*\n)(?: {3}.*\n)*/gm)].map(([step]) => step);
  return steps.flatMap((step) => [...step.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path]) => resolved(path, step)));
}

function resolved(path: string, step: string): string {
  if (/^(src|assembly)\//.test(path)) return path;
  const [, base] = /`(src\/[\w-]+)\//.exec(step) ?? [];
  const candidates = [`src/validation/${path}`, `${base}/${path}`];
  return candidates.find((candidate) => existsSync(join(ROOT, candidate))) ?? path;
}

/** A file of types does not exist at run time. */
function hasOnlyTypes(file: string): boolean {
  const path = join(ROOT, file);
  return (
    existsSync(path) &&
    !/^export (abstract class|async function|class|const|function|\*|\{)/m.test(readFileSync(path, 'utf8'))
  );
}

const manifests = () => join(folder, 'shop.yaml');

test.each([
  ['a pod from YAML to a report', () => executedFiles(command, ['check', manifests(), '--region', 'eu-west-1'])],
  [
    'a drift roll',
    () => executedFiles(command, ['check', manifests(), '--region', 'eu-west-1', '--scenario', 'drift']),
  ],
  ['`new Karpenter()` to a template', () => executedFiles(newKarpenter, [])],
])('the walk-through of %s names files that are executed', (title, run) => {
  const executed = run();
  const named = namedFiles(`Walk-through: ${title}`).filter(
    (file) => !file.startsWith('assembly/') && !hasOnlyTypes(file),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !executed.has(file))).toEqual([]);
});
