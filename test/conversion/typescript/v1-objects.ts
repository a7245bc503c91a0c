import fc from 'fast-check';

/** Generators of v1 objects in various spellings. Most objects are valid, some are not. */
type Json = Record<string, unknown>;

const optional = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(fields, { requiredKeys: [] });
/** Occasionally an unknown field or an invalid value. */
const strange = fc.oneof(
  { weight: 30, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>(
      { newField: { a: [1, true] } },
      { weight: '10' },
      { userData: 7 },
      { tags: ['a'] },
      { labels: { constructor: 'x' } },
    ),
  },
);
const mixed = (object: fc.Arbitrary<Json>) => fc.tuple(object, strange).map(([one, more]) => ({ ...one, ...more }));

const word = fc.constantFrom('a', 'web', "it's", '"quoted"', 'on', '10', 'two\nlines\n', '${x}', '*', 'back\\slash');
const label = fc.constantFrom('a', 'web', 'team-1', '');
const labels = fc.dictionary(fc.constantFrom('team', 'example.com/tier', 'app', '1'), label, { maxKeys: 3 });
const tags = fc.dictionary(fc.constantFrom('team', 'karpenter.sh/discovery', 'Name', 'a~b/c'), word, { maxKeys: 2 });
const duration = fc.constantFrom('0s', '0h', '30s', '90s', '720h', '1h30m', '2h0m0s');
const durationOrNever = fc.oneof({ weight: 5, arbitrary: duration }, fc.constant('Never'));
const quantity = fc.oneof(
  fc.constantFrom<unknown>('1', '500m', '100Mi', '2Gi', '1e3', '1000', '1.5', '0', '1Ti'),
  fc.nat(2000),
);
const name = fc.constantFrom('default', 'gpu', 'web-1.blue', '1st');
const metadata = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record(
      { name, labels, annotations: tags, finalizers: fc.constant(['example.com/x']), uid: fc.constant('1-2-3') },
      { requiredKeys: ['name'] },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ generateName: 'x-' }) },
);
const cron = fc.constantFrom('0 9 * * mon-fri', '* * * * *', '@daily', '@yearly', '0  9 * * 1', '*/5 1,2 1-3 * 0');

const taintPool = fc.uniqueArray(
  fc.record(
    {
      key: fc.constantFrom('a', 'example.com/b'),
      value: label,
      effect: fc.constantFrom('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
      timeAdded: fc.constantFrom('2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5Z'),
    },
    { requiredKeys: ['key', 'effect'] },
  ),
  { selector: (taint) => taint.key + taint.effect, maxLength: 4 },
);

const key = fc.constantFrom(
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'karpenter.sh/capacity-type',
  'topology.kubernetes.io/zone',
  'topology.k8s.aws/zone-id',
  'karpenter.k8s.aws/instance-family',
  'karpenter.k8s.aws/instance-size',
  'karpenter.k8s.aws/instance-category',
  'karpenter.k8s.aws/instance-capability-flex',
  'node.kubernetes.io/instance-type',
  'karpenter.k8s.aws/instance-cpu',
  'example.com/tier',
);
const value = fc.constantFrom(
  'amd64',
  'linux',
  'spot',
  'us-east-1a',
  'use1-az1',
  'm5',
  '2xlarge',
  'c',
  'true',
  'false',
  '16',
  '016',
  'default',
);
const requirement = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(value, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    key: fc.constantFrom('karpenter.k8s.aws/instance-cpu', 'example.com/tier'),
    operator: fc.constantFrom('Gt', 'Lt', 'Gte', 'Lte'),
    values: fc.constantFrom(['2'], ['007'], ['0']),
  }),
  fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const flexible = fc.oneof(
  { weight: 5, arbitrary: requirement as fc.Arbitrary<Json> },
  fc.record({
    key,
    operator: fc.constant('In'),
    values: fc.constant(['a', 'b', 'c']),
    minValues: fc.integer({ min: 1, max: 3 }),
  }),
);
const ofPool = fc.record({
  key: fc.constant('karpenter.sh/nodepool'),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.array(name, { minLength: 1, maxLength: 2 }),
});

const budget = fc
  .tuple(
    optional({
      nodes: fc.constantFrom('10%', '0', '5', '010'),
      reasons: fc.subarray(['Underutilized', 'Empty', 'Drifted'], { minLength: 1 }),
    }),
    fc.option(fc.record({ schedule: cron, duration: fc.constantFrom('8h', '1h30m', '90m') }), { nil: {} }),
  )
  .map(([one, window]) => ({ ...one, ...window }));
const size = fc.oneof(
  optional({
    limits: fc.dictionary(fc.constantFrom('cpu', 'memory', 'nodes', 'nvidia.com/gpu'), quantity, { maxKeys: 3 }),
    weight: fc.integer({ min: 1, max: 100 }),
  }),
  fc.record(
    { replicas: fc.nat(3), limits: fc.constantFrom<Json>({}, { nodes: '5' }, { nodes: 5 }) },
    { requiredKeys: ['replicas'] },
  ),
);
const nodePoolSpec = mixed(
  fc
    .tuple(
      fc.record(
        {
          template: fc.record(
            {
              metadata: optional({ labels, annotations: tags }),
              spec: fc
                .tuple(
                  fc.record(
                    {
                      nodeClassRef: name.map((n) => ({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: n })),
                      requirements: fc.array(flexible, { maxLength: 3 }),
                      expireAfter: durationOrNever,
                      terminationGracePeriod: duration,
                    },
                    { requiredKeys: ['nodeClassRef', 'requirements'] },
                  ),
                  taintPool,
                )
                .map(([spec, taints]) => ({ ...spec, taints: taints.slice(0, 2), startupTaints: taints.slice(2) })),
            },
            { requiredKeys: ['spec'] },
          ),
          disruption: optional({
            consolidationPolicy: fc.constantFrom('WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'),
            consolidateAfter: durationOrNever,
            budgets: fc.array(budget, { maxLength: 2 }),
          }),
        },
        { requiredKeys: ['template'] },
      ),
      size,
    )
    .map(([spec, more]) => ({ ...spec, ...more })),
);

const term = (...terms: readonly Json[]) =>
  fc.array(
    fc.oneof(
      fc.constantFrom(...terms),
      tags.map((t) => ({ tags: t })),
    ),
    { minLength: 1, maxLength: 3 },
  );
const ebs = mixed(
  fc.record(
    {
      volumeSize: fc.constantFrom('30Gi', '1Ti', '20G', '59000Gi'),
      volumeType: fc.constantFrom('gp3', 'gp3', 'gp2'),
      encrypted: fc.constant(true),
      kmsKeyID: word,
      deleteOnTermination: fc.boolean(),
    },
    { requiredKeys: ['volumeSize', 'encrypted'] },
  ),
);
const kubelet = fc
  .tuple(
    optional({
      clusterDNS: fc.constant(['10.0.0.10']),
      maxPods: fc.constantFrom<unknown>(110, 'instance.maxPods - 1'),
      kubeReserved: fc.constant<Json>({ cpu: '100m' }),
      evictionMaxPodGracePeriod: fc.nat(7200),
      cpuCFSQuota: fc.boolean(),
    }),
    fc.constantFrom(
      {},
      { evictionSoft: { 'memory.available': '5%' }, evictionSoftGracePeriod: { 'memory.available': '90s' } },
    ),
  )
  .map(([one, more]) => ({ ...one, ...more }));
const anyKubelet = fc
  .tuple(
    kubelet,
    optional({
      registryPullQPS: fc.nat(10),
      memorySwap: fc.constant({ swapBehavior: 'LimitedSwap', list: [1] }),
      allowedUnsafeSysctls: fc.constant(['net.core.somaxconn']),
    }),
  )
  .map(([one, more]) => ({ ...one, ...more }));
const image = fc.oneof(
  fc.record(
    {
      amiSelectorTerms: fc
        .constantFrom('bottlerocket@v1.40.0', 'al2@latest', 'windows2022@latest')
        .map((alias) => [{ alias }]),
      kubelet,
    },
    { requiredKeys: ['amiSelectorTerms'] },
  ),
  fc.record(
    {
      amiSelectorTerms: fc.constant([{ alias: 'al2023@latest' }]),
      kubelet: anyKubelet,
      amiFamily: fc.constantFrom('AL2023', 'Custom'),
    },
    { requiredKeys: ['amiSelectorTerms'] },
  ),
  fc.record({
    amiSelectorTerms: term(
      { id: 'ami-1' },
      { name: 'mine', owner: 'self' },
      { ssmParameter: '/a/b' },
      { name: 'x', tags: { a: 'b' } },
    ),
    amiFamily: fc.constantFrom('AL2023', 'Custom'),
  }),
);
const nodeClassSpec = mixed(
  fc
    .tuple(
      image,
      fc.constantFrom({ role: "node's" }, { instanceProfile: 'nodes' }),
      fc.record(
        {
          subnetSelectorTerms: term({ id: 'subnet-1' }),
          securityGroupSelectorTerms: term({ id: 'sg-1' }, { name: 'mine' }),
          capacityReservationSelectorTerms: fc.constantFrom(
            [{ id: 'cr-1' }],
            [{ instanceMatchCriteria: 'open', ownerID: '111122223333' }],
            [{ tags: { a: 'b' }, ownerID: '111122223333' }],
          ),
          placementGroupSelector: fc.constantFrom({ id: 'pg-0123456789abcdef0' }, { name: 'mine' }),
          blockDeviceMappings: fc.array(fc.record({ deviceName: fc.constant('/dev/xvda'), ebs }), { maxLength: 2 }),
          metadataOptions: optional({
            httpEndpoint: fc.constantFrom('enabled', 'disabled'),
            httpTokens: fc.constantFrom('required', 'optional'),
            httpProtocolIPv6: fc.constant('enabled'),
            httpPutResponseHopLimit: fc.integer({ min: 1, max: 3 }),
          }),
          instanceStorePolicy: fc.constant('RAID0'),
          tags,
          detailedMonitoring: fc.boolean(),
          associatePublicIPAddress: fc.boolean(),
          networkInterfaces: fc.constant([
            { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
            { networkCardIndex: 1, deviceIndex: 1 },
          ]),
          connectionTracking: optional({ tcpEstablishedTimeout: fc.constant(3600), udpTimeout: fc.constant(45) }),
          cpuOptions: fc.constantFrom({ nestedVirtualization: 'enabled' }, { nestedVirtualization: 'disabled' }),
          enclaveOptions: fc.record({ enabled: fc.boolean() }),
          userData: word,
          context: word,
        },
        { requiredKeys: ['subnetSelectorTerms', 'securityGroupSelectorTerms'] },
      ),
    )
    .map(([one, two, three]) => ({ ...one, ...two, ...three })),
);

const overlaySpec = mixed(
  fc
    .tuple(
      fc.record(
        {
          requirements: fc.array(fc.oneof(requirement as fc.Arbitrary<Json>, ofPool), { maxLength: 2 }),
          weight: fc.integer({ min: 1, max: 100 }),
        },
        { requiredKeys: ['requirements'] },
      ),
      fc.oneof(
        fc.record({ price: fc.constantFrom('1.5', '1.50', '0.3') }),
        fc.record({ priceAdjustment: fc.constantFrom('+10%', '-0.5', '-28%', '+2.0') }),
        fc.record({ capacity: fc.dictionary(fc.constant('example.com/x'), quantity) }),
      ),
    )
    .map(([one, two]) => ({ ...one, ...two })),
);
const bufferSpec = mixed(
  fc.oneof(
    fc.record(
      {
        scalableRef: fc.constantFrom(
          { apiGroup: 'apps', kind: 'Deployment', name: 'web' },
          { kind: 'StatefulSet', name: 'web' },
          { apiGroup: 'argoproj.io', kind: 'Rollout', name: 'web' },
        ),
        percentage: fc.integer({ min: 1, max: 100 }),
        provisioningStrategy: fc.constantFrom('buffer.x-k8s.io/active-capacity', 'example.com/other'),
      },
      { requiredKeys: ['scalableRef', 'percentage'] },
    ),
    fc.record(
      {
        podTemplateRef: fc.constant({ name: 'web' }),
        replicas: fc.integer({ min: 1, max: 3 }),
        limits: fc.dictionary(fc.constantFrom('cpu', 'memory', 'pods'), quantity),
      },
      { requiredKeys: ['podTemplateRef', 'replicas'] },
    ),
  ),
);

const object = (apiVersion: string, kind: string, spec: fc.Arbitrary<Json>) =>
  mixed(
    fc.record(
      { apiVersion: fc.constant(apiVersion), kind: fc.constant(kind), metadata, spec },
      { requiredKeys: ['apiVersion', 'kind', 'metadata', 'spec'] },
    ),
  );
const other = fc.record({
  apiVersion: fc.constant('v1'),
  kind: fc.constant('ConfigMap'),
  metadata,
  data: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  more: fc.jsonValue({ maxDepth: 3 }),
});

export const v1Objects: fc.Arbitrary<any[]> = fc.array(
  fc.oneof(
    object('karpenter.sh/v1', 'NodePool', nodePoolSpec),
    object('karpenter.k8s.aws/v1', 'EC2NodeClass', nodeClassSpec),
    object('karpenter.sh/v1alpha1', 'NodeOverlay', overlaySpec),
    object('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', bufferSpec),
    other as fc.Arbitrary<Json>,
  ),
  { minLength: 1, maxLength: 4 },
);
