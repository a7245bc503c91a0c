import { podLargerThanLargestAllowedNode } from '../../../../src/validation/rules/capacity/pod-larger-than-largest-allowed-node';
import { daemonSet, deployment, foreignNode, judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = podLargerThanLargestAllowedNode;
const onlyM6a = nodePool('default', { requirements: [types('m6a.large', 'm6a.2xlarge')] });
const es = (memory: string, pod: object = {}) => deployment('es', pod, { requests: { cpu: '6', memory } });

describe('KARP-301 pod-larger-than-largest-allowed-node', () => {
  test('reports the published case: 29447Mi with daemonsets do not fit on m6a.2xlarge', () => {
    const { states, findings } = judge(rule, [
      nodeClass(),
      onlyM6a,
      daemonSet('agent', { cpu: '480m', memory: '775Mi' }),
      es('28672Mi'),
    ]);
    expect(states).toEqual(['fail Deployment/es']);
    expect(findings[0].message).toContain(
      'the nearest, m6a.2xlarge, has 28.62 GiB memory, and daemonsets use 775 MiB memory of that',
    );
    expect(findings[0].remedy).toContain(
      'lower memory from 28Gi to 28542Mi, or let a NodePool allow a larger type, such as ',
    );
    expect(findings[0].evidence).toMatchObject({
      nearest: { instanceType: 'm6a.2xlarge', shortBy: { memory: '130Mi' } },
    });
  });

  test('passes a request of exactly the free amount, and reports one byte more', () => {
    const agent = daemonSet('agent', { cpu: '480m', memory: '775Mi' });
    const left = 28542 * 1024 * 1024;
    expect(judge(rule, [nodeClass(), onlyM6a, agent, es(`${left}`)]).states).toEqual(['pass Deployment/es']);
    expect(judge(rule, [nodeClass(), onlyM6a, agent, es(`${left + 1}`)]).states).toEqual(['fail Deployment/es']);
  });

  test.each([
    ['500', 'write 500m instead of 500 if thousandths of a CPU are meant; otherwise ', '500m'],
    ['250M', 'write 250m instead of 250M if thousandths of a CPU are meant; otherwise ', undefined],
  ])('asks whether the CPU amount %s lacks the unit m, if the pod fits with it', (cpu, remedy, written) => {
    const web = deployment('web', {}, { requests: { cpu, memory: '1Gi' } });
    const { findings } = judge(rule, [nodeClass(), onlyM6a, web]);
    expect(findings[0].remedy.startsWith(remedy)).toBe(true);
    expect(findings[0].remedy.match(/instead of/g)).toHaveLength(1);
    expect(findings[0].fix?.edits.map((edit) => edit.operation === 'set' && edit.value)).toEqual(written && [written]);
    const corrected = deployment('web', {}, { requests: { cpu: `${parseInt(cpu)}m`, memory: '1Gi' } });
    expect(judge(rule, [nodeClass(), onlyM6a, corrected]).states).toEqual(['pass Deployment/web']);
  });

  test.each([
    ['does not fit with m either', { cpu: '500', memory: '900Gi' }],
    ['may want as many CPUs as a large node has', { cpu: '64', memory: '1Gi' }],
  ])('does not ask for the unit m of a CPU amount if the pod %s', (_, requests) => {
    const { findings } = judge(rule, [nodeClass(), onlyM6a, deployment('web', {}, { requests })]);
    expect(findings[0].remedy).not.toContain('thousandths');
  });

  test('asks for smaller pods if no instance type holds one', () => {
    const web = deployment('web', {}, { requests: { cpu: '1', memory: '90Ti' } });
    expect(judge(rule, [nodeClass(), onlyM6a, web]).findings[0].remedy).toMatch(
      /^divide the work among several smaller pods, because no instance type holds one of these/,
    );
  });

  test('says where huge pages come from', () => {
    const pages = { 'hugepages-1Gi': '2Gi' };
    const dpdk = deployment('dpdk', {
      containers: [{ resources: { requests: { cpu: '1', ...pages }, limits: pages } }],
    });
    const reserving = nodeClass('default', { userData: 'sysctl -w vm.nr_hugepages=2' });
    const [none, reserved] = [nodeClass(), reserving].map((each) => judge(rule, [each, onlyM6a, dpdk]).findings[0]);
    expect(none.remedy).toMatch(
      /^remove hugepages-1Gi from requests and limits, or reserve huge pages in the user data/,
    );
    expect(none.path).toEqual(expect.arrayContaining(['limits', 'hugepages-1Gi']));
    expect(reserved.remedy).toBe(
      'declare hugepages-1Gi in spec.capacity of a NodeOverlay (feature gate NodeOverlay), because Karpenter does not see the huge pages that the user data of EC2NodeClass default reserves',
    );
  });

  test('asks for a whole GPU instead of a slice only if no GPU can be divided', () => {
    const slices = { 'nvidia.com/mig-3g.20gb': '2' };
    const infer = deployment('infer', {
      containers: [{ resources: { requests: { cpu: '1', ...slices }, limits: slices } }],
    });
    const of = (...families: string[]) =>
      judge(rule, [
        nodeClass(),
        nodePool('gpu', { requirements: [oneOf('karpenter.k8s.aws/instance-family', ...families)] }),
        infer,
      ]).findings[0];
    expect(of('g4dn', 'g6').remedy).toMatch(
      /^write nvidia.com\/gpu: 1 instead of nvidia.com\/mig-3g.20gb, because (T4 and L4|L4 and T4) has no MIG; or/,
    );
    expect(of('g6').fix?.edits).toHaveLength(4);
    expect(of('m6a').remedy).toBe('let a NodePool allow GPUs with MIG, such as A100 (p4d) or H100 (p5)');
    expect(of('g6', 'p5').remedy).toContain('declare nvidia.com/mig-3g.20gb in spec.capacity of a NodeOverlay');
  });

  test('counts an instance type of several NodePools once', () => {
    const other = nodePool('other', { requirements: [types('m6a.large', 'm6a.4xlarge')] });
    const { message, evidence } = judge(rule, [nodeClass(), onlyM6a, other, es('900Gi')]).findings[0];
    expect(message).toContain('more than any of the 3 instance types that NodePool default or other allows: ');
    expect(evidence.instanceTypes).toBe(3);
  });

  test('suggests a larger type that is similar to the allowed types', () => {
    expect(judge(rule, [nodeClass(), onlyM6a, es('40Gi')]).findings[0].evidence.largerType).toMatch(
      /^[a-z0-9-]+\.[a-z0-9-]+$/,
    );
  });

  test('suggests more devices of the same family, with the price and the limits that the nodes need', () => {
    const requirements = [
      oneOf('karpenter.k8s.aws/instance-family', 'g5', 'g6'),
      oneOf('karpenter.k8s.aws/instance-gpu-count', '1'),
      oneOf('karpenter.sh/capacity-type', 'on-demand'),
    ];
    const gpus = { 'nvidia.com/gpu': '2' };
    const resources = { requests: { cpu: '3', memory: '12Gi', ...gpus }, limits: gpus };
    const train = deployment('train', { containers: [{ name: 'main', image: 'app', resources }] });
    const of = (limits: Record<string, number>) =>
      judge(rule, [nodeClass(), nodePool('gpu', { requirements, limits }), train]).findings[0];
    const { remedy, path } = of({ cpu: 100, 'nvidia.com/gpu': 2 });
    expect(remedy).toMatch(
      /such as g6\.12xlarge, which has 4 nvidia\.com\/gpu at \$4\.60\/h, and raise the limits of NodePool gpu to nvidia\.com\/gpu 4$/,
    );
    expect(path?.slice(-3)).toEqual(['resources', 'requests', 'nvidia.com/gpu']);
    expect(of({ cpu: 100 }).remedy).toBe('allow instance gpu count 4 in NodePool gpu');
  });

  test('suggests a type of the same architecture if the NodePool lists instance types', () => {
    const judged = (...requirements: Array<ReturnType<typeof oneOf>>) =>
      judge(rule, [nodeClass(), nodePool('default', { requirements }), es('40Gi')]);
    const tried = (type: string, architecture: string) =>
      judged(
        types(judged(types(type)).findings[0].evidence.largerType as string),
        oneOf('kubernetes.io/arch', architecture),
      ).states;
    expect(tried('m6a.large', 'amd64')).toEqual(['pass Deployment/es']);
    expect(tried('m7g.large', 'arm64')).toEqual(['pass Deployment/es']);
  });

  test.each([
    ['AL2023', '/dev/xvda', []],
    ['Bottlerocket', '/dev/xvdb', []],
    ['AL2023', '/dev/xvda', [{ deviceName: '/dev/xvda', ebs: { volumeSize: '30Gi' } }]],
  ])('suggests a larger %s volume if only ephemeral storage is short', (family, device, blockDeviceMappings) => {
    const ami = {
      amiSelectorTerms: [{ alias: `${family.toLowerCase()}@${family === 'AL2023' ? 'v20250915' : '1.41.0'}` }],
    };
    const resources = { cpu: '1', memory: '1Gi', 'ephemeral-storage': '30Gi' };
    const large = deployment('large', {}, { requests: resources });
    const of = (mappings: object[]) =>
      judge(rule, [nodeClass('default', { ...ami, blockDeviceMappings: mappings }), onlyM6a, large]);
    expect(of(blockDeviceMappings).findings[0].remedy).toBe(
      `set volumeSize: 35Gi for ${device} in spec.blockDeviceMappings of EC2NodeClass default`,
    );
    expect(of([{ deviceName: device, ebs: { volumeSize: '35Gi' } }]).states).toEqual(['pass Deployment/large']);
  });

  test('suggests the instance store of the allowed types before a larger volume', () => {
    const large = deployment('large', {}, { requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '90Gi' } });
    const of = (fields: object, ...allowed: string[]) =>
      judge(rule, [nodeClass('default', fields), nodePool('default', { requirements: [types(...allowed)] }), large]);
    const RAID0 = 'write instanceStorePolicy: RAID0 in EC2NodeClass default';
    expect(of({}, 'm6gd.large', 'm6gd.xlarge').findings[0].remedy).toContain(`${RAID0}, which makes`);
    expect(of({ instanceStorePolicy: 'RAID0' }, 'm6gd.large', 'm6gd.xlarge').states).toEqual(['pass Deployment/large']);
    // One type without an instance store, or one that is too small, is no reason for RAID0.
    expect(of({}, 'm6g.large', 'm6gd.xlarge').findings[0].remedy).not.toContain('RAID0');
    expect(of({}, 'm6gd.medium').findings[0].remedy).not.toContain('RAID0');
  });

  test('reports a resource that no allowed type has', () => {
    const pool = nodePool('default', { requirements: [oneOf('karpenter.k8s.aws/instance-family', 't3')] });
    const resources = { cpu: '1', memory: '1Gi', 'vpc.amazonaws.com/pod-eni': '1' };
    const pod = {
      containers: [
        {
          name: 'main',
          image: 'app',
          resources: { requests: resources, limits: { 'vpc.amazonaws.com/pod-eni': '1' } },
        },
      ],
    };
    const [{ message, remedy }] = judge(rule, [nodeClass(), pool, deployment('nginx', pod)]).findings;
    expect(message).toContain('none has any vpc.amazonaws.com/pod-eni');
    expect(remedy).not.toContain('lower');
  });

  test('names the type with the smallest missing share as the nearest', () => {
    const nearest = (...allowed: string[]) =>
      judge(rule, [nodeClass(), nodePool('default', { requirements: [types(...allowed)] }), es('100Gi')]).findings[0]
        .evidence.nearest;
    expect(nearest('m6a.2xlarge', 'm6a.4xlarge')).toMatchObject({ instanceType: 'm6a.4xlarge' });
    expect(nearest('c6a.xlarge', 'r6a.xlarge')).toMatchObject({ instanceType: 'r6a.xlarge' });
  });

  test('suggests a lower request if some types have the resource', () => {
    const pod = {
      containers: [
        { name: 'main', image: 'app', resources: { limits: { cpu: '1', memory: '1Gi', 'nvidia.com/gpu': '2' } } },
      ],
    };
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('default', { requirements: [types('g5.xlarge', 'm6a.large')] }),
      deployment('train', pod),
    ]);
    expect(findings[0].message).toContain('the nearest, g5.xlarge, has 1 nvidia.com/gpu');
    expect(findings[0].remedy).toMatch(/^allow instance type \S+ in NodePool default$/);
  });

  test('ignores an unknown node class of a NodePool that the pods cannot use', () => {
    const open = nodePool('open', {
      requirements: [oneOf('kubernetes.io/arch', 'arm64')],
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'elsewhere' },
    });
    const states = (arch: string) =>
      judge(rule, [nodeClass(), onlyM6a, open, es('40Gi', { nodeSelector: { 'kubernetes.io/arch': arch } })]).states;
    expect(states('amd64')).toEqual(['fail Deployment/es']);
    expect(states('arm64')).toEqual(['not-evaluated Deployment/es']);
  });

  test('passes a pod that fits on a node of the cluster', () => {
    expect(judge(rule, [nodeClass(), onlyM6a, es('100Gi')], { cluster: foreignNode() }).states).toEqual([
      'pass Deployment/es',
    ]);
    expect(judge(rule, [nodeClass(), onlyM6a, es('200Gi')], { cluster: foreignNode() }).states).toEqual([
      'fail Deployment/es',
    ]);
  });

  test('passes if another compatible NodePool has a large enough type', () => {
    const large = nodePool('large', { requirements: [types('m6a.4xlarge')] });
    expect(judge(rule, [nodeClass(), onlyM6a, large, es('40Gi')]).states).toEqual(['pass Deployment/es']);
  });

  test('reports a pod that fits only on types of a tainted NodePool', () => {
    const tainted = nodePool('large', {
      requirements: [types('m6a.4xlarge')],
      taints: [{ key: 'a', effect: 'NoSchedule' }],
    });
    expect(judge(rule, [nodeClass(), onlyM6a, tainted, es('40Gi')]).states).toEqual(['fail Deployment/es']);
  });

  test('passes a pod that fits on a type but exceeds the limits of the NodePool', () => {
    const limited = nodePool('default', { requirements: [types('m6a.2xlarge')], limits: { cpu: '1' } });
    expect(judge(rule, [nodeClass(), limited, es('1Gi')]).states).toEqual(['pass Deployment/es']);
  });

  test('reports pods with topology constraints too', () => {
    const spread = {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    };
    expect(judge(rule, [nodeClass(), onlyM6a, es('64Gi', spread)]).states).toEqual(['fail Deployment/es']);
  });

  test('does not apply if no NodePool is compatible, or to pods for other nodes', () => {
    const lost = es('64Gi', { nodeSelector: { unknown: 'x' } });
    const managed = es('64Gi', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'big' } });
    expect(judge(rule, [nodeClass(), onlyM6a, lost]).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), onlyM6a, managed]).outcomes).toEqual([]);
    expect(judge(rule, [es('64Gi')]).outcomes).toEqual([]);
  });

  test('is not evaluated if a compatible NodePool has an unknown node class', () => {
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'elsewhere' };
    expect(judge(rule, [nodeClass(), onlyM6a, nodePool('other', { nodeClassRef }), es('64Gi')]).states).toEqual([
      'not-evaluated Deployment/es',
    ]);
  });
});
