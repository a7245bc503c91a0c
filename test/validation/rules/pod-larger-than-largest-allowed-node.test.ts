import { daemonSet, deployment, foreignNode, judge, nodeClass, nodePool, oneOf, types } from './helper';
import { PodLargerThanLargestAllowedNode } from '../../../src/validation/rules/pod-larger-than-largest-allowed-node';

const rule = new PodLargerThanLargestAllowedNode();
const onlyM6a = nodePool('default', { requirements: [types('m6a.large', 'm6a.2xlarge')] });
const es = (memory: string, pod: object = {}) => deployment('es', pod, { requests: { cpu: '6', memory } });

describe('KARP-301 pod-larger-than-largest-allowed-node', () => {
  test('fails with the published case: 29447Mi with daemonsets on m6a.2xlarge are 130Mi too many', () => {
    const { states, findings } = judge(rule, [nodeClass(), onlyM6a, daemonSet('agent', { cpu: '480m', memory: '775Mi' }), es('28672Mi')]);
    expect(states).toEqual(['fail Deployment/es']);
    expect(findings[0].message).toContain('m6a.2xlarge comes nearest with memory 29317Mi allocatable, of which daemonsets take memory 775Mi; short by 130Mi of memory');
    expect(findings[0].remedy).toContain('lower the requests of memory to 28542Mi or less');
    expect(findings[0].evidence).toMatchObject({ nearest: { instanceType: 'm6a.2xlarge', shortBy: { memory: '130Mi' } } });
  });

  test('passes at exactly what is left, and fails one byte above', () => {
    const agent = daemonSet('agent', { cpu: '480m', memory: '775Mi' });
    const left = 28542 * 1024 * 1024;
    expect(judge(rule, [nodeClass(), onlyM6a, agent, es(`${left}`)]).states).toEqual(['pass Deployment/es']);
    expect(judge(rule, [nodeClass(), onlyM6a, agent, es(`${left + 1}`)]).states).toEqual(['fail Deployment/es']);
  });

  test('counts an instance type once that several NodePools allow', () => {
    const other = nodePool('other', { requirements: [types('m6a.large', 'm6a.4xlarge')] });
    const { message, evidence } = judge(rule, [nodeClass(), onlyM6a, other, es('900Gi')]).findings[0];
    expect(message).toContain('more than any of the 3 instance types that NodePool default or other allows can hold');
    expect(evidence.instanceTypes).toBe(3);
  });

  test('names a type that would hold the pod, like the allowed ones', () => {
    expect(judge(rule, [nodeClass(), onlyM6a, es('40Gi')]).findings[0].evidence.largerType).toMatch(/^[a-z0-9-]+\.[a-z0-9-]+$/);
  });

  test('names a type of the same architecture, which a list of instance types leaves unsaid', () => {
    const judged = (...requirements: Array<ReturnType<typeof oneOf>>) => judge(rule, [nodeClass(), nodePool('default', { requirements }), es('40Gi')]);
    const tried = (type: string, architecture: string) =>
      judged(types(judged(types(type)).findings[0].evidence.largerType as string), oneOf('kubernetes.io/arch', architecture)).states;
    expect(tried('m6a.large', 'amd64')).toEqual(['pass Deployment/es']);
    expect(tried('m7g.large', 'arm64')).toEqual(['pass Deployment/es']);
  });

  test.each([
    ['AL2023', '/dev/xvda', [], '36Gi', '17Gi'],
    ['Bottlerocket', '/dev/xvdb', [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi' } }], '36Gi', '17Gi'],
    ['AL2023', '/dev/xvda', [{ deviceName: '/dev/xvda', ebs: { volumeSize: '30Gi' } }], '35Gi', '26Gi'],
  ])('wants a larger volume of %s where storage alone is short, which each type has as much of', (family, device, blockDeviceMappings, size, left) => {
    const ami = { amiSelectorTerms: [{ alias: `${family.toLowerCase()}@${family === 'AL2023' ? 'v20250915' : '1.41.0'}` }] };
    const resources = { 'cpu': '1', 'memory': '1Gi', 'ephemeral-storage': '30Gi' };
    const large = deployment('large', {}, { requests: resources });
    const of = (mappings: object[]) => judge(rule, [nodeClass('default', { ...ami, blockDeviceMappings: mappings }), onlyM6a, large]);
    expect(of(blockDeviceMappings).findings[0].remedy).toBe(`give ${device} of EC2NodeClass default a volumeSize of ${size} in spec.blockDeviceMappings, `
      + `or lower the requests of ephemeral-storage to ${left} or less`);
    expect(of([{ deviceName: device, ebs: { volumeSize: size } }]).states).toEqual(['pass Deployment/large']);
  });

  test('says that no allowed type has a resource at all', () => {
    const pool = nodePool('default', { requirements: [oneOf('karpenter.k8s.aws/instance-family', 't3')] });
    const resources = { 'cpu': '1', 'memory': '1Gi', 'vpc.amazonaws.com/pod-eni': '1' };
    const pod = { containers: [{ name: 'main', image: 'app', resources: { requests: resources, limits: { 'vpc.amazonaws.com/pod-eni': '1' } } }] };
    const [{ message, remedy }] = judge(rule, [nodeClass(), pool, deployment('nginx', pod)]).findings;
    expect(message).toContain('none of them has any vpc.amazonaws.com/pod-eni');
    expect(remedy).not.toContain('lower');
  });

  test('takes for the nearest the type that lacks the smallest share', () => {
    const nearest = (...allowed: string[]) =>
      judge(rule, [nodeClass(), nodePool('default', { requirements: [types(...allowed)] }), es('100Gi')]).findings[0].evidence.nearest;
    expect(nearest('m6a.2xlarge', 'm6a.4xlarge')).toMatchObject({ instanceType: 'm6a.4xlarge' });
    expect(nearest('c6a.xlarge', 'r6a.xlarge')).toMatchObject({ instanceType: 'r6a.xlarge' });
  });

  test('does not call absent what some of the types have', () => {
    const pod = { containers: [{ name: 'main', image: 'app', resources: { limits: { 'cpu': '1', 'memory': '1Gi', 'nvidia.com/gpu': '2' } } }] };
    const { findings } = judge(rule, [nodeClass(), nodePool('default', { requirements: [types('g5.xlarge', 'm6a.large')] }), deployment('train', pod)]);
    expect(findings[0].message).toContain('g5.xlarge comes nearest with nvidia.com/gpu 1 allocatable; short by 1 of nvidia.com/gpu');
    expect(findings[0].remedy).toContain('or lower the requests of nvidia.com/gpu to 1 or less');
  });

  test('does not wait for what is known of a NodePool that the pods cannot be on', () => {
    const open = nodePool('open', { requirements: [oneOf('kubernetes.io/arch', 'arm64')], nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'elsewhere' } });
    const states = (arch: string) => judge(rule, [nodeClass(), onlyM6a, open, es('40Gi', { nodeSelector: { 'kubernetes.io/arch': arch } })]).states;
    expect(states('amd64')).toEqual(['fail Deployment/es']);
    expect(states('arm64')).toEqual(['not-evaluated Deployment/es']);
  });

  test('passes a pod that a node of the cluster holds', () => {
    expect(judge(rule, [nodeClass(), onlyM6a, es('100Gi')], { cluster: foreignNode() }).states).toEqual(['pass Deployment/es']);
    expect(judge(rule, [nodeClass(), onlyM6a, es('200Gi')], { cluster: foreignNode() }).states).toEqual(['fail Deployment/es']);
  });

  test('passes when another compatible NodePool holds the pod', () => {
    const large = nodePool('large', { requirements: [types('m6a.4xlarge')] });
    expect(judge(rule, [nodeClass(), onlyM6a, large, es('40Gi')]).states).toEqual(['pass Deployment/es']);
  });

  test('fails when only a NodePool that refuses the pod could hold it', () => {
    const tainted = nodePool('large', { requirements: [types('m6a.4xlarge')], taints: [{ key: 'a', effect: 'NoSchedule' }] });
    expect(judge(rule, [nodeClass(), onlyM6a, tainted, es('40Gi')]).states).toEqual(['fail Deployment/es']);
  });

  test('passes a pod that fits, whatever the limits of the NodePool say', () => {
    const limited = nodePool('default', { requirements: [types('m6a.2xlarge')], limits: { cpu: '1' } });
    expect(judge(rule, [nodeClass(), limited, es('1Gi')]).states).toEqual(['pass Deployment/es']);
  });

  test('judges pods with constraints between pods too: they make no node larger', () => {
    const spread = { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' }] };
    expect(judge(rule, [nodeClass(), onlyM6a, es('64Gi', spread)]).states).toEqual(['fail Deployment/es']);
  });

  test('does not apply where no NodePool is compatible, or to pods for other nodes', () => {
    const lost = es('64Gi', { nodeSelector: { unknown: 'x' } });
    const managed = es('64Gi', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'big' } });
    expect(judge(rule, [nodeClass(), onlyM6a, lost]).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), onlyM6a, managed]).outcomes).toEqual([]);
    expect(judge(rule, [es('64Gi')]).outcomes).toEqual([]);
  });

  test('is not evaluated when a compatible NodePool has an unknown node class', () => {
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'elsewhere' };
    expect(judge(rule, [nodeClass(), onlyM6a, nodePool('other', { nodeClassRef }), es('64Gi')]).states).toEqual(['not-evaluated Deployment/es']);
  });
});
