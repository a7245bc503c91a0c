import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Testing } from 'cdk8s';
import { stringify } from 'yaml';
import { CdkExample } from '../../examples/cdk-example';
import * as existingRoles from '../../examples/existing-roles/app';
import * as gitops from '../../examples/gitops/app';
import { NodesChart } from '../../examples/gitops/nodes-chart';
import * as importedCluster from '../../examples/imported-cluster/app';
import * as newCluster from '../../examples/new-cluster/app';
import * as privateCluster from '../../examples/private-cluster-china/app';

const EXAMPLES: ReadonlyArray<readonly [name: string, example: CdkExample, region: string]> = [
  ['new-cluster', newCluster, 'eu-west-1'],
  ['new-cluster', newCluster, 'us-gov-west-1'],
  ['imported-cluster', importedCluster, 'eu-west-1'],
  ['imported-cluster', importedCluster, 'cn-northwest-1'],
  ['existing-roles', existingRoles, 'eu-west-1'],
  ['private-cluster-china', privateCluster, 'cn-north-1'],
  ['gitops', gitops, 'eu-west-1'],
];

function synth(example: CdkExample, region: string): Stack {
  const app = new App({ builtinCloudFormationValidation: false, analyticsReporting: false });
  example.build(app, { account: '111122223333', region });
  return app.node.children.find((child): child is Stack => child instanceof Stack)!;
}

/**
 * The resources of the template without the code of functions, which changes with each release of aws-cdk-lib, and
 * without the metadata for cdk-nag.
 */
function resourcesWithoutCode(stack: Stack): unknown {
  return JSON.parse(
    JSON.stringify(Template.fromStack(stack).toJSON().Resources, (key, value) => {
      if (key === 'Metadata') return undefined;
      return key === 'Code' || key === 'Content' ? '<code>' : value;
    }),
  );
}

describe.each(EXAMPLES)('the example %s', (name, example, region) => {
  const stack = synth(example, region);

  test(`equals the reviewed Karpenter resources in ${region}`, () => {
    const karpenterResources = Object.entries(resourcesWithoutCode(stack) as Record<string, unknown>).filter(([id]) =>
      id.startsWith('Karpenter'),
    );
    expect(
      stringify(Object.fromEntries(karpenterResources), { lineWidth: 150, aliasDuplicateObjects: false }),
    ).toMatchSnapshot();
  });

  test('has no node group with an Amazon Linux 2 AMI, which EKS rejects', () => {
    const groups = Object.values(Template.fromStack(stack).findResources('AWS::EKS::Nodegroup'));
    expect(groups.map(({ Properties }) => Properties.AmiType)).toEqual(
      groups.map(() => expect.stringMatching(/^AL2023_/)),
    );
  });

  test('has no warnings', () => Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue()));

  test('has a diagram and a main.ts', () => {
    const folder = join(__dirname, '../../examples', name);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/```mermaid\nflowchart /);
    expect(existsSync(join(folder, 'main.ts'))).toBe(true);
  });
});

describe('the example existing-roles', () => {
  const template = Template.fromStack(synth(existingRoles, 'eu-west-1'));

  test('creates no role, queue, event rule or access entry', () => {
    for (const type of ['AWS::IAM::Role', 'AWS::SQS::Queue', 'AWS::Events::Rule', 'AWS::EKS::AccessEntry'])
      template.resourceCountIs(type, 0);
  });

  test('attaches the policies to the controller role, and gives it to the controller', () => {
    const policies = Object.values(template.findResources('AWS::IAM::ManagedPolicy'));
    expect(policies.length).toBeGreaterThan(0);
    expect(policies.map(({ Properties }) => Properties.Roles)).toEqual(policies.map(() => ['shop-karpenter']));
    template.hasResourceProperties('AWS::EKS::PodIdentityAssociation', {
      ClusterName: 'shop',
      ServiceAccount: 'karpenter',
    });
  });
});

describe('the example gitops', () => {
  test('outputs Helm values with plain names, which a GitOps repository can contain', () => {
    const outputs = Template.fromStack(synth(gitops, 'eu-west-1')).findOutputs('KarpenterHelmValues');
    const output: any = outputs.KarpenterHelmValues.Value;
    const text =
      typeof output === 'string'
        ? output
        : output['Fn::Join'][1].map((part: any) => (typeof part === 'string' ? part : 'shop')).join('');
    expect(JSON.parse(text)).toMatchObject({
      settings: { clusterName: 'shop', interruptionQueue: 'shop' },
      serviceAccount: { name: 'karpenter' },
    });
  });

  test('uses the role of the stack in the EC2NodeClass', () => {
    const [nodeClass] = Testing.synth(new NodesChart(Testing.app(), 'nodes'));
    expect(nodeClass.spec.role).toBe('KarpenterNodeRole-shop');
    Template.fromStack(synth(gitops, 'eu-west-1')).hasResourceProperties('AWS::IAM::Role', {
      RoleName: nodeClass.spec.role,
    });
  });
});
