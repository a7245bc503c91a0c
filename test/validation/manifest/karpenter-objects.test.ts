import { problems, read } from './manifests';
import { formatAmount } from '../../../src/model';

function nodePool(spec: string, name = 'default'): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
${spec}`;
}

const REF = 'nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }';
const TEMPLATE = `  template: { spec: { ${REF}, requirements: [] } }\n`;

function nodeClass(fields: string): string {
  return `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: main }
spec:
  role: node
  amiSelectorTerms: [{ alias: bottlerocket@v1.20.0 }]
  subnetSelectorTerms: [{ tags: { a: b } }]
  securityGroupSelectorTerms: [{ tags: { a: b } }]
${fields}`;
}

describe('readNodeOverlay', () => {
  const nodeOverlay = (spec: string) =>
    `apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: { name: discount }\nspec:\n${spec}`;

  test('reads every field', () => {
    const { nodeOverlays, problems: findings } = read(
      nodeOverlay(`  weight: 7
  requirements: [{ key: karpenter.k8s.aws/instance-cpu, operator: Gte, values: ["8"] }, { key: karpenter.sh/nodepool, operator: Exists }]
  priceAdjustment: "-10%"
  capacity: { a.com/x: 3, hugepages-2Mi: 1Gi }
`),
    );
    expect(findings).toEqual([]);
    const { capacity, ...spec } = nodeOverlays[0].spec!;
    expect(spec).toEqual({
      name: 'discount',
      weight: 7,
      requirements: [
        { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gte', values: ['8'] },
        { key: 'karpenter.sh/nodepool', operator: 'Exists', values: [] },
      ],
      priceChange: '-10%',
    });
    expect([...capacity]).toEqual([
      ['a.com/x', 3n],
      ['hugepages-2Mi', 2n ** 30n],
    ]);
  });

  test('reads an overlay without weight, price and capacity', () => {
    expect(read(nodeOverlay('  requirements: []\n')).nodeOverlays[0].spec).toEqual({
      name: 'discount',
      weight: 0,
      requirements: [],
      capacity: new Map(),
    });
  });

  test.each([
    ['a price without quotes', '  requirements: []\n  price: 0.25\n', 'spec.price: must be a price in USD per hour'],
    [
      'a resource that instance types have',
      '  requirements: []\n  capacity: { cpu: 1 }\n',
      'spec.capacity.cpu: must be an extended resource',
    ],
    [
      'a resource that Karpenter for AWS rejects',
      '  requirements: []\n  capacity: { vpc.amazonaws.com/efa: 1 }\n',
      'spec.capacity["vpc.amazonaws.com/efa"]: must not be',
    ],
    ['an unknown field', '  requirements: []\n  prices: "1"\n', 'spec.prices: is no field of the API'],
  ])('rejects %s', (_, spec, problem) => {
    const model = read(nodeOverlay(spec));
    expect(problems(model)[0]).toContain(problem);
    expect(model.nodeOverlays[0].spec).toBeUndefined();
  });

  test('does not apply an overlay with a token, and reports no problem', () => {
    const model = read(nodeOverlay('  requirements: []\n  price: "${Token[TOKEN.3]}"\n'));
    expect(model).toMatchObject({ problems: [], nodeOverlays: [{ spec: undefined, tokens: ['spec.price'] }] });
  });
});

describe('readNodePool', () => {
  test('reads the fields that decide what the pool launches', () => {
    const { nodePools, problems: findings } = read(
      nodePool(`  weight: 7
  limits: { cpu: 1000, memory: 1000Gi, nodes: 3 }
  template:
    metadata: { labels: { team: a } }
    spec:
      ${REF}
      requirements:
      - { key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["3"], minValues: 2 }
      - { key: kubernetes.io/arch, operator: Exists }
      taints: [{ key: dedicated, value: web, effect: NoSchedule }]
      startupTaints: [{ key: boot, effect: NoExecute }]
`),
    );
    expect(findings).toEqual([]);
    const { limits, ...spec } = nodePools[0].spec!;
    expect(spec).toEqual({
      name: 'default',
      weight: 7,
      nodeClass: 'main',
      labels: { team: 'a' },
      requirements: [
        { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['3'], minValues: 2 },
        { key: 'kubernetes.io/arch', operator: 'Exists', values: [], minValues: undefined },
      ],
      taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
    });
    expect([...limits].map(([name, amount]) => `${name} ${formatAmount(name, amount)}`)).toEqual([
      'cpu 1k',
      'memory 1000Gi',
      'nodes 3',
    ]);
  });

  test.each([
    ['no template', '  weight: 1\n', '4:1 KARP-100 spec.template: must be an object, got nothing'],
    [
      'an unknown operator',
      TEMPLATE.replace('[]', '[{ key: a, operator: Is, values: [b] }]'),
      'requirements[0].operator: must be one of',
    ],
    [
      'a limit that is not a quantity',
      `${TEMPLATE}  limits: { cpu: "1O0m" }\n`,
      '6:13 KARP-100 spec.limits.cpu: must be a Kubernetes quantity, got "1O0m"',
    ],
    [
      'a limit out of range',
      `${TEMPLATE}  limits: { memory: 1e400 }\n`,
      '6:13 KARP-100 spec.limits.memory: quantity out of range, got "1e400"',
    ],
    [
      'a weight out of range',
      `${TEMPLATE}  weight: 101\n`,
      '6:3 KARP-100 spec.weight: must be an integer from 1 to 100, got 101',
    ],
  ])('rejects %s', (_, spec, problem) => {
    const model = read(nodePool(spec));
    expect(problems(model)).toEqual([expect.stringContaining(problem)]);
    expect(model.nodePools[0].spec).toBeUndefined();
  });

  test.each([
    [
      'budget',
      `${TEMPLATE}  disruption: { consolidateAfter: 1m, budgets: [{ nodes: many }] }\n`,
      '6:51 KARP-100 spec.disruption.budgets[0].nodes',
    ],
    [
      'expireAfter',
      TEMPLATE.replace('requirements', 'expireAfter: 30d, requirements'),
      'spec.template.spec.expireAfter',
    ],
    [
      'field that the API does not have',
      `${TEMPLATE}  ttlSecondsAfterEmpty: 30\n`,
      '6:3 KARP-100 spec.ttlSecondsAfterEmpty: is no field of the API',
    ],
    [
      'field in the wrong place',
      TEMPLATE.replace('requirements', 'kubelet: { maxPods: 10 }, requirements'),
      'spec.template.spec.kubelet: is no field of the API',
    ],
  ])('reports a bad %s at its position', (_, spec, problem) => {
    expect(problems(read(nodePool(spec)))).toEqual([expect.stringContaining(problem)]);
  });

  test('judges a pool with a bad budget', () => {
    expect(
      read(nodePool(`${TEMPLATE}  disruption: { consolidateAfter: 1m, budgets: [{ nodes: many }] }\n`)).nodePools[0]
        .spec,
    ).toBeDefined();
  });

  test('leaves the nodeClassRef to its rule', () => {
    const model = read(
      nodePool(
        '  template: { spec: { nodeClassRef: { apiVersion: karpenter.k8s.aws/v1, name: main }, requirements: [] } }\n',
      ),
    );
    expect(model.nodePools[0].nodeClassRef).toEqual({
      group: undefined,
      kind: undefined,
      name: 'main',
      apiVersion: 'karpenter.k8s.aws/v1',
    });
    expect(problems(model)).toEqual([]);
  });

  test('reads an empty node class without a nodeClassRef', () => {
    const model = read(nodePool('  template: { spec: { requirements: [] } }\n'));
    expect(model.nodePools[0]).toMatchObject({ nodeClassRef: undefined, spec: { nodeClass: '' } });
  });

  test.each([
    ['weight', `${TEMPLATE}  weight: -1.8881545897087503e+289\n`, 'spec.weight'],
    ['limit', `${TEMPLATE}  limits: { cpu: "\${Token[TOKEN.5]}" }\n`, 'spec.limits.cpu'],
    [
      'requirement',
      TEMPLATE.replace('[]', '[{ key: a, operator: In, values: ["${Token[x.1]}"] }]'),
      'spec.template.spec.requirements[0].values[0]',
    ],
  ])('does not judge a pool with a token as its %s, and reports no problem', (_, spec, token) => {
    const model = read(nodePool(spec));
    expect(model.problems).toEqual([]);
    expect(model.nodePools[0]).toMatchObject({ spec: undefined, tokens: [token] });
  });

  test('judges a pool with a token in a field that does not affect launches', () => {
    const [pool] = read(nodePool(`${TEMPLATE}  disruption: { consolidateAfter: "\${Token[x.1]}" }\n`)).nodePools;
    expect(pool).toMatchObject({ tokens: [], spec: { name: 'default' } });
  });

  test.each([
    ['v1beta1', 'karpenter.sh/v1beta1', 'NodePool'],
    ['v1alpha5', 'karpenter.sh/v1alpha5', 'Provisioner'],
  ])('leaves the API version %s to the rule on versions', (_, apiVersion, kind) => {
    const model = read(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: old }\n`);
    expect(model).toMatchObject({ objects: [{ apiVersion, kind, name: 'old' }], nodePools: [], problems: [] });
  });

  test.each([
    ['{}', 'metadata.name: must be the name of the object, got nothing'],
    ['{ name: 3 }', 'metadata.name: must be a string, got 3'],
    ['[]', 'metadata: must be an object, got []'],
  ])('rejects metadata %s', (metadata, message) => {
    const model = read(nodePool(TEMPLATE).replace('{ name: default }', metadata));
    expect(problems(model)).toEqual([expect.stringContaining(message)]);
    expect(model.nodePools).toEqual([]);
  });

  test('rejects names that are too long for a label value', () => {
    const findings = problems(read(nodePool(TEMPLATE.replace('main', 'c'.repeat(64)), 'p'.repeat(64))));
    expect(findings).toEqual([
      expect.stringContaining('KARP-100 metadata.name: must have at most 63 characters'),
      expect.stringContaining('KARP-100 spec.template.spec.nodeClassRef.name: must have at most 63 characters'),
    ]);
  });

  test('reports a kind in the wrong case', () => {
    expect(problems(read(nodePool(TEMPLATE).replace('kind: NodePool', 'kind: Nodepool')))).toEqual([
      '2:1 KARP-100 kind: must be NodePool, got "Nodepool"; the object is not checked',
    ]);
  });

  test('uses the last one of two NodePools with one name', () => {
    const model = read([nodePool(`${TEMPLATE}  weight: 1\n`), nodePool(`${TEMPLATE}  weight: 2\n`)].join('---\n'));
    expect(model.nodePools.map(({ spec }) => spec!.weight)).toEqual([2]);
    expect(problems(model)).toEqual(['1:1 KARP-002 duplicate NodePool default: the one at input.yaml:8 replaces it']);
  });

  test('gives a copy in one file the name that it has inside', () => {
    const pool = (name: string, className: string, labels = '') =>
      `${nodePool(`  template: { metadata: { labels: { ${labels} } }, spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: ${className} }, requirements: [] } }\n`).replace('name: default', `name: ${name}`)}`;
    const model = read([pool('main', 'default'), pool('main', 'edge', 'pool: edge')].join('---\n'));
    expect(model.nodePools.map(({ object: { name } }) => name)).toEqual(['main', 'edge']);
    expect(model.problems).toMatchObject([
      {
        rule: 'KARP-002',
        severity: 'error',
        subject: { name: 'edge' },
        remedy: 'write name: edge',
        fix: { safe: false },
      },
    ]);
    const labelled = read([pool('main', 'default'), pool('main', 'default', 'team/pool: gpu')].join('---\n'));
    expect(labelled.nodePools.map(({ object: { name } }) => name)).toEqual(['main', 'gpu']);
    const same = read([pool('main', 'edge', 'pool: edge'), pool('main', 'edge', 'pool: edge')].join('---\n'));
    expect(same.problems.map(({ remedy }) => remedy)).toEqual(['remove or rename one of the two']);
  });

  test('ignores the namespace of a NodePool', () => {
    const model = read(
      `${nodePool(TEMPLATE).replace('default }', 'default, namespace: karpenter }')}---\n${nodePool(TEMPLATE)}`,
    );
    expect(problems(model)).toEqual([expect.stringContaining('KARP-002 duplicate NodePool default')]);
    expect(model.nodePools.map(({ object: { namespace } }) => namespace)).toEqual([undefined]);
  });
});

describe('remedies', () => {
  const messagesWithRemedies = (text: string) =>
    read(text).problems.map(({ message, remedy }) => `${message}; ${remedy}`);
  const labelled = (value: string) =>
    nodePool(TEMPLATE.replace('{ spec:', `{ metadata: { labels: { gpu: ${value} } }, spec:`));

  test.each(['true', '1'])('put the value %s in quotes if that is valid', (value) => {
    expect(messagesWithRemedies(labelled(value))).toEqual([
      `spec.template.metadata.labels.gpu: must be a label value, got ${value}; put the value in quotes`,
    ]);
  });

  test('show an example if quotes are not enough', () => {
    const after = (value: string) =>
      messagesWithRemedies(nodePool(`${TEMPLATE}  disruption: { consolidateAfter: ${value} }\n`))[0];
    expect(after('soon')).toContain('; write for example 720h');
    expect(after('30')).toContain('; write 30s or 30m');
  });

  test.each([
    [`${TEMPLATE}  replicas: 2\n  weight: 5\n`, 'remove weight'],
    [
      TEMPLATE.replace('requirements: []', 'requirements: [{ key: karpenter.sh/nodepool, operator: Exists }]'),
      'remove requirements[0]',
    ],
  ])('remove what is superfluous, as an edit that a user looks at first: %j', (spec, title) => {
    expect(read(nodePool(spec)).problems.map(({ fix }) => [fix?.title, fix?.safe])).toEqual([[title, false]]);
  });

  test('move limits in the form of a Provisioner', () => {
    expect(messagesWithRemedies(nodePool(`${TEMPLATE}  limits: { resources: { cpu: 1000 } }\n`))).toEqual([
      'spec.limits.resources: must be a Kubernetes quantity, got {"cpu":1000}; move its entries to spec.limits',
    ]);
  });
});

describe('readNodeClass', () => {
  const facts = (fields: string) => read(nodeClass(fields)).nodeClasses[0].facts;

  test('takes the AMI family from the alias', () => {
    expect(facts('')).toMatchObject({
      name: 'main',
      amiFamily: 'Bottlerocket',
      blockDevices: undefined,
      instanceStoreRaid0: false,
      connectionTracking: false,
    });
  });

  test.each([
    ['al2@latest', 'AL2'],
    ['al2023@v20250101', 'AL2023'],
    ['windows2022@latest', 'Windows2022'],
  ])('reads the alias %s as family %s', (alias, family) => {
    expect(read(nodeClass('').replace('bottlerocket@v1.20.0', alias)).nodeClasses[0].facts!.amiFamily).toBe(family);
  });

  test('reads the fields that decide what a node can allocate', () => {
    expect(
      facts(`  instanceStorePolicy: RAID0
  kubelet: { maxPods: 58, systemReserved: { cpu: 100m, memory: 1Gi }, evictionHard: { memory.available: "5%" } }
  blockDeviceMappings: [{ deviceName: /dev/xvdb, rootVolume: true, ebs: { volumeSize: 30Gi, volumeType: gp3, encrypted: true } }, { deviceName: /dev/sdf, ebs: { snapshotID: snap-0 } }]
  networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: interface }]
  cpuOptions: { nestedVirtualization: enabled }
  enclaveOptions: { enabled: true }
  connectionTracking: { udpTimeout: 30 }
`),
    ).toEqual({
      name: 'main',
      amiFamily: 'Bottlerocket',
      instanceStoreRaid0: true,
      kubelet: {
        maxPods: 58,
        podsPerCore: undefined,
        kubeReserved: undefined,
        systemReserved: new Map([
          ['cpu', 100n],
          ['memory', 1000n * 1024n ** 3n],
        ]),
        evictionHard: { 'memory.available': '5%' },
      },
      blockDevices: [
        { deviceName: '/dev/xvdb', rootVolume: true, volumeSizeBytes: 30n * 1024n ** 3n },
        { deviceName: '/dev/sdf', rootVolume: false, volumeSizeBytes: undefined },
      ],
      networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }],
      nestedVirtualization: true,
      nitroEnclaves: true,
      connectionTracking: true,
    });
  });

  test('reads kubelet expressions only with the feature gate', () => {
    const text = nodeClass('  kubelet: { maxPods: "max_pods + 1", kubeReserved: { cpu: vcpus * 10, memory: 1Gi } }\n');
    const [{ facts: gatedFacts }] = read(text, { featureGates: { NodeClassCEL: true } }).nodeClasses;
    const variables = {
      instanceType: 'm5.large',
      vcpus: 2,
      memoryMiB: 8192,
      defaultEnis: 3,
      ipsPerEni: 10,
      maxPods: 29,
    };
    const { kubeReserved, expressions } = gatedFacts!.kubelet!;
    expect([
      expressions!.maxPods!.valueFor(variables),
      expressions!.kubeReserved.get('cpu')!.valueFor(variables),
    ]).toEqual([30, 20]);
    expect(kubeReserved).toEqual(new Map([['memory', 1000n * 1024n ** 3n]]));
    expect(read(text).nodeClasses[0].facts).toBeUndefined();
  });

  test('judges a class with a token as its role, but not with one in its AMI alias', () => {
    const text = nodeClass('').replace('role: node', 'role: "${Token[TOKEN.1]}"');
    expect(read(text)).toMatchObject({
      problems: [],
      nodeClasses: [{ tokens: [], facts: { amiFamily: 'Bottlerocket' } }],
    });
    const unresolved = nodeClass('').replace('bottlerocket@v1.20.0', '"${Token[TOKEN.1]}"');
    expect(read(unresolved)).toMatchObject({
      problems: [],
      nodeClasses: [{ tokens: ['spec.amiSelectorTerms[0].alias'], facts: undefined }],
    });
  });

  test('judges a class with a bad tag, but not with a bad volume size', () => {
    expect(read(nodeClass('  tags: { karpenter.sh/nodepool: a }\n'))).toMatchObject({
      problems: [{ rule: 'KARP-100' }],
      nodeClasses: [{ facts: { name: 'main' } }],
    });
    const sized = nodeClass('  blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { volumeSize: 30MB } }]\n');
    expect(read(sized)).toMatchObject({
      problems: [{ rule: 'KARP-100', location: { line: 9 } }],
      nodeClasses: [{ facts: undefined }],
    });
  });
});

describe('readPdb', () => {
  const pdb = (spec: string) =>
    read(`apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: ${spec}\n`);

  test('reads the selector and the amounts', () => {
    expect(
      pdb(
        '{ maxUnavailable: 50%, selector: { matchLabels: { app: web }, matchExpressions: [{ key: tier, operator: In, values: [a] }] } }',
      ).pdbs,
    ).toMatchObject([
      {
        namespace: 'shop',
        name: 'web',
        maxUnavailable: '50%',
        minAvailable: undefined,
        selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }] },
      },
    ]);
    expect(pdb('{ minAvailable: 1 }').pdbs).toMatchObject([
      { minAvailable: 1, selector: { matchLabels: {}, matchExpressions: [] } },
    ]);
  });

  test.each([
    ['{ minAvailable: half }', 'spec.minAvailable: must be an integer or a percentage, got "half"'],
    ['{ minAvailable: "1" }', 'spec.minAvailable: must be an integer or a percentage, got "1" (a string)'],
    ['{ minAvailable: 0.5 }', 'spec.minAvailable: must be an integer or a percentage, got 0.5'],
    ['{ minAvailable: -1 }', 'spec.minAvailable: must be an integer of 0 or more, got -1'],
    ['{ minAvailable: 1, maxUnavailable: 1 }', 'spec.minAvailable: must not be set beside maxUnavailable, got 1'],
    ['{ minAvailable: 150% }', 'spec.minAvailable: must be at most 100%, got "150%"'],
    ['{ maxUnavailable: 101% }', 'spec.maxUnavailable: must be at most 100%, got "101%"'],
    [
      '{ unhealthyPodEvictionPolicy: Always }',
      'spec.unhealthyPodEvictionPolicy: must be one of IfHealthyBudget or AlwaysAllow, got "Always"',
    ],
    [
      '{ selector: { matchExpressions: [{ key: a, operator: In }] } }',
      'spec.selector.matchExpressions[0].values: must not be empty with the operator In',
    ],
    [
      '{ selector: { matchExpressions: [{ key: a, operator: Exists, values: [b] }] } }',
      'spec.selector.matchExpressions[0].values: must be empty with the operator Exists, got ["b"]',
    ],
  ])('rejects %s', (spec, message) => {
    const model = pdb(spec);
    expect(problems(model)).toEqual([expect.stringContaining(message)]);
    expect(model.pdbs).toEqual([]);
  });
});

describe('other objects', () => {
  test('are kept without being judged', () => {
    const model = read(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { x: "${Token[y.1]}" }\n---\napiVersion: example.com/v1\nkind: Pod\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: a }\nspec: { maxReplicas: 2 }\n',
    );
    expect(model).toMatchObject({ objects: [{}, {}, {}], workloads: [], problems: [] });
  });

  test.each([
    ['extensions/v1beta1', 'Deployment', 'apps/v1'],
    ['batch/v1beta1', 'CronJob', 'batch/v1'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'policy/v1'],
  ])('of the old version %s %s are reported with the current version', (apiVersion, kind, current) => {
    expect(problems(read(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`))).toEqual([
      `1:1 KARP-100 apiVersion: must be ${current} for a ${kind}, got "${apiVersion}"; the object is not checked`,
    ]);
  });
});

describe('findings of rejected fields', () => {
  test('contain the message of the API server', () => {
    const [finding] = read(
      'apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: { name: a }\nspec: { requirements: [], weight: 0 }\n',
    ).problems;
    expect(finding.evidence).toEqual({
      consequence: 'rejected',
      got: 0,
      apiServer: 'spec.weight: Invalid value: 0: spec.weight in body should be greater than or equal to 1',
    });
  });
});

test('judges values apart that JSON does not tell from each other', () => {
  const weights = ['null', '.nan', '.inf'].map((weight) => nodePool(`  weight: ${weight}\n${TEMPLATE}`));
  const [nothing, nan, infinity] = weights.map((text) => read(text).problems.map(({ message }) => message));
  expect([nan.length, infinity.length]).toEqual([1, 1]);
  expect(nothing).not.toEqual(nan);
  expect(nan).not.toEqual(infinity);
  expect(read(weights[0]).problems.map(({ message }) => message)).toEqual(nothing);
});
