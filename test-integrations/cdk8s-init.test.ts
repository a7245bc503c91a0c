import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder } from '../test/cli/run';

const ROOT = join(__dirname, '..');

/** As `cdk8s init typescript-app` writes it, but without skipLibCheck, and with types of Node.js. */
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    alwaysStrict: true,
    declaration: true,
    lib: ['es2022'],
    module: 'CommonJS',
    noImplicitAny: true,
    noImplicitReturns: true,
    noImplicitThis: true,
    noUnusedLocals: true,
    strict: true,
    strictNullChecks: true,
    strictPropertyInitialization: true,
    target: 'ES2022',
    moduleResolution: 'node',
    ignoreDeprecations: '6.0',
    outDir: 'out',
    rootDir: '.',
    types: ['node'],
  },
  files: ['main.ts'],
});

function program(release: number): string {
  return `
import { App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-${release}';
import { nodes, workloads } from 'karpenter-constructs';
import { ResilientDeployment, ResilientJob } from 'karpenter-constructs/lib/cdk8s-plus-${release}';

const app = new App();
const chart = new Chart(app, 'shop');
const nodePool = nodes.NodePool.fromNodePoolAttributes(chart, 'Pool', { name: 'shop' });
const resources = { cpu: { request: kplus.Cpu.millis(500) } };
new kplus.Deployment(chart, 'Api', { containers: [{ image: 'api', portNumber: 80, resources }] });
chart.with(new workloads.Resilience({ nodePool }));
const web = new ResilientDeployment(chart, 'Web', {
  containers: [{ image: 'web', portNumber: 80, readiness: kplus.Probe.fromHttpGet('/'), resources }],
  nodePool,
});
new kplus.HorizontalPodAutoscaler(chart, 'Scaler', { target: web, maxReplicas: 9 });
new ResilientJob(chart, 'Import', { containers: [{ image: 'import', resources }] });
console.log(app.synthYaml().match(/kind: PodDisruptionBudget/g)?.length);
`;
}

/** A project with the package as it is published, one release of cdk8s-plus, and no aws-cdk-lib. */
function newProject(release: number): string {
  const folder = newFolder({ 'main.ts': program(release), 'tsconfig.json': TSCONFIG });
  const modules = join(folder, 'node_modules');
  for (const name of ['cdk8s', 'constructs', `cdk8s-plus-${release}`, '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const [{ filename }] = JSON.parse(
    run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  );
  mkdirSync(join(modules, 'karpenter-constructs'));
  run(folder, 'tar', 'xzf', filename, '--strip-components=1', '-C', 'node_modules/karpenter-constructs');
  return folder;
}

function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect({ command, status, text: status === 0 ? '' : stdout + stderr }).toEqual({ command, status: 0, text: '' });
  return stdout;
}

test.each([28, 33, 34])('a project with cdk8s-plus-%i alone compiles without skipLibCheck, and runs', (release) => {
  const folder = newProject(release);
  run(folder, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'));
  expect(run(folder, process.execPath, 'out/main.js').trim()).toBe('2');
});
