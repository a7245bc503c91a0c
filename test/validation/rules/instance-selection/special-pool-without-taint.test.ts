import { specialPoolWithoutTaint } from '../../../../src/validation/rules/instance-selection/special-pool-without-taint';
import { deployment, judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = specialPoolWithoutTaint;
const ON_DEMAND = oneOf('karpenter.sh/capacity-type', 'on-demand');
const gpuPool = (fields: object = {}) =>
  nodePool('gpu', { requirements: [types('g6.xlarge', 'g6.2xlarge'), ON_DEMAND], ...fields });
const general = (weight?: number) => nodePool('default', { requirements: [types('m7i.large'), ON_DEMAND], weight });
const web = (pod: object = {}) => deployment('web', pod, { replicas: 6, namespace: 'shop' });
const GPU_REQUEST = { containers: [{ name: 'main', image: 'app', resources: { limits: { 'nvidia.com/gpu': '1' } } }] };
const windowsClass = nodeClass('windows', { amiSelectorTerms: [{ alias: 'windows2022@latest' }] });
const windowsPool = (fields: object = {}) =>
  nodePool('windows', {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'windows' },
    requirements: [types('m7i.large'), ON_DEMAND],
    ...fields,
  });

describe('KARP-215 special-pool-without-taint', () => {
  test('reports ordinary pods on accelerator nodes, with the price of both nodes', () => {
    const {
      states,
      findings: [finding],
    } = judge(rule, [nodeClass(), gpuPool({ weight: 10 }), general(), web()]);
    expect(states).toEqual(['fail NodePool/gpu']);
    expect(finding.message).toBe(
      'launches only nodes with accelerators and has no taint, so it takes pods that need none: ' +
        'Deployment shop/web (6 pods) on 1 node (g6.xlarge) for $0.8048/h, against $0.1008/h on m7i.large',
    );
    expect(finding.remedy).toBe(
      'add the taint {key: nvidia.com/gpu, effect: NoSchedule} to the NodePool and its toleration to the pods that use the accelerator',
    );
    expect(finding).toMatchObject({
      path: ['spec', 'template', 'spec', 'taints'],
      evidence: { nodes: 1, workloads: [{ name: 'web', pods: 6 }] },
    });
  });

  test('compares with general types and asks for another NodePool if there is none', () => {
    const [{ message, remedy }] = judge(rule, [nodeClass(), gpuPool(), web()]).findings;
    expect(message).toMatch(/ against \$0\.0\d+\/h on [cmr]\d/);
    expect(remedy).toContain(', and add a NodePool for the other pods');
  });

  test('reports ordinary pods that share the nodes of pods with accelerators', () => {
    const {
      findings: [{ message, evidence }],
    } = judge(rule, [nodeClass(), gpuPool(), web(), deployment('train', GPU_REQUEST)]);
    expect(message).toContain('Deployment shop/web (6 pods) on nodes that other pods need');
    expect(evidence).toMatchObject({ nodes: 0, usdPerHour: 0 });
  });

  test('passes if the NodePool has a taint, or only takes pods that need its nodes', () => {
    const taints = [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }];
    const tolerant = web({ tolerations: [{ operator: 'Exists' }] });
    for (const documents of [
      [gpuPool({ taints }), tolerant],
      [gpuPool(), general(10), web()],
      [gpuPool(), deployment('train', GPU_REQUEST)],
      [gpuPool(), web({ nodeSelector: { 'karpenter.sh/nodepool': 'gpu' } })],
      [gpuPool(), web({ nodeSelector: { 'karpenter.k8s.aws/instance-gpu-count': '1' } })],
    ]) {
      expect(judge(rule, [nodeClass(), ...documents]).states).toEqual(['pass NodePool/gpu']);
    }
  });

  test('does not apply to NodePools that also launch types without accelerator', () => {
    expect(
      judge(rule, [nodeClass(), nodePool('mixed', { requirements: [types('g6.xlarge', 'm7i.large')] }), web()])
        .outcomes,
    ).toEqual([]);
  });

  test('reports pods without an operating system on Windows nodes', () => {
    const {
      states,
      findings: [finding],
    } = judge(rule, [windowsClass, windowsPool(), web()]);
    expect(states).toEqual(['fail NodePool/windows']);
    expect(finding.message).toBe(
      'launches Windows nodes and has no taint: Deployment shop/web (6 pods) would run there, ' +
        'because they do not select an operating system; containers of Linux images never start on Windows',
    );
    expect(finding.remedy).toContain('write nodeSelector kubernetes.io/os: linux in the Linux pods');
  });

  test('passes Windows nodes with a taint, or with pods that are for Windows', () => {
    const windowsImage = { containers: [{ name: 'iis', image: 'mcr.microsoft.com/windows/servercore/iis' }] };
    for (const documents of [
      [
        windowsPool({ taints: [{ key: 'os', value: 'windows', effect: 'NoSchedule' }] }),
        web({ tolerations: [{ operator: 'Exists' }] }),
      ],
      [windowsPool(), web({ nodeSelector: { 'kubernetes.io/os': 'windows' } })],
      [windowsPool(), web({ os: { name: 'windows' } })],
      [windowsPool(), web(windowsImage)],
    ]) {
      expect(judge(rule, [windowsClass, ...documents]).states).toEqual(['pass NodePool/windows']);
    }
  });
});
