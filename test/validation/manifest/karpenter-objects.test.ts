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

describe('a NodeOverlay', () => {
  const nodeOverlay = (spec: string) => `apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: { name: discount }\nspec:\n${spec}`;

  test('is read with all that it changes', () => {
    const { nodeOverlays, problems: found } = read(nodeOverlay(`  weight: 7
  requirements: [{ key: karpenter.k8s.aws/instance-cpu, operator: Gte, values: ["8"] }, { key: karpenter.sh/nodepool, operator: Exists }]
  priceAdjustment: "-10%"
  capacity: { a.com/x: 3, hugepages-2Mi: 1Gi }
`));
    expect(found).toEqual([]);
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
    expect([...capacity]).toEqual([['a.com/x', 3n], ['hugepages-2Mi', 2n ** 30n]]);
  });

  test('without weight, price and capacity is read as well', () => {
    expect(read(nodeOverlay('  requirements: []\n')).nodeOverlays[0].spec).toEqual({ name: 'discount', weight: 0, requirements: [], capacity: new Map() });
  });

  test.each([
    ['a price without quotes', '  requirements: []\n  price: 0.25\n', 'spec.price: must be a price in USD an hour'],
    ['a resource that instance types have', '  requirements: []\n  capacity: { cpu: 1 }\n', 'spec.capacity.cpu: must be an extended resource'],
    ['a resource that Karpenter for AWS refuses', '  requirements: []\n  capacity: { vpc.amazonaws.com/efa: 1 }\n', 'spec.capacity["vpc.amazonaws.com/efa"]: must not be'],
    ['an unknown field', '  requirements: []\n  prices: "1"\n', 'spec.prices: is no field of the API'],
  ])('with %s is not applied', (_, spec, problem) => {
    const model = read(nodeOverlay(spec));
    expect(problems(model)[0]).toContain(problem);
    expect(model.nodeOverlays[0].spec).toBeUndefined();
  });

  test('with a value that is known only at deployment is not applied, and nothing is wrong with it', () => {
    const model = read(nodeOverlay('  requirements: []\n  price: "${Token[TOKEN.3]}"\n'));
    expect(model).toMatchObject({ problems: [], nodeOverlays: [{ spec: undefined, tokens: ['spec.price'] }] });
  });
});

describe('a NodePool', () => {
  test('is read with all that decides what it launches', () => {
    const { nodePools, problems: found } = read(nodePool(`  weight: 7
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
`));
    expect(found).toEqual([]);
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
    expect([...limits].map(([name, amount]) => `${name} ${formatAmount(name, amount)}`)).toEqual(['cpu 1k', 'memory 1000Gi', 'nodes 3']);
  });

  test.each([
    ['no template', '  weight: 1\n', '4:1 KARP-100 spec.template: must be an object, got nothing'],
    ['an unknown operator', TEMPLATE.replace('[]', '[{ key: a, operator: Is, values: [b] }]'), 'requirements[0].operator: must be one of'],
    ['a limit that is no quantity', `${TEMPLATE}  limits: { cpu: "1O0m" }\n`, '6:13 KARP-100 spec.limits.cpu: must be a Kubernetes quantity, got "1O0m"'],
    ['a limit out of range', `${TEMPLATE}  limits: { memory: 1e400 }\n`, '6:13 KARP-100 spec.limits.memory: quantity out of range, got "1e400"'],
    ['a weight out of range', `${TEMPLATE}  weight: 101\n`, '6:3 KARP-100 spec.weight: must be an integer from 1 to 100, got 101'],
  ])('with %s is not judged', (_, spec, problem) => {
    const model = read(nodePool(spec));
    expect(problems(model)).toEqual([expect.stringContaining(problem)]);
    expect(model.nodePools[0].spec).toBeUndefined();
  });

  test.each([
    ['budget', `${TEMPLATE}  disruption: { consolidateAfter: 1m, budgets: [{ nodes: many }] }\n`, '6:51 KARP-100 spec.disruption.budgets[0].nodes'],
    ['expireAfter', TEMPLATE.replace('requirements', 'expireAfter: 30d, requirements'), 'spec.template.spec.expireAfter'],
    ['field that the API does not have', `${TEMPLATE}  ttlSecondsAfterEmpty: 30\n`, '6:3 KARP-100 spec.ttlSecondsAfterEmpty: is no field of the API'],
    ['field in the wrong place', TEMPLATE.replace('requirements', 'kubelet: { maxPods: 10 }, requirements'), 'spec.template.spec.kubelet: is no field of the API'],
  ])('with a bad %s is found, at its place', (_, spec, problem) => {
    expect(problems(read(nodePool(spec)))).toEqual([expect.stringContaining(problem)]);
  });

  test('with a bad budget can still be judged', () => {
    expect(read(nodePool(`${TEMPLATE}  disruption: { consolidateAfter: 1m, budgets: [{ nodes: many }] }\n`)).nodePools[0].spec).toBeDefined();
  });

  test('keeps a nodeClassRef as it is, for the rule that judges it', () => {
    const model = read(nodePool('  template: { spec: { nodeClassRef: { apiVersion: karpenter.k8s.aws/v1, name: main }, requirements: [] } }\n'));
    expect(model.nodePools[0].nodeClassRef).toEqual({ group: undefined, kind: undefined, name: 'main', apiVersion: 'karpenter.k8s.aws/v1' });
    expect(problems(model)).toEqual([]);
  });

  test('without a nodeClassRef launches from no class', () => {
    const model = read(nodePool('  template: { spec: { requirements: [] } }\n'));
    expect(model.nodePools[0]).toMatchObject({ nodeClassRef: undefined, spec: { nodeClass: '' } });
  });

  test.each([
    ['weight', `${TEMPLATE}  weight: -1.8881545897087503e+289\n`, 'spec.weight'],
    ['limit', `${TEMPLATE}  limits: { cpu: "\${Token[TOKEN.5]}" }\n`, 'spec.limits.cpu'],
    ['requirement', TEMPLATE.replace('[]', '[{ key: a, operator: In, values: ["${Token[x.1]}"] }]'), 'spec.template.spec.requirements[0].values[0]'],
  ])('with a token as its %s is not judged, and not found fault with', (_, spec, token) => {
    const model = read(nodePool(spec));
    expect(model.problems).toEqual([]);
    expect(model.nodePools[0]).toMatchObject({ spec: undefined, tokens: [token] });
  });

  test('with a token where it does not matter is judged', () => {
    const [pool] = read(nodePool(`${TEMPLATE}  disruption: { consolidateAfter: "\${Token[x.1]}" }\n`)).nodePools;
    expect(pool).toMatchObject({ tokens: [], spec: { name: 'default' } });
  });

  test.each([
    ['v1beta1', 'karpenter.sh/v1beta1', 'NodePool'],
    ['v1alpha5', 'karpenter.sh/v1alpha5', 'Provisioner'],
  ])('of %s is kept, and left to the rule on versions', (_, apiVersion, kind) => {
    const model = read(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: old }\n`);
    expect(model).toMatchObject({ objects: [{ apiVersion, kind, name: 'old' }], nodePools: [], problems: [] });
  });

  test.each([['{}', 'metadata.name: must be the name of the object, got nothing'], ['{ name: 3 }', 'metadata.name: must be a string, got 3'], ['[]', 'metadata: must be an object, got []']])('with metadata %s is refused', (metadata, message) => {
    const model = read(nodePool(TEMPLATE).replace('{ name: default }', metadata));
    expect(problems(model)).toEqual([expect.stringContaining(message)]);
    expect(model.nodePools).toEqual([]);
  });

  test('is told of names that no NodeClaim can be labelled with, its own and that of its class', () => {
    const found = problems(read(nodePool(TEMPLATE.replace('main', 'c'.repeat(64)), 'p'.repeat(64))));
    expect(found).toEqual([
      expect.stringContaining('KARP-100 metadata.name: must have at most 63 characters'),
      expect.stringContaining('KARP-100 spec.template.spec.nodeClassRef.name: must have at most 63 characters'),
    ]);
  });

  test('whose kind is in the wrong case is told so', () => {
    expect(problems(read(nodePool(TEMPLATE).replace('kind: NodePool', 'kind: Nodepool')))).toEqual(['2:1 KARP-100 kind: must be NodePool, got "Nodepool"; the object is not judged']);
  });

  test('written twice stays as it is written last', () => {
    const model = read([nodePool(`${TEMPLATE}  weight: 1\n`), nodePool(`${TEMPLATE}  weight: 2\n`)].join('---\n'));
    expect(model.nodePools.map(({ spec }) => spec!.weight)).toEqual([2]);
    expect(problems(model)).toEqual(['1:1 KARP-002 NodePool default is written again at input.yaml:8; that one replaces this one']);
  });

  test('has no namespace: one that is written tells no two of a name apart', () => {
    const model = read(`${nodePool(TEMPLATE).replace('default }', 'default, namespace: karpenter }')}---\n${nodePool(TEMPLATE)}`);
    expect(problems(model)).toEqual([expect.stringContaining('KARP-002 NodePool default is written again')]);
    expect(model.nodePools.map(({ object: { namespace } }) => namespace)).toEqual([undefined]);
  });
});

describe('what to write instead', () => {
  const remedies = (text: string) => read(text).problems.map(({ message, remedy }) => `${message}; ${remedy}`);
  const labelled = (value: string) => nodePool(TEMPLATE.replace('{ spec:', `{ metadata: { labels: { gpu: ${value} } }, spec:`));

  test.each(['true', '1'])('is the value in quotes, where %s would do as a text', (value) => {
    expect(remedies(labelled(value))).toEqual([`spec.template.metadata.labels.gpu: must be a label value, got ${value}; put the value in quotes`]);
  });

  test('is a text of the pattern, where quotes alone would not do', () => {
    expect(remedies(nodePool(`${TEMPLATE}  disruption: { consolidateAfter: 30 }\n`))[0]).toContain('; write for example 720h');
  });

  test('of limits in the form of a Provisioner is to move them up', () => {
    expect(remedies(nodePool(`${TEMPLATE}  limits: { resources: { cpu: 1000 } }\n`)))
      .toEqual(['spec.limits.resources: must be a Kubernetes quantity, got {"cpu":1000}; move what is in it to spec.limits']);
  });

  test('is the value of a placeholder only where its value is what is wrong', () => {
    expect(remedies(nodePool(TEMPLATE, '"${NAME}"'))[0]).toContain('; put the value in first, as Terraform or envsubst does');
    expect(remedies(nodePool(`${TEMPLATE}  wieght: "\${WEIGHT}"\n`))[0]).toContain('; write weight');
    expect(remedies(nodeClass('  instanceProfile: "${PROFILE}"\n').replace('role: node', 'role: "${ROLE}"'))[0]).toContain('; write one of the two: ');
  });
});

describe('an EC2NodeClass', () => {
  const facts = (fields: string) => read(nodeClass(fields)).nodeClasses[0].facts;

  test('takes its family from the alias', () => {
    expect(facts('')).toMatchObject({ name: 'main', amiFamily: 'Bottlerocket', blockDevices: undefined, instanceStoreRaid0: false, connectionTracking: false });
  });

  test.each([['al2@latest', 'AL2'], ['al2023@v20250101', 'AL2023'], ['windows2022@latest', 'Windows2022']])('of alias %s is of family %s', (alias, family) => {
    expect(read(nodeClass('').replace('bottlerocket@v1.20.0', alias)).nodeClasses[0].facts!.amiFamily).toBe(family);
  });

  test('keeps what decides what a node can allocate', () => {
    expect(facts(`  instanceStorePolicy: RAID0
  kubelet: { maxPods: 58, systemReserved: { cpu: 100m, memory: 1Gi }, evictionHard: { memory.available: "5%" } }
  blockDeviceMappings: [{ deviceName: /dev/xvdb, rootVolume: true, ebs: { volumeSize: 30Gi, volumeType: gp3, encrypted: true } }, { deviceName: /dev/sdf, ebs: { snapshotID: snap-0 } }]
  networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: interface }]
  cpuOptions: { nestedVirtualization: enabled }
  enclaveOptions: { enabled: true }
  connectionTracking: { udpTimeout: 30 }
`)).toEqual({
      name: 'main',
      amiFamily: 'Bottlerocket',
      instanceStoreRaid0: true,
      kubelet: {
        maxPods: 58,
        podsPerCore: undefined,
        kubeReserved: undefined,
        systemReserved: new Map([['cpu', 100n], ['memory', 1024n ** 3n]]),
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

  test('keeps expressions for settings of the kubelet, where the gate lets it have them', () => {
    const text = nodeClass('  kubelet: { maxPods: "max_pods + 1", kubeReserved: { cpu: vcpus * 10, memory: 1Gi } }\n');
    const [{ facts: judged }] = read(text, { featureGates: { NodeClassCEL: true } }).nodeClasses;
    const variables = { instanceType: 'm5.large', vcpus: 2, memoryMiB: 8192, defaultEnis: 3, ipsPerEni: 10, maxPods: 29 };
    const { kubeReserved, expressions } = judged!.kubelet!;
    expect([expressions!.maxPods!.valueFor(variables), expressions!.kubeReserved.get('cpu')!.valueFor(variables)]).toEqual([30, 20]);
    expect(kubeReserved).toEqual(new Map([['memory', 1024n ** 3n]]));
    expect(read(text).nodeClasses[0].facts).toBeUndefined();
  });

  test('with a token as its role is judged, and with one in its AMI alias it is not', () => {
    const text = nodeClass('').replace('role: node', 'role: "${Token[TOKEN.1]}"');
    expect(read(text)).toMatchObject({ problems: [], nodeClasses: [{ tokens: [], facts: { amiFamily: 'Bottlerocket' } }] });
    const unknown = nodeClass('').replace('bottlerocket@v1.20.0', '"${Token[TOKEN.1]}"');
    expect(read(unknown)).toMatchObject({ problems: [], nodeClasses: [{ tokens: ['spec.amiSelectorTerms[0].alias'], facts: undefined }] });
  });

  test('with a bad tag can be judged, and with a bad volume size it cannot', () => {
    expect(read(nodeClass('  tags: { karpenter.sh/nodepool: a }\n'))).toMatchObject({ problems: [{ rule: 'KARP-100' }], nodeClasses: [{ facts: { name: 'main' } }] });
    const sized = nodeClass('  blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { volumeSize: 30MB } }]\n');
    expect(read(sized)).toMatchObject({ problems: [{ rule: 'KARP-100', location: { line: 9 } }], nodeClasses: [{ facts: undefined }] });
  });
});

describe('a PodDisruptionBudget', () => {
  const pdb = (spec: string) => read(`apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: ${spec}\n`);

  test('is read with its selector and its amount', () => {
    expect(pdb('{ maxUnavailable: 50%, selector: { matchLabels: { app: web }, matchExpressions: [{ key: tier, operator: In, values: [a] }] } }').pdbs).toMatchObject([{
      namespace: 'shop',
      name: 'web',
      maxUnavailable: '50%',
      minAvailable: undefined,
      selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }] },
    }]);
    expect(pdb('{ minAvailable: 1 }').pdbs).toMatchObject([{ minAvailable: 1, selector: { matchLabels: {}, matchExpressions: [] } }]);
  });

  test.each([
    ['{ minAvailable: half }', 'spec.minAvailable: must be an integer or a percentage, got "half"'],
    ['{ minAvailable: "1" }', 'spec.minAvailable: must be an integer or a percentage, got "1"'],
    ['{ minAvailable: -1 }', 'spec.minAvailable: must be an integer of 0 or more, got -1'],
    ['{ minAvailable: 1, maxUnavailable: 1 }', 'spec: must not hold both minAvailable and maxUnavailable'],
    ['{ minAvailable: 150% }', 'spec.minAvailable: must be at most 100%, got "150%"'],
    ['{ maxUnavailable: 101% }', 'spec.maxUnavailable: must be at most 100%, got "101%"'],
    ['{ unhealthyPodEvictionPolicy: Always }', 'spec.unhealthyPodEvictionPolicy: must be one of IfHealthyBudget, AlwaysAllow, got "Always"'],
    ['{ selector: { matchExpressions: [{ key: a, operator: In }] } }', 'spec.selector.matchExpressions[0].values: must hold a value when the operator is In'],
    ['{ selector: { matchExpressions: [{ key: a, operator: Exists, values: [b] }] } }',
      'spec.selector.matchExpressions[0].values: must be empty when the operator is Exists, got ["b"]'],
  ])('with %s is refused', (spec, message) => {
    const model = pdb(spec);
    expect(problems(model)).toEqual([expect.stringContaining(message)]);
    expect(model.pdbs).toEqual([]);
  });
});

describe('other objects', () => {
  test('are kept and not judged', () => {
    const model = read('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { x: "${Token[y.1]}" }\n---\napiVersion: example.com/v1\nkind: Pod\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: a }\n');
    expect(model).toMatchObject({ objects: [{}, {}, {}], workloads: [], problems: [] });
  });

  test.each([['extensions/v1beta1', 'Deployment', 'apps/v1'], ['batch/v1beta1', 'CronJob', 'batch/v1'], ['policy/v1beta1', 'PodDisruptionBudget', 'policy/v1']])(
    'of the former version %s %s are told the present one', (apiVersion, kind, present) => {
      expect(problems(read(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`)))
        .toEqual([`1:1 KARP-100 apiVersion: must be ${present} for a ${kind}, got "${apiVersion}"; the object is not judged`]);
    });
});

describe('what the API server refuses', () => {
  test('is told with the words that it prints', () => {
    const [finding] = read('apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: { name: a }\nspec: { requirements: [], weight: 0 }\n').problems;
    expect(finding.evidence).toEqual({
      consequence: 'rejected', got: 0, apiServer: 'spec.weight: Invalid value: 0: spec.weight in body should be greater than or equal to 1',
    });
  });
});
