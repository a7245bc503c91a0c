import { capacityBuffer, problemsOf, nodeClaim, nodeClass, nodeOverlay, nodePool } from './objects';

const KEYS = 'spec.template.spec.requirements[0]';
const poolWith = (requirement: object) => nodePool({}, { requirements: [requirement] });
const poolLabelled = (labels: object) => nodePool({}, {}, { labels });
const withKubelet = (kubelet: object, fields: object = {}) => nodeClass({ kubelet, ...fields });

describe('runtime validation', () => {
  test.each([
    [
      'a label key with two slashes',
      poolLabelled({ 'a/b/c': 'd' }),
      ['not-ready spec.template.metadata.labels["a/b/c"]'],
    ],
    [
      'the label of the node class',
      poolLabelled({ 'karpenter.k8s.aws/ec2nodeclass': 'a' }),
      ['not-ready spec.template.metadata.labels["karpenter.k8s.aws/ec2nodeclass"]'],
    ],
    [
      'the node class as a requirement',
      poolWith({ key: 'karpenter.k8s.aws/ec2nodeclass', operator: 'Exists' }),
      [`not-ready ${KEYS}.key`],
    ],
    [
      'a requirement key with an name that is too long',
      poolWith({ key: 'a'.repeat(64), operator: 'Exists' }),
      [`not-ready ${KEYS}.key`],
    ],
    [
      'a value that is not a label value',
      poolWith({ key: 'a', operator: 'In', values: ['b', 'c d'] }),
      [`not-ready ${KEYS}.values[1]`],
    ],
    [
      'no known capacity type',
      poolWith({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['Spot'] }),
      [`not-ready ${KEYS}.values`],
    ],
    [
      'fewer known tenancies than minValues',
      poolWith({
        key: 'karpenter.k8s.aws/instance-tenancy',
        operator: 'In',
        values: ['default', 'host'],
        minValues: 2,
      }),
      [`not-ready ${KEYS}.values`],
    ],
    [
      'a taint twice in two lists',
      nodePool(
        {},
        {
          taints: [{ key: 'a', effect: 'NoSchedule' }],
          startupTaints: [{ key: 'a', effect: 'NoSchedule', value: 'b' }],
        },
      ),
      ['not-ready spec.template.spec.startupTaints[0]'],
    ],
    [
      'a taint key with an name that is too long',
      nodePool({}, { taints: [{ key: 'a'.repeat(64), effect: 'NoSchedule' }] }),
      ['not-ready spec.template.spec.taints[0].key'],
    ],
    [
      'a duration of a thousand years',
      nodePool({}, { expireAfter: '9000000h' }),
      ['not-ready spec.template.spec.expireAfter'],
    ],
    ['a limit with a fraction for an exponent', nodePool({ limits: { cpu: '1e1.5' } }), ['not-ready spec.limits.cpu']],
    [
      'an overlay of a resource that Karpenter computes',
      nodeOverlay({ capacity: { 'vpc.amazonaws.com/efa': 1 } }),
      ['not-ready spec.capacity["vpc.amazonaws.com/efa"]'],
    ],
    ['a buffer without a target', capacityBuffer({ scalableRef: undefined }), ['not-ready spec.scalableRef']],
    [
      'a buffer for a DaemonSet',
      capacityBuffer({ scalableRef: { kind: 'DaemonSet', name: 'a' } }),
      ['not-ready spec.scalableRef.kind'],
    ],
    [
      'a buffer for a kind of another group',
      capacityBuffer({ scalableRef: { apiGroup: 'batch', kind: 'Deployment', name: 'a' } }),
      ['not-ready spec.scalableRef.apiGroup'],
    ],
    [
      'an unknown GPU sharing mode',
      {
        ...nodeClass(),
        metadata: { name: 'a', annotations: { 'karpenter.k8s.aws/nvidia-consumable-capacity': 'half' } },
      },
      ['not-ready metadata.annotations["karpenter.k8s.aws/nvidia-consumable-capacity"]'],
    ],
    [
      'user data that is too large for EC2',
      nodeClass({ userData: 'a'.repeat(16_385) }),
      ['launch-fails spec.userData'],
    ],
    [
      'user data whose characters take several bytes each',
      nodeClass({ userData: 'ä'.repeat(8_193) }),
      ['launch-fails spec.userData'],
    ],
  ])('rejects %s', (_, raw, expected) => {
    expect(problemsOf(raw)).toEqual(expected);
  });

  test.each([
    ['an empty value', poolWith({ key: 'a', operator: 'In', values: [''] })],
    ['limits that are too large', nodePool({ limits: { cpu: '1e400' } })],
    [
      'requirements of a NodeClaim, which it makes itself',
      nodeClaim({ requirements: [{ key: 'a', operator: 'In', values: ['b c'] }] }),
    ],
    ['user data of the largest size', nodeClass({ userData: 'a'.repeat(16_384) })],
    [
      'long user data of Bottlerocket, which Karpenter rewrites',
      nodeClass({ amiSelectorTerms: [{ alias: 'bottlerocket@v1.46.0' }], userData: `#${' '.repeat(20_000)}` }),
    ],
    ['user data that is only long because of a placeholder', nodeClass({ userData: `\${${'a'.repeat(20_000)}}` })],
    ['an overlay of GPUs', nodeOverlay({ capacity: { 'nvidia.com/gpu': 1 } })],
  ])('accepts %s', (_, raw) => {
    expect(problemsOf(raw)).toEqual([]);
  });

  test('reports further problems next to a field that cannot be decoded', () => {
    const raw = nodePool({ limits: { cpu: '1e1.5' } }, { requirements: [{ key: 'a'.repeat(64), operator: 'Exists' }] });
    expect(problemsOf(raw)).toEqual(['not-ready spec.limits.cpu', `not-ready ${KEYS}.key`]);
  });

  test('reports no second problem for a field that the API server rejects', () => {
    expect(problemsOf(poolLabelled({ 'karpenter.sh/nodepool': 'a' }))).toEqual([
      'rejected spec.template.metadata.labels["karpenter.sh/nodepool"]',
    ]);
  });

  test.each([
    ['1.0', [`misread ${KEYS}.values`]],
    ['1.5', [`not-ready ${KEYS}.values`]],
    ['1.15', [`not-ready ${KEYS}.values`]],
  ])('reports unknown capacity types in version %s', (version, expected) => {
    expect(
      problemsOf(poolWith({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['Spot'] }), { version }),
    ).toEqual(expected);
  });
});

describe('kubelet settings', () => {
  test.each([
    ['an unknown setting', { maxPod: 10 }, ['maxPod']],
    ['an unknown nested setting', { authentication: { webhook: { enable: true } } }, ['authentication.webhook.enable']],
    ['a string instead of a number', { podsPerCore: '10' }, ['podsPerCore']],
    ['a number beyond 32 bits', { maxOpenFiles: 1, registryPullQPS: 2 ** 31 }, ['registryPullQPS']],
    ['a duration without a unit', { syncFrequency: '60' }, ['syncFrequency']],
    ['a number instead of a quantity in quotes', { kubeReserved: { cpu: 1 } }, ['kubeReserved.cpu']],
    ['taints', { registerWithTaints: [] }, ['registerWithTaints']],
    ['an unknown signal', { evictionHard: { 'memory.free': '5%' } }, ['evictionHard["memory.free"]']],
    ['more than 100%', { evictionHard: { 'memory.available': '101%' } }, ['evictionHard["memory.available"]']],
    [
      'a soft threshold without a grace period',
      { evictionSoft: { 'memory.available': '5%' } },
      ['evictionSoft["memory.available"]'],
    ],
    [
      'a grace period without a soft threshold',
      { evictionSoftGracePeriod: { 'memory.available': '5m' } },
      ['evictionSoftGracePeriod["memory.available"]'],
    ],
    ['an unknown resource', { systemReserved: { gpu: '1' } }, ['systemReserved.gpu']],
    ['a space after a reservation', { systemReserved: { memory: '100Mi ' } }, ['systemReserved.memory']],
    [
      'a space before a threshold',
      { evictionHard: { 'memory.available': ' 100Mi' } },
      ['evictionHard["memory.available"]'],
    ],
    ['a negative quantity', { kubeReserved: { cpu: '-1' } }, ['kubeReserved.cpu']],
    [
      'a high image threshold that is not above the low threshold',
      { imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 50 },
      ['imageGCHighThresholdPercent'],
    ],
    ['a percentage over 100', { imageGCHighThresholdPercent: 101 }, ['imageGCHighThresholdPercent']],
    ['an expression, without the gate', { maxPods: 'vcpus * 10' }, ['maxPods']],
    [
      'an expression for a reservation, without the gate',
      { kubeReserved: { memory: 'maxPods * 11' } },
      ['kubeReserved.memory'],
    ],
  ])('are not ready with %s', (_, kubelet, fields) => {
    expect(problemsOf(withKubelet(kubelet))).toEqual(fields.map((field) => `not-ready spec.kubelet.${field}`));
  });

  test.each([
    ['percentages as Go reads them', { evictionHard: { 'memory.available': '5.5%', 'nodefs.available': '1e1%' } }],
    [
      'any setting of the kubelet',
      {
        shutdownGracePeriod: '30s',
        featureGates: { A: true },
        logging: { verbosity: 2, flushFrequency: 5 },
        reservedMemory: [{ numaNode: 0, limits: { memory: '1Gi' } }],
      },
    ],
  ])('accept %s', (_, kubelet) => {
    expect(problemsOf(withKubelet(kubelet))).toEqual([]);
  });

  test.each([
    ['a whole number for every type', { maxPods: 'vcpus * 10' }, {}],
    ['a fraction, which is cut', { kubeReserved: { memory: 'double(memory_mib) * 0.01' } }, {}],
    ['max_pods as set by maxPods', { maxPods: 110, kubeReserved: { memory: '(max_pods - 50) * 11' } }, {}],
    ['the pods of Windows', { maxPods: 'max_pods - 50' }, { amiSelectorTerms: [{ alias: 'windows2022@latest' }] }],
    [
      'the name of the type',
      { systemReserved: { cpu: 'instance_type.startsWith("m5.") ? max(vcpus, 4.5) : min(100, 200)' } },
      {},
    ],
  ])('accept an expression with the gate enabled: %s', (_, kubelet, spec) => {
    expect(problemsOf(withKubelet(kubelet, spec), { featureGates: { NodeClassCEL: true } })).toEqual([]);
  });

  test.each([
    ['an unknown name', { maxPods: 'cores * 10' }, 'maxPods'],
    ['a string', { maxPods: 'instance_type' }, 'maxPods'],
    ['an integer times a double', { kubeReserved: { cpu: 'vcpus * 0.5' } }, 'kubeReserved.cpu'],
    ['a negative result for a small instance type', { maxPods: 'max_pods - 5' }, 'maxPods'],
    [
      'a negative result for the configured maxPods',
      { maxPods: 10, kubeReserved: { memory: 'max_pods - 11' } },
      'kubeReserved.memory',
    ],
    ['a result above 32 bits', { maxPods: 'memory_mib * 100000' }, 'maxPods'],
  ])('reject an expression with the gate enabled: %s', (_, kubelet, field) => {
    expect(problemsOf(withKubelet(kubelet), { featureGates: { NodeClassCEL: true } })).toEqual([
      `not-ready spec.kubelet.${field}`,
    ]);
  });

  test.each(['1GB', '100 m', '', 'vcpus *'])(
    'reject %j as a quantity or expression with the gate enabled',
    (memory) => {
      expect(problemsOf(withKubelet({ kubeReserved: { memory } }), { featureGates: { NodeClassCEL: true } })).toEqual([
        'not-ready spec.kubelet.kubeReserved.memory',
      ]);
    },
  );

  test.each([
    ['AL2', ['registryPullQPS']],
    ['Bottlerocket', ['podsPerCore', 'registryPullQPS']],
    ['AL2023', []],
    ['Custom', []],
  ])('of %s are limited to those that the family passes to the kubelet', (amiFamily, fields) => {
    const raw = withKubelet(
      { podsPerCore: 10, registryPullQPS: 5 },
      { amiFamily, amiSelectorTerms: [{ id: 'ami-1' }] },
    );
    expect(problemsOf(raw)).toEqual(fields.map((field) => `not-ready spec.kubelet.${field}`));
  });

  test('are validated by the CRD schema until 1.14', () => {
    expect(
      problemsOf(withKubelet({ evictionHard: { 'memory.free': '5%' }, shutdownGracePeriod: '30s' }), {
        version: '1.14',
      }),
    ).toEqual(['rejected spec.kubelet.shutdownGracePeriod', 'rejected spec.kubelet.evictionHard["memory.free"]']);
  });
});

describe('warnings', () => {
  test.each([
    ['NotIn without values', poolWith({ key: 'a', operator: 'NotIn' }), [`misread ${KEYS}.values`]],
    ['Exists with values', poolWith({ key: 'a', operator: 'Exists', values: ['b'] }), [`misread ${KEYS}.values`]],
    [
      'an unknown capacity type next to a known one',
      poolWith({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'Spot'] }),
      [`misread ${KEYS}.values`],
    ],
    ['a limit below 0', nodePool({ limits: { cpu: '-1' } }), ['misread spec.limits.cpu']],
    [
      'an invalid cron macro that begins like a valid one',
      nodePool({
        disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', schedule: '@dailyx', duration: '1h' }] },
      }),
      ['misread spec.disruption.budgets[0].schedule'],
    ],
    [
      'a mixed subnet term next to a valid term',
      nodeClass({ subnetSelectorTerms: [{ id: 'subnet-1', tags: { a: 'b' } }, { id: 'subnet-2' }] }),
      ['misread spec.subnetSelectorTerms[0]'],
    ],
    [
      'a mixed security group term next to a valid term',
      nodeClass({ securityGroupSelectorTerms: [{ id: 'sg-1' }, { name: 'a', tags: { a: 'b' } }] }),
      ['misread spec.securityGroupSelectorTerms[1]'],
    ],
    [
      'a mixed reservation term next to a valid term',
      nodeClass({ capacityReservationSelectorTerms: [{ id: 'cr-1', ownerID: '111122223333' }, { id: 'cr-2' }] }),
      ['misread spec.capacityReservationSelectorTerms[0]'],
    ],
    [
      'throughput of a volume type without throughput',
      nodeClass({ blockDeviceMappings: [{ ebs: { volumeSize: '1Gi', volumeType: 'io2', throughput: 200 } }] }),
      ['launch-fails spec.blockDeviceMappings[0].ebs.throughput'],
    ],
    ['a buffer without a size', capacityBuffer({ replicas: undefined }), ['misread spec.replicas']],
  ])('report %s', (_, raw, expected) => {
    expect(problemsOf(raw)).toEqual(expected);
  });
});
