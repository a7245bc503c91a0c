import { check, rootsOf, SourceFile, withKarpenterOfRepository, withSharedPools } from '../../../../src/validation';
import { deployment, NODE_CLASS, nodePool } from '../../setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const KUSTOMIZATION = 'resources: [all.yaml]\n';
const application = (chart: string, version: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: ${chart}, namespace: argocd }
spec:
  destination: { namespace: kube-system }
  source: { repoURL: public.ecr.aws/karpenter, chart: ${chart}, targetRevision: ${version}, helm: { skipCrds: true } }
`;
const SKEWED = [application('karpenter', '1.8.1'), application('karpenter-crd', '1.5.0')].join('---\n');

/** The paths of findings that each root has about the CRDs of Karpenter. */
function skews(files: Readonly<Record<string, string>>) {
  const all = Object.entries(files).map(([path, text]): SourceFile => ({ path, text, isFound: true }));
  return withKarpenterOfRepository(rootsOf(all), all).map(({ name, sources }) => [
    name,
    ...check(sources)
      .findings.filter(({ rule }) => rule === 'KARP-909')
      .map(({ location }) => location.file),
  ]);
}

describe('a release of Karpenter in a folder without judged objects', () => {
  const nodes = { 'nodes/all.yaml': POOLS, 'nodes/kustomization.yaml': KUSTOMIZATION };

  test('is judged with the NodePools of another folder', () => {
    expect(skews({ ...nodes, 'apps/karpenter.yaml': SKEWED })).toEqual([['nodes', 'apps/karpenter.yaml']]);
    const kustomization = { 'infra/all.yaml': SKEWED, 'infra/kustomization.yaml': KUSTOMIZATION };
    expect(skews({ ...nodes, ...kustomization })).toEqual([['nodes', 'infra/all.yaml']]);
  });

  test('is judged with the NodePools of its environment only', () => {
    const pools = (path: string) => ({ [`${path}/all.yaml`]: POOLS, [`${path}/kustomization.yaml`]: KUSTOMIZATION });
    const files = {
      ...pools('prod/nodes'),
      ...pools('staging/nodes'),
      'prod/apps/karpenter.yaml': SKEWED,
      'staging/apps/karpenter.yaml': SKEWED.replaceAll('1.8.1', '1.5.0'),
    };
    expect(skews(files)).toEqual([['prod/nodes', 'prod/apps/karpenter.yaml'], ['staging/nodes']]);
  });

  test('is not judged if it can be one of several', () => {
    expect(skews({ ...nodes, 'a/karpenter.yaml': SKEWED, 'b/karpenter.yaml': SKEWED })).toEqual([['nodes']]);
  });
});

test('settings of the VPC CNI are judged with the security groups of pods in another folder', () => {
  const cni = application('aws-vpc-cni', '1.19.5').replace(
    'helm: { skipCrds: true }',
    'helm: { valuesObject: { env: { ENABLE_PREFIX_DELEGATION: "false" } } }',
  );
  const policy = `apiVersion: vpcresources.k8s.aws/v1beta1
kind: SecurityGroupPolicy
metadata: { name: web, namespace: default }
spec: { podSelector: { matchLabels: { app: web } }, securityGroups: { groupIds: [sg-1] } }
`;
  const files: SourceFile[] = Object.entries({
    'nodes/all.yaml': POOLS,
    'nodes/kustomization.yaml': KUSTOMIZATION,
    'apps/all.yaml': [policy, deployment('web', 2, 'cpu: 1')].join('---\n'),
    'apps/kustomization.yaml': KUSTOMIZATION,
    'cni.yaml': cni,
  }).map(([path, text]) => ({ path, text, isFound: true }));
  const found = withKarpenterOfRepository(withSharedPools(rootsOf(files)), files).map(({ name, sources }) => [
    name,
    ...check(sources)
      .findings.filter(({ rule }) => rule === 'KARP-265')
      .map(({ location }) => location.file),
  ]);
  expect(found).toEqual([['apps', 'cni.yaml'], ['nodes']]);
});
