import { capacityBuffer, judged, nodeClaim, nodeClass, nodeOverlay, nodePool } from './objects';

const KEYS = 'spec.template.spec.requirements[0]';
const poolWith = (requirement: object) => nodePool({}, { requirements: [requirement] });
const poolLabelled = (labels: object) => nodePool({}, {}, { labels });
const withKubelet = (kubelet: object, fields: object = {}) => nodeClass({ kubelet, ...fields });

describe('Karpenter itself, of what the API server has taken,', () => {
  test.each([
    ['a label key with two slashes', poolLabelled({ 'a/b/c': 'd' }), ['not-ready spec.template.metadata.labels["a/b/c"]']],
    ['the label of the node class', poolLabelled({ 'karpenter.k8s.aws/ec2nodeclass': 'a' }), ['not-ready spec.template.metadata.labels["karpenter.k8s.aws/ec2nodeclass"]']],
    ['the node class as a requirement', poolWith({ key: 'karpenter.k8s.aws/ec2nodeclass', operator: 'Exists' }), [`not-ready ${KEYS}.key`]],
    ['a requirement key with an over-long name', poolWith({ key: 'a'.repeat(64), operator: 'Exists' }), [`not-ready ${KEYS}.key`]],
    ['a value that is no label value', poolWith({ key: 'a', operator: 'In', values: ['b', 'c d'] }), [`not-ready ${KEYS}.values[1]`]],
    ['no known capacity type', poolWith({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['Spot'] }), [`not-ready ${KEYS}.values`]],
    ['fewer known tenancies than minValues', poolWith({ key: 'karpenter.k8s.aws/instance-tenancy', operator: 'In', values: ['default', 'host'], minValues: 2 }), [`not-ready ${KEYS}.values`]],
    ['a taint twice in two lists', nodePool({}, { taints: [{ key: 'a', effect: 'NoSchedule' }], startupTaints: [{ key: 'a', effect: 'NoSchedule', value: 'b' }] }), ['not-ready spec.template.spec.startupTaints[0]']],
    ['a taint key with an over-long name', nodePool({}, { taints: [{ key: 'a'.repeat(64), effect: 'NoSchedule' }] }), ['not-ready spec.template.spec.taints[0].key']],
    ['a duration of a thousand years', nodePool({}, { expireAfter: '9000000h' }), ['not-ready spec.template.spec.expireAfter']],
    ['a limit with a fraction for an exponent', nodePool({ limits: { cpu: '1e1.5' } }), ['not-ready spec.limits.cpu']],
    ['an overlay of a resource that AWS tells', nodeOverlay({ capacity: { 'vpc.amazonaws.com/efa': 1 } }), ['not-ready spec.capacity["vpc.amazonaws.com/efa"]']],
    ['a buffer without a target', capacityBuffer({ scalableRef: undefined }), ['not-ready spec.scalableRef']],
    ['a buffer for a DaemonSet', capacityBuffer({ scalableRef: { kind: 'DaemonSet', name: 'a' } }), ['not-ready spec.scalableRef.kind']],
    ['a buffer for a kind of another group', capacityBuffer({ scalableRef: { apiGroup: 'batch', kind: 'Deployment', name: 'a' } }), ['not-ready spec.scalableRef.apiGroup']],
    ['a mode of sharing GPUs that there is not', { ...nodeClass(), metadata: { name: 'a', annotations: { 'karpenter.k8s.aws/nvidia-consumable-capacity': 'half' } } },
      ['not-ready metadata.annotations["karpenter.k8s.aws/nvidia-consumable-capacity"]']],
  ])('refuses %s', (_, raw, expected) => {
    expect(judged(raw)).toEqual(expected);
  });

  test.each([
    ['a value that is empty', poolWith({ key: 'a', operator: 'In', values: [''] })],
    ['limits beyond all bounds', nodePool({ limits: { cpu: '1e400' } })],
    ['requirements of a NodeClaim, which it makes itself', nodeClaim({ requirements: [{ key: 'a', operator: 'In', values: ['b c'] }] })],
    ['an overlay of GPUs', nodeOverlay({ capacity: { 'nvidia.com/gpu': 1 } })],
  ])('takes %s', (_, raw) => {
    expect(judged(raw)).toEqual([]);
  });

  test('is asked of the rest as well when it cannot read a field', () => {
    const raw = nodePool({ limits: { cpu: '1e1.5' } }, { requirements: [{ key: 'a'.repeat(64), operator: 'Exists' }] });
    expect(judged(raw)).toEqual(['not-ready spec.limits.cpu', `not-ready ${KEYS}.key`]);
  });

  test('says nothing of a field that the API server has refused already', () => {
    expect(judged(poolLabelled({ 'karpenter.sh/nodepool': 'a' }))).toEqual(['rejected spec.template.metadata.labels["karpenter.sh/nodepool"]']);
  });

  test.each([
    ['1.0', [`misread ${KEYS}.values`]],
    ['1.5', [`not-ready ${KEYS}.values`]],
    ['1.15', [`not-ready ${KEYS}.values`]],
  ])('of version %s wants known capacity types, or has no node for them', (version, expected) => {
    expect(judged(poolWith({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['Spot'] }), { version })).toEqual(expected);
  });
});

describe('the settings of the kubelet', () => {
  test.each([
    ['a setting that the kubelet has not', { maxPod: 10 }, ['maxPod']],
    ['a setting inside another that it has not', { authentication: { webhook: { enable: true } } }, ['authentication.webhook.enable']],
    ['a text where a number belongs', { podsPerCore: '10' }, ['podsPerCore']],
    ['a number beyond 32 bits', { maxOpenFiles: 1, registryPullQPS: 2 ** 31 }, ['registryPullQPS']],
    ['a duration without a unit', { syncFrequency: '60' }, ['syncFrequency']],
    ['a number where a quantity in quotes belongs', { kubeReserved: { cpu: 1 } }, ['kubeReserved.cpu']],
    ['taints', { registerWithTaints: [] }, ['registerWithTaints']],
    ['an unknown signal', { evictionHard: { 'memory.free': '5%' } }, ['evictionHard["memory.free"]']],
    ['more than 100%', { evictionHard: { 'memory.available': '101%' } }, ['evictionHard["memory.available"]']],
    ['a soft threshold without a grace period', { evictionSoft: { 'memory.available': '5%' } }, ['evictionSoft["memory.available"]']],
    ['a grace period without a soft threshold', { evictionSoftGracePeriod: { 'memory.available': '5m' } }, ['evictionSoftGracePeriod["memory.available"]']],
    ['an unknown resource', { systemReserved: { gpu: '1' } }, ['systemReserved.gpu']],
    ['a blank behind a reservation, which is no quantity to Karpenter', { systemReserved: { memory: '100Mi ' } }, ['systemReserved.memory']],
    ['a blank before a threshold', { evictionHard: { 'memory.available': ' 100Mi' } }, ['evictionHard["memory.available"]']],
    ['less than nothing', { kubeReserved: { cpu: '-1' } }, ['kubeReserved.cpu']],
    ['thresholds of images the wrong way round', { imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 50 }, ['imageGCHighThresholdPercent']],
    ['a percentage over 100', { imageGCHighThresholdPercent: 101 }, ['imageGCHighThresholdPercent']],
    ['an expression, without the gate', { maxPods: 'vcpus * 10' }, ['maxPods']],
    ['an expression for a reservation, without the gate', { kubeReserved: { memory: 'maxPods * 11' } }, ['kubeReserved.memory']],
  ])('are not ready with %s', (_, kubelet, fields) => {
    expect(judged(withKubelet(kubelet))).toEqual(fields.map((field) => `not-ready spec.kubelet.${field}`));
  });

  test.each([
    ['percentages as Go reads them', { evictionHard: { 'memory.available': '5.5%', 'nodefs.available': '1e1%' } }],
    ['any setting of the kubelet', { shutdownGracePeriod: '30s', featureGates: { A: true }, logging: { verbosity: 2, flushFrequency: 5 }, reservedMemory: [{ numaNode: 0, limits: { memory: '1Gi' } }] }],
  ])('may have %s', (_, kubelet) => {
    expect(judged(withKubelet(kubelet))).toEqual([]);
  });

  test.each([
    ['a whole number for every type', { maxPods: 'vcpus * 10' }, {}],
    ['a fraction, which is cut', { kubeReserved: { memory: 'double(memory_mib) * 0.01' } }, {}],
    ['the pods that there will be', { maxPods: 110, kubeReserved: { memory: '(max_pods - 50) * 11' } }, {}],
    ['the pods of Windows', { maxPods: 'max_pods - 50' }, { amiSelectorTerms: [{ alias: 'windows2022@latest' }] }],
    ['the name of the type', { systemReserved: { cpu: 'instance_type.startsWith("m5.") ? max(vcpus, 4.5) : min(100, 200)' } }, {}],
  ])('may have an expression of %s where the gate is on', (_, kubelet, spec) => {
    expect(judged(withKubelet(kubelet, spec), { featureGates: { NodeClassCEL: true } })).toEqual([]);
  });

  test.each([
    ['a name that there is not', { maxPods: 'cores * 10' }, 'maxPods'],
    ['a text', { maxPods: 'instance_type' }, 'maxPods'],
    ['whole numbers times fractions', { kubeReserved: { cpu: 'vcpus * 0.5' } }, 'kubeReserved.cpu'],
    ['less than nothing for a small type', { maxPods: 'max_pods - 5' }, 'maxPods'],
    ['less than nothing for the pods that there will be', { maxPods: 10, kubeReserved: { memory: 'max_pods - 11' } }, 'kubeReserved.memory'],
    ['pods without number', { maxPods: 'memory_mib * 100000' }, 'maxPods'],
  ])('may not have an expression of %s, though the gate is on', (_, kubelet, field) => {
    expect(judged(withKubelet(kubelet), { featureGates: { NodeClassCEL: true } })).toEqual([`not-ready spec.kubelet.${field}`]);
  });

  test.each(['1GB', '100 m', '', 'vcpus *'])('may not have %j for an amount or an expression, though the gate is on', (memory) => {
    expect(judged(withKubelet({ kubeReserved: { memory } }), { featureGates: { NodeClassCEL: true } })).toEqual(['not-ready spec.kubelet.kubeReserved.memory']);
  });

  test.each([
    ['AL2', ['registryPullQPS']],
    ['Bottlerocket', ['podsPerCore', 'registryPullQPS']],
    ['AL2023', []],
    ['Custom', []],
  ])('of %s are those that the family hands on', (amiFamily, fields) => {
    const raw = withKubelet({ podsPerCore: 10, registryPullQPS: 5 }, { amiFamily, amiSelectorTerms: [{ id: 'ami-1' }] });
    expect(judged(raw)).toEqual(fields.map((field) => `not-ready spec.kubelet.${field}`));
  });

  test('have a schema until 1.14', () => {
    expect(judged(withKubelet({ evictionHard: { 'memory.free': '5%' }, shutdownGracePeriod: '30s' }), { version: '1.14' }))
      .toEqual(['rejected spec.kubelet.shutdownGracePeriod', 'rejected spec.kubelet.evictionHard["memory.free"]']);
  });
});

describe('a manifest that is taken, and is not what it says,', () => {
  test.each([
    ['NotIn without values', poolWith({ key: 'a', operator: 'NotIn' }), [`misread ${KEYS}.values`]],
    ['Exists with values', poolWith({ key: 'a', operator: 'Exists', values: ['b'] }), [`misread ${KEYS}.values`]],
    ['an unknown capacity type beside a known one', poolWith({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'Spot'] }), [`misread ${KEYS}.values`]],
    ['a limit below 0', nodePool({ limits: { cpu: '-1' } }), ['misread spec.limits.cpu']],
    ['a cron that only begins like one', nodePool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', schedule: '@dailyx', duration: '1h' }] } }), ['misread spec.disruption.budgets[0].schedule']],
    ['a bad subnet term beside a good one', nodeClass({ subnetSelectorTerms: [{ id: 'subnet-1', tags: { a: 'b' } }, { id: 'subnet-2' }] }), ['misread spec.subnetSelectorTerms[0]']],
    ['a bad security group term beside a good one', nodeClass({ securityGroupSelectorTerms: [{ id: 'sg-1' }, { name: 'a', tags: { a: 'b' } }] }), ['misread spec.securityGroupSelectorTerms[1]']],
    ['a bad reservation term beside a good one', nodeClass({ capacityReservationSelectorTerms: [{ id: 'cr-1', ownerID: '111122223333' }, { id: 'cr-2' }] }), ['misread spec.capacityReservationSelectorTerms[0]']],
    ['throughput of a volume that has none', nodeClass({ blockDeviceMappings: [{ ebs: { volumeSize: '1Gi', volumeType: 'io2', throughput: 200 } }] }), ['launch-fails spec.blockDeviceMappings[0].ebs.throughput']],
    ['a buffer of no size', capacityBuffer({ replicas: undefined }), ['misread spec.replicas']],
  ])('is warned about: %s', (_, raw, expected) => {
    expect(judged(raw)).toEqual(expected);
  });
});
