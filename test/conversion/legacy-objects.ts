import fc from 'fast-check';

/** Generators of legacy objects that their API servers accepted. */
type Json = Record<string, unknown>;

const optional = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(fields, { requiredKeys: [] });
const word = fc.constantFrom('a', 'web', 'team-1', 'x.y_z');
const map = (value: fc.Arbitrary<unknown> = word): fc.Arbitrary<Json> =>
  fc.dictionary(fc.constantFrom('team', 'example.com/tier', 'app', 'on'), value, { maxKeys: 3 });
const duration = fc.constantFrom('0s', '30s', '720h', '1h30m', 'Never');
const quantity = fc.constantFrom('1', '500m', '100Mi', '2Gi');
const cpus = fc.constantFrom('1', '500m');
const name = fc.constantFrom('default', 'gpu', 'other');

const taints = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom('a', 'example.com/b'),
    value: word,
    effect: fc.constantFrom('NoSchedule', 'NoExecute'),
  }),
  { selector: ({ key, effect }) => key + effect, maxLength: 2 },
);

const requirement = fc.oneof(
  fc.record({
    key: fc.constantFrom(
      'kubernetes.io/arch',
      'karpenter.k8s.aws/instance-family',
      'example.com/tier',
      'topology.kubernetes.io/zone',
    ),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    key: fc.constantFrom(
      'karpenter.k8s.aws/instance-cpu',
      'karpenter.k8s.aws/instance-pods',
      'karpenter.k8s.aws/instance-generation',
    ),
    operator: fc.constantFrom('Gt', 'Lt'),
    values: fc.constantFrom(['2'], ['16']),
  }),
  fc.record({
    key: fc.constantFrom('karpenter.sh/capacity-type', 'kubernetes.io/os', 'karpenter.sh/provisioner-name'),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
);
const requirements = fc.uniqueArray(requirement, { selector: ({ key }) => key, maxLength: 4 });

const kubelet = optional({
  clusterDNS: fc.constantFrom(['10.0.0.10'], ['10.0.0.10', '10.0.0.11']),
  maxPods: fc.nat(110),
  podsPerCore: fc.nat(10),
  systemReserved: fc.record(
    { cpu: fc.oneof(cpus, fc.nat(4)), memory: fc.oneof(quantity, fc.nat(4)) },
    { requiredKeys: [] },
  ),
  kubeReserved: fc.record({ cpu: cpus, 'ephemeral-storage': quantity }, { requiredKeys: [] }),
  evictionHard: fc.constant({ 'memory.available': '5%' }),
  evictionMaxPodGracePeriod: fc.nat(60),
  imageGCHighThresholdPercent: fc.constant(90),
  imageGCLowThresholdPercent: fc.constant(80),
  cpuCFSQuota: fc.boolean(),
});

const blockDevices = fc.array(
  fc.record({
    deviceName: fc.constantFrom('/dev/xvda', '/dev/sda1'),
    ebs: fc.record({
      volumeSize: fc.constantFrom('30Gi', '100Mi', '1Ti', '64T', '1500M', 30_000_000_000),
      volumeType: fc.constantFrom('gp2', 'gp3'),
      encrypted: fc.boolean(),
    }),
  }),
  { maxLength: 2 },
);

const metadataOptions = optional({
  httpEndpoint: fc.constantFrom('enabled', 'disabled'),
  httpTokens: fc.constantFrom('required', 'optional'),
  httpPutResponseHopLimit: fc.integer({ min: 1, max: 64 }),
});
const tags = fc.dictionary(
  fc.constantFrom('team', 'Name', 'karpenter.sh/nodepool', 'kubernetes.io/cluster/main'),
  word,
  { maxKeys: 3 },
);
const classSettings = {
  userData: fc.constantFrom('#!/bin/bash\necho hello\n', '[settings]'),
  tags,
  detailedMonitoring: fc.boolean(),
  context: word,
  metadataOptions,
  blockDeviceMappings: blockDevices,
};

/** A selector with an id cannot have other keys. */
const selector = (id: string): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.constantFrom('aws-ids', 'aws::ids').map((key) => ({ [key]: `${id}-1, ${id}-2` })),
    fc.dictionary(fc.constantFrom('karpenter.sh/discovery', 'Name', 'team'), fc.constantFrom('main', 'one,two', '*'), {
      minKeys: 1,
      maxKeys: 3,
    }),
  );
const amiSelector = fc.oneof(
  selector('ami'),
  fc.constantFrom(
    { 'aws::name': 'mine-*' },
    { 'aws::name': 'a,b', 'aws::owners': 'self,amazon' },
    { 'aws::owners': 'self' },
  ),
);

const object = (apiVersion: string, kind: string, spec: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.record({
    apiVersion: fc.constant(apiVersion),
    kind: fc.constant(kind),
    metadata: fc.record({ name, labels: map() }),
    spec,
  });

const provisioner = object(
  'karpenter.sh/v1alpha5',
  'Provisioner',
  fc.record(
    {
      providerRef: name.map((n) => ({ name: n })),
      labels: map(),
      annotations: map(),
      taints,
      requirements,
      weight: fc.integer({ min: 1, max: 100 }),
      limits: optional({ resources: optional({ cpu: fc.nat(1000), memory: quantity }) }),
      ttlSecondsUntilExpired: fc.nat(10_000_000),
      ttlSecondsAfterEmpty: fc.nat(1000),
      consolidation: optional({ enabled: fc.boolean() }),
      kubeletConfiguration: fc
        .tuple(kubelet, optional({ containerRuntime: fc.constant('containerd') }))
        .map(([a, b]) => ({ ...a, ...b })),
    },
    { requiredKeys: ['providerRef'] },
  ),
);

const nodeTemplate = object(
  'karpenter.k8s.aws/v1alpha1',
  'AWSNodeTemplate',
  fc.record(
    {
      subnetSelector: selector('subnet'),
      securityGroupSelector: selector('sg'),
      amiSelector,
      amiFamily: fc.constantFrom('AL2', 'Bottlerocket', 'Ubuntu', 'Custom', 'Windows2022'),
      instanceProfile: word,
      ...classSettings,
    },
    { requiredKeys: ['subnetSelector', 'securityGroupSelector'] },
  ),
);

const nodePool = object(
  'karpenter.sh/v1beta1',
  'NodePool',
  fc.record(
    {
      template: fc.record(
        {
          metadata: optional({ labels: map(), annotations: map() }),
          spec: fc.record(
            {
              nodeClassRef: name.map((n) => ({ name: n })),
              requirements,
              taints,
              kubelet,
              resources: fc.constant({ requests: { cpu: '1' } }),
            },
            { requiredKeys: ['nodeClassRef', 'requirements'] },
          ),
        },
        { requiredKeys: ['spec'] },
      ),
      disruption: fc.oneof(
        fc.record({ consolidationPolicy: fc.constant('WhenEmpty'), consolidateAfter: duration, expireAfter: duration }),
        optional({
          consolidationPolicy: fc.constant('WhenUnderutilized'),
          expireAfter: duration,
          budgets: fc.constant([{ nodes: '10%' }, { nodes: '0', schedule: '0 9 * * 1-5', duration: '8h' }]),
        }),
      ),
      limits: optional({ cpu: fc.nat(1000), memory: quantity }),
      weight: fc.integer({ min: 1, max: 100 }),
    },
    { requiredKeys: ['template'] },
  ),
);

const term = (id: string, more: readonly Json[] = []) =>
  fc.array(
    fc.oneof(
      fc.constantFrom<Json>({ id: `${id}-1` }, ...more),
      map()
        .filter((m) => Object.keys(m).length > 0)
        .map((m) => ({ tags: m })),
    ),
    { minLength: 1, maxLength: 3 },
  );
const betaClassSpec = fc.record(
  {
    amiFamily: fc.constantFrom('AL2', 'AL2023', 'Bottlerocket', 'Ubuntu', 'Windows2019'),
    amiSelectorTerms: term('ami', [{ name: 'mine', owner: 'self' }]),
    subnetSelectorTerms: term('subnet'),
    securityGroupSelectorTerms: term('sg', [{ name: 'mine' }]),
    instanceStorePolicy: fc.constant('RAID0'),
    associatePublicIPAddress: fc.boolean(),
    ...classSettings,
  },
  { requiredKeys: ['amiFamily', 'subnetSelectorTerms', 'securityGroupSelectorTerms'] },
);
const nodeClass = object(
  'karpenter.k8s.aws/v1beta1',
  'EC2NodeClass',
  fc
    .tuple(betaClassSpec, fc.constantFrom({ role: 'nodes' }, { instanceProfile: 'nodes' }))
    .map(([spec, identity]) => ({ ...spec, ...identity })),
);

const key = ({ kind, metadata }: any) => `${kind}/${metadata.name}`;

const refOf = ({ spec }: any): string => (spec.providerRef ?? spec.template.spec.nodeClassRef).name;
const several = (objects: fc.Arbitrary<Json>, minLength: number) =>
  fc.uniqueArray(objects, { selector: key, minLength, maxLength: 3 });

/** Objects of one generation with different names, each class that pools refer to among them. */
export const legacyObjects: fc.Arbitrary<any[]> = fc
  .oneof(
    fc.tuple(several(provisioner, 0), several(nodeTemplate, 1)),
    fc.tuple(several(nodePool, 0), several(nodeClass, 1)),
  )
  .map(([pools, classes]) => [
    ...pools.filter((pool) => classes.some(({ metadata }: any) => metadata.name === refOf(pool))),
    ...classes,
  ]);
