import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Runs the paths that ARCHITECTURE.md describes, and compares the files that it names with those that were executed.
 */
const ROOT = join(__dirname, '..', '..');
const TSX = pathToFileURL(join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
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
const COMMAND = 'require("./src/cli").runAsProcess()';
const NEW_KARPENTER = `
const { App } = require('aws-cdk-lib');
const app = new App();
require('./examples/new-cluster/app').build(app, { account: '111122223333', region: 'eu-west-1' });
app.synth();
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'walk-throughs-'));
  writeFileSync(join(folder, 'shop.yaml'), MANIFESTS);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The files of this repository in which at least one function ran, or which have no function. */
function executedFiles(program: string, args: readonly string[]): Set<string> {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const { stderr, status } = spawnSync(process.execPath, ['--import', TSX, '-e', program, '--', 'x', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  if (status === null || status > 1) throw new Error(stderr);
  const executed = new Set<string>();
  for (const name of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, name), 'utf8')).result as Script[]) {
      if (!url.startsWith('file://')) continue;
      // The first two are the script, and the function in which Node.js wraps a module.
      const own = functions.slice(2).filter((each) => !isMadeByCompiler(each));
      if (own.length === 0 || own.some(({ ranges }) => ranges[0].count > 0))
        executed.add(relative(ROOT, fileURLToPath(url)));
    }
  }
  return executed;
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
  ['a pod from YAML to a report', COMMAND, () => ['check', manifests(), '--region', 'eu-west-1']],
  ['a drift roll', COMMAND, () => ['check', manifests(), '--region', 'eu-west-1', '--scenario', 'drift']],
  ['`new Karpenter()` to a template', NEW_KARPENTER, () => []],
] as const)('the walk-through of %s names files that are executed', (title, program, args) => {
  const executed = executedFiles(program, args());
  const named = namedFiles(`Walk-through: ${title}`).filter(
    (file) => !file.startsWith('assembly/') && !hasOnlyTypes(file),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !executed.has(file))).toEqual([]);
});
