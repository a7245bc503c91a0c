import { kubeletSettingsInUserData } from '../../../../../src/validation/rules/api/user-data/kubelet-settings-in-user-data';
import { judge, nodeClass, nodePool } from '../../judge';

const rule = kubeletSettingsInUserData;
const classWith = (alias: string, userData: string, kubelet?: object) =>
  nodeClass('default', { amiSelectorTerms: [{ alias }], userData, kubelet });
const nodeConfig = (kubelet: string) =>
  `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  kubelet:\n${kubelet}`;
const MAX_PODS = nodeConfig('    config:\n      maxPods: 42\n');
const TOML = '[settings.kubernetes]\nmax-pods = 10\n';

describe('KARP-153 kubelet-settings-in-user-data', () => {
  test.each([
    ['bottlerocket@latest', TOML, 'settings.kubernetes.max-pods', 10],
    ['bottlerocket@latest', 'settings.kubernetes.max-pods = 10\n', 'settings.kubernetes.max-pods', 10],
    ['al2023@latest', MAX_PODS, 'maxPods', 42],
  ])('reports, for %s, maxPods in %j, which Karpenter replaces', (alias, userData, setting, value) => {
    const { findings } = judge(rule, [classWith(alias, userData)]);
    expect(findings).toMatchObject([{ path: ['spec', 'userData'], evidence: { setting, value } }]);
    expect(findings[0].message).toContain('the setting has no effect');
    expect(findings[0].remedy).toContain(`write maxPods: ${value} in spec.kubelet`);
    expect(judge(rule, [classWith(alias, userData, { maxPods: value })]).findings).toEqual([]);
  });

  test.each([
    ['bottlerocket@latest', '[settings.kubernetes.node-taints]\n"dmz" = ["true:NoSchedule"]\n', 'keep no pod away'],
    [
      'al2023@latest',
      nodeConfig('    config:\n      registerWithTaints: [{ key: dmz, value: "true", effect: NoSchedule }]\n'),
      'keep no pod away',
    ],
    ['al2023@latest', nodeConfig('    flags: ["--register-with-taints=dmz=true:NoSchedule"]\n'), 'further nodes'],
  ])('reports, for %s, a taint that the NodePool does not have: %j', (alias, userData, effect) => {
    const taints = [{ key: 'dmz', value: 'true', effect: 'NoSchedule' }];
    const { findings } = judge(rule, [classWith(alias, userData), nodePool('edge')]);
    expect(findings).toMatchObject([{ evidence: { taints: ['dmz=true:NoSchedule'] } }]);
    expect(findings[0].message).toContain(effect);
    expect(findings[0].remedy).toContain('write dmz=true:NoSchedule in spec.template.spec.taints of NodePool edge');
    expect(judge(rule, [classWith(alias, userData), nodePool('edge', { taints })]).findings).toEqual([]);
  });

  test.each([
    ['bottlerocket@latest', '[settings.kubernetes.kube-reserved]\nmemory = "1Gi"\n', 'kubeReserved'],
    ['bottlerocket@latest', '[settings.kubernetes.eviction-hard]\n"memory.available" = "15%"\n', 'evictionHard'],
    ['al2023@latest', nodeConfig('    config:\n      systemReserved:\n        cpu: 1\n'), 'systemReserved'],
    ['al2023@latest', nodeConfig('    flags:\n      - --max-pods=110\n'), 'maxPods'],
    [
      'al2023@latest',
      `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n--//\nContent-Type: application/node.eks.aws\n\n${nodeConfig('    config:\n      kubeReserved:\n        cpu: 1\n')}--//--\n`,
      'kubeReserved',
    ],
  ])('reports, for %s, a setting that Karpenter does not plan with: %j', (alias, userData, field) => {
    const { findings } = judge(rule, [classWith(alias, userData)]);
    expect(findings).toMatchObject([{ evidence: { field } }]);
    expect(findings[0].message).toContain('which Karpenter does not read');
  });

  test.each([
    ['bottlerocket@latest', '[settings.kubernetes.kube-reserved]\nmemory = "1Gi"\n'],
    ['al2023@latest', nodeConfig('    config:\n      kubeReserved:\n        memory: 1Gi\n')],
  ])('reports, for %s, a setting that the class replaces: %j', (alias, userData) => {
    const { findings } = judge(rule, [classWith(alias, userData, { kubeReserved: { memory: '2Gi' } })]);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('which Karpenter replaces by kubeReserved of spec.kubelet: the setting has no effect'),
    ]);
  });

  test('reports each field once', () => {
    const userData = nodeConfig('    config:\n      maxPods: 42\n      evictionHard:\n        memory.available: 1Gi\n');
    expect(judge(rule, [classWith('al2023@latest', userData)]).findings).toHaveLength(2);
  });

  test('does not apply to other settings, nor to text of shell scripts', () => {
    const documents = [
      classWith('bottlerocket@latest', '[settings.kubernetes]\nregistry-qps = 10\n'),
      classWith('bottlerocket@latest', '[settings.host-containers.admin]\nuser-data = """\nmax-pods = 3\n"""\n'),
      classWith('al2023@latest', nodeConfig('    config:\n      registryPullQPS: 10\n')),
      classWith('al2023@latest', '#!/bin/bash\necho maxPods: 10\n'),
    ];
    for (const document of documents) expect(judge(rule, [document]).outcomes).toEqual([]);
  });
});
