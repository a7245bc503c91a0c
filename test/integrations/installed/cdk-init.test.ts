import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, newPackedProject, ROOT, run } from './packed-project';

/** As `cdk init app --language typescript` writes it, but without skipLibCheck and without the types of Jest. */
function tsconfig(): string {
  const template = join(ROOT, 'node_modules/aws-cdk/lib/init-templates/app/typescript/tsconfig.json');
  const { compilerOptions } = JSON.parse(readFileSync(template, 'utf8'));
  return JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: false, types: ['node'] } });
}

const NODES = `
const nodeClass = karpenter.addNodeClass('al2023', { amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')] });
karpenter.addNodePool('general', {
  nodeClass,
  requirements: [nodes.Requirement.capacityType().in(nodes.CapacityType.SPOT, nodes.CapacityType.ON_DEMAND)],
  limits: { cpu: 100 },
});
karpenter.acknowledgeCdkNag();
// @ts-expect-error The field is misspelt: a compiler that does not read the package's types reports nothing.
export const misspelt = (): unknown => karpenter.addNodePool('misspelt', { nodeClas: nodeClass });
app.synth();
const { Resources } = JSON.parse(readFileSync(join(app.outdir, stack.templateFile), 'utf8'));
const types = Object.values<{ Type: string }>(Resources).map(({ Type }) => Type);
const count = (kind: string) => types.filter((type) => type === \`Custom::AWSCDK-EKS-\${kind}\`).length;
console.log(\`\${count('HelmChart')} charts, \${count('KubernetesResource')} objects\`);
`;

/** A program with one stack. The second argument declares `cluster`. */
function program(eks: string, cluster: string): string {
  return `
import { readFileSync } from 'fs';
import { join } from 'path';
import { App, Stack, Validations } from 'aws-cdk-lib/core';
import * as eks from 'aws-cdk-lib/${eks}';
import { Role } from 'aws-cdk-lib/aws-iam';
import { KubectlV34Layer } from '@aws-cdk/lambda-layer-kubectl-v34';
import { infra, nodes, plugins } from 'karpenter-constructs';

const app = new App({ analyticsReporting: false });
Validations.of(app).addPlugins(new plugins.KarpenterVerdictPlugin());
const stack = new Stack(app, 'Shop', { env: { account: '111122223333', region: 'eu-west-1' } });
${cluster}
const karpenter = new infra.Karpenter(stack, 'Karpenter', { cluster });
${NODES}`;
}

const FILES = {
  'aws-eks.ts': program(
    'aws-eks',
    `const cluster: eks.ICluster = new eks.Cluster(stack, 'Cluster', {
  version: eks.KubernetesVersion.V1_34,
  authenticationMode: eks.AuthenticationMode.API,
  kubectlLayer: new KubectlV34Layer(stack, 'Kubectl'),
  defaultCapacity: 0,
});
new infra.SystemNodeGroup(stack, 'System', { cluster });`,
  ),
  'aws-eks-v2.ts': program(
    'aws-eks-v2',
    `const cluster: eks.ICluster = new eks.Cluster(stack, 'Cluster', {
  version: eks.KubernetesVersion.V1_34,
  kubectlProviderOptions: { kubectlLayer: new KubectlV34Layer(stack, 'Kubectl') },
  defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
  defaultCapacity: 0,
});
new infra.SystemNodeGroup(stack, 'System', { cluster });`,
  ),
  'imported.ts': program(
    'aws-eks-v2',
    `const kubectlProvider = eks.KubectlProvider.fromKubectlProviderAttributes(stack, 'Kubectl', {
  serviceToken: stack.formatArn({ service: 'lambda', resource: 'function', resourceName: 'shop-kubectl' }),
  role: Role.fromRoleName(stack, 'KubectlRole', 'shop-kubectl'),
});
const cluster = eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop', kubectlProvider });`,
  ),
};

describe('a project as cdk init writes it', () => {
  let folder: string;

  beforeAll(() => {
    folder = newPackedProject({ ...FILES, 'tsconfig.json': tsconfig() }, [
      'aws-cdk-lib',
      '@aws-cdk/lambda-layer-kubectl-v34',
    ]);
  });

  test('compiles without skipLibCheck', () => compile(folder));

  test.each(Object.keys(FILES))('deploys two charts and two objects with %s', (file) => {
    const output = run(folder, process.execPath, '--import', require.resolve('tsx'), file);
    expect(output.trim().split('\n').at(-1)).toBe('2 charts, 2 objects');
  });
});
