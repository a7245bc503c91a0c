import { Root, withSharedPools } from '../../../../src/validation';
import { deployment, manifest, nodeClass, nodePool } from '../../rules/judge';

const root = (name: string, ...texts: readonly string[]): Root => ({
  name,
  kind: 'files',
  sources: [{ path: `${name}/a.yaml`, text: texts.join('\n---\n') }],
  notes: [],
});
const tagged = (cluster: string) => {
  const subnetSelectorTerms = [{ tags: { 'karpenter.sh/discovery': cluster } }];
  return nodeClass('default', { subnetSelectorTerms, securityGroupSelectorTerms: subnetSelectorTerms });
};
const skipped = (cluster: string, ...objects: readonly string[]) => {
  const roots = [root('nodes', nodePool('default'), tagged(cluster)), root('apps', deployment('web'), ...objects)];
  return withSharedPools<Root & { readonly skipped?: string }>(roots)[1].skipped;
};
const running = (container: object) =>
  deployment('agent', { containers: [{ name: 'main', image: 'agent', ...container }] });

describe('workloads of another cluster than the NodePools', () => {
  test.each([
    ['a label', manifest('v1', 'ConfigMap', 'a', {}, { labels: { 'app.kubernetes.io/part-of': 'jenkins-cluster' } })],
    ['an argument', running({ args: ['--cluster-name=jenkins'] })],
    [
      'a tag of the cluster autoscaler',
      running({ args: ['--tag=k8s.io/cluster-autoscaler/enabled,k8s.io/cluster-autoscaler/jenkins'] }),
    ],
    ['a variable', running({ env: [{ name: 'CLUSTER_NAME', value: 'jenkins' }] })],
  ])('are not judged if %s names the cluster', (_, object) => {
    expect(skipped('shop-prod', object)).toMatch(
      /^not judged: its manifests name the cluster jenkins(-cluster)?, and the NodePools are those of shop-prod$/,
    );
  });

  test.each([
    ['the same name', 'jenkins', running({ args: ['--cluster-name=jenkins'] })],
    ['a part of the name', 'jenkins-prod', running({ args: ['--cluster-name=jenkins'] })],
    ['a placeholder', 'shop-prod', running({ args: ['--cluster-name=my-cluster'] })],
    [
      'an application',
      'shop-prod',
      manifest('v1', 'ConfigMap', 'a', {}, { labels: { 'app.kubernetes.io/part-of': 'jenkins' } }),
    ],
  ])('are judged if they name %s', (_, cluster, object) => {
    expect(skipped(cluster, object)).toBeUndefined();
  });
});
