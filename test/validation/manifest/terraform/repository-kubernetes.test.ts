import { check, Root, SourceFile } from '../../../../src/validation';
import {
  withKubernetesVersion,
  writtenKubernetes,
} from '../../../../src/validation/manifest/source/terraform/repository-kubernetes';
import { nodeClass, nodePool } from '../../rules/judge';
import { deployment, SMALL } from '../../setup';

const AL2 = nodeClass('default', { amiSelectorTerms: [{ alias: 'al2@latest' }] });
const CLUSTER = 'resource "aws_eks_cluster" "main" {\n  name    = "a"\n  version = "1.34"\n}\n';
const MODULE = 'module "eks" {\n  source = "./eks"\n  kubernetes_version = "1.34"\n}\n';
const VARIABLE = 'variable "kubernetes_version" {\n  type = string\n  default = "1.31"\n}\n';

const verdictWith = (nodeClasses: string, ...terraform: readonly string[]) => {
  const root: Root = {
    name: 'k8s',
    kind: 'files',
    sources: [
      { path: 'k8s/a.yaml', text: [nodePool('default'), nodeClasses, deployment('web', 2, SMALL)].join('\n---\n') },
    ],
    notes: [],
  };
  const files = terraform.map(
    (text): SourceFile => ({
      path: 'main.tf',
      text: '',
      trace: { kubernetes: writtenKubernetes(text) },
    }),
  );
  const [{ sources }] = withKubernetesVersion([root], files);
  return check(sources, { region: 'eu-west-1' });
};

const severityWith = (...terraform: readonly string[]) =>
  verdictWith(AL2, ...terraform)
    .findings.filter(({ rule }) => rule === 'KARP-907')
    .map(({ severity }) => severity);

describe('the version of Kubernetes in Terraform files', () => {
  test.each([
    ['a cluster', [CLUSTER]],
    ['an argument of a module, before the default of its variable', [MODULE, VARIABLE]],
  ])('makes Amazon Linux 2 an error after its last version: %s', (_, files) => {
    expect(severityWith(...files)).toEqual(['error']);
  });

  test.each([
    ['an older version', [VARIABLE]],
    ['two versions', [CLUSTER, MODULE.replace('1.34', '1.30')]],
    ['a line that is commented out', [CLUSTER.replace('  version', '  # version')]],
    ['the version of a module', ['module "vpc" {\n  version = "1.34"\n}\n']],
  ])('leaves a warning for %s', (_, files) => {
    expect(severityWith(...files)).toEqual(['warning']);
  });

  test.each([
    ['Amazon Linux 2', 'al2@latest', 'KARP-907'],
    ['Windows Server 2025', 'windows2025@latest', 'KARP-918'],
  ])('leaves all pods without a node if a class of %s is never ready with it', (_, alias, rule) => {
    const nodeClasses = nodeClass('default', { amiSelectorTerms: [{ alias }] });
    expect(verdictWith(nodeClasses, CLUSTER).summary.asWritten).toEqual({
      scheduledPods: 0,
      causes: [{ kind: 'EC2NodeClass', name: 'default', rule, consequence: 'not-ready' }],
    });
  });

  test('leaves the pods on their nodes if Amazon Linux 2 has AMIs for it', () => {
    expect(verdictWith(AL2, VARIABLE).summary.asWritten).toBeUndefined();
  });
});
