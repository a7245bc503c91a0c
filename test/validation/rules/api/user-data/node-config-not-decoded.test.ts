import { nodeConfigNotDecoded } from '../../../../../src/validation/rules/api/user-data/node-config-not-decoded';
import { judge, nodeClass } from '../../judge';

const rule = nodeConfigNotDecoded;
const classWith = (userData: string, alias = 'al2023@latest') =>
  nodeClass('default', { amiSelectorTerms: [{ alias }], userData });
const nodeConfig = (spec: string, apiVersion = 'node.eks.aws/v1alpha1', kind = 'NodeConfig') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nspec:\n${spec}`;
const KUBELET = '  kubelet:\n    config:\n      registryPullQPS: 20\n';
const inArchive = (part: string) =>
  `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: application/node.eks.aws\n\n${part}\n--B--\n`;

describe('KARP-157 node-config-not-decoded', () => {
  test.each([
    ['node.eks.aws/v1beta1', 'NodeConfig', 'apiVersion: node.eks.aws/v1alpha1'],
    ['nodes.eks.aws/v1alpha1', 'NodeConfig', 'apiVersion: node.eks.aws/v1alpha1'],
    ['node.eks.aws/v1alpha1', 'NodeConfigs', 'kind: NodeConfig'],
    ['node.eks.aws/v1alpha1', 'nodeConfig', 'kind: NodeConfig'],
  ])('reports %s, %s with the right one, %j', (apiVersion, kind, instead) => {
    for (const wrap of [(text: string) => text, inArchive]) {
      const userData = wrap(nodeConfig(KUBELET, apiVersion, kind));
      const { findings } = judge(rule, [classWith(userData)]);
      expect(findings).toMatchObject([{ path: ['spec', 'userData'], remedy: `write ${instead}` }]);
      expect(findings[0].message).toContain('the node does not join');
    }
  });

  test.each([
    ['Kubelet', 'write spec.kubelet'],
    ['contianerd', 'write spec.containerd'],
    ['config', 'write spec.kubelet.config'],
    ['labels', 'remove spec.labels'],
  ])('warns of the field spec.%s, which nodeadm drops', (field, remedy) => {
    const { findings } = judge(rule, [classWith(nodeConfig(`  ${field}:\n    some: value\n`))]);
    expect(findings).toMatchObject([{ severity: 'warning', remedy, evidence: { field: `spec.${field}` } }]);
  });

  test('reports a strategy for local disks that the script of nodeadm refuses', () => {
    const found = (strategy: string) =>
      judge(rule, [classWith(nodeConfig(`  instance:\n    localStorage: { strategy: ${strategy} }\n`))]).findings;
    expect(found('RAID-0')).toMatchObject([
      {
        message: expect.stringContaining('it fails, and the node does not join'),
        remedy: 'write spec.instance.localStorage.strategy: RAID0',
      },
    ]);
    expect(['Raid0', 'Mount', 'none'].flatMap(found)).toEqual([]);
  });

  test('passes every field that nodeadm has', () => {
    const spec = '  cluster: {}\n  containerd: {}\n  instance: {}\n  kubelet: {}\n  featureGates: {}\n';
    expect(judge(rule, [classWith(nodeConfig(spec))]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test.each([
    ['a placeholder', nodeConfig(KUBELET, '${VERSION}')],
    ['several documents', `${nodeConfig(KUBELET, 'node.eks.aws/v1beta1')}---\n${nodeConfig(KUBELET)}`],
    ['text that is no YAML', 'apiVersion: node.eks.aws/v1beta1\n  kind: [\n'],
    ['a shell script that writes such a file', '#!/bin/bash\ncat <<EOF\napiVersion: node.eks.aws/v1beta1\nEOF\n'],
  ])('does not judge %s', (_, userData) => {
    expect(judge(rule, [classWith(userData)]).findings).toEqual([]);
  });

  test('does not apply to other AMI families', () => {
    const userData = nodeConfig(KUBELET, 'node.eks.aws/v1beta1');
    expect(judge(rule, [classWith(userData, 'bottlerocket@latest')]).outcomes).toEqual([]);
  });
});
