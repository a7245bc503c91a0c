import { compile, newPackedProject, run } from './packed-project';

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

test.each([28, 33, 34])('a project with cdk8s-plus-%i alone compiles without skipLibCheck, and runs', (release) => {
  const files = { 'main.ts': program(release), 'tsconfig.json': TSCONFIG };
  const folder = newPackedProject(files, [`cdk8s-plus-${release}`]); // without aws-cdk-lib
  compile(folder);
  expect(run(folder, process.execPath, 'out/main.js').trim()).toBe('2');
});
