import { check, CheckOptions, explain, simulateScenario } from '../../../src/validation';

const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: KarpenterNodeRole
  amiSelectorTerms: [{ alias: al2023@v20250501 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
`;

interface PoolFields {
  readonly nodeClass?: string;
  readonly category?: string;
  readonly zones?: string;
  readonly labels?: string;
  readonly taint?: string;
  readonly limits?: string;
}

function pool(
  name: string,
  { nodeClass = 'default', category = 'c, m, r', zones, labels = '', taint, limits = 'cpu: 100' }: PoolFields = {},
): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  limits: { ${limits} }
  template:
    metadata: { labels: { ${labels} } }
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: ${nodeClass} }
      requirements:
      - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
      - { key: karpenter.k8s.aws/instance-category, operator: In, values: [${category}] }
      - { key: kubernetes.io/arch, operator: In, values: [amd64] }
${zones === undefined ? '' : `      - { key: topology.kubernetes.io/zone, operator: In, values: [${zones}] }\n`}${taint === undefined ? '' : `      taints: [${taint}]\n`}`;
}

function web(podFields = '', resources = 'cpu: 100m, memory: 128Mi', name = 'web', replicas = 3): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
${podFields === '' ? '' : `      ${podFields}\n`}      containers: [{ name: main, image: i, resources: { requests: { ${resources} }, limits: { ${resources} } } }]
`;
}

const sources = (documents: readonly string[]) => [{ path: 'a.yaml', text: documents.join('---\n') }];

/** Errors, and everything about pods without a node. */
function errors(documents: readonly string[], options: CheckOptions = {}) {
  const { findings } = check(sources(documents), options);
  return findings
    .filter(({ rule, severity }) => severity === 'error' || /^KARP-(1|2|3)/.test(rule))
    .map(({ rule, subject, message, remedy }) => ({
      rule,
      subject: `${subject.kind} ${subject.name}`,
      message,
      remedy,
    }));
}

/** The remedy in the verdict and in the explanation, which are the same. */
function remedies(documents: readonly string[], pod: string): Array<string | null | undefined> {
  const { unschedulable } = check(sources(documents));
  const { placements } = explain(sources(documents), [pod]);
  return [unschedulable.find((verdict) => verdict.pod === pod)?.smallestChange, placements[0].smallestChange];
}

test('a value that a template puts in quotes says where they come from', () => {
  const text = pool('cpu').replace('  limits:', '  weight: "10"\n  limits:');
  const { findings } = check([{ path: 'chart/templates/pools.yaml (helm template)', text }]);
  expect(findings.filter(({ rule }) => rule === 'KARP-100')).toMatchObject([
    { remedy: 'write 10 without quotes: the template adds them, for example with | quote' },
  ]);
});

test('CPUs in a unit of memory are the only finding about pods that are too large for it', () => {
  const documents = [CLASS, pool('cpu'), pool('gpu', { category: 'g, p' }), web('', 'cpu: 2Gi, memory: 1Gi')];
  expect(errors(documents)).toMatchObject([
    {
      rule: 'KARP-100',
      subject: 'Deployment web',
      message: expect.stringContaining('3 pods of Deployment shop/web wait for it'),
      remedy: 'write cpu: 2',
    },
    { rule: 'KARP-100', message: expect.stringContaining('resources.limits.cpu') },
  ]);
});

describe('a NodePool that is not ready', () => {
  const pinned = [
    CLASS,
    pool('cpu', { nodeClass: 'missing' }),
    pool('gpu', { category: 'g, p' }),
    web('nodeSelector: { karpenter.sh/nodepool: cpu }'),
  ];

  test('is the only finding about the pods that select it, and counts them', () => {
    const other = web('nodeSelector: { karpenter.sh/nodepool: cpu }', 'cpu: 1, memory: 1Gi', 'big', 2);
    expect(errors([...pinned, other])).toEqual([
      {
        rule: 'KARP-103',
        subject: 'NodePool cpu',
        message: expect.stringMatching(
          /the NodePool stays NotReady and launches no nodes; 5 pods of 2 workloads wait for it$/,
        ),
        remedy: 'refer to default, or add the manifest of EC2NodeClass missing to the input',
      },
    ]);
  });

  test('is what the pods wait for, in the verdict and in the explanation, and no other NodePool is advised', () => {
    const fix = 'refer to default, or add the manifest of EC2NodeClass missing to the input';
    expect(remedies(pinned, 'shop/web-0')).toEqual([fix, fix]);
    expect(check(sources(pinned)).unschedulable[0]).toMatchObject({
      cause: { kind: 'NodePool', name: 'cpu', nodePool: 'cpu', why: 'its EC2NodeClass missing is not in the input' },
      reasons: [
        { nodePool: 'cpu', message: 'the NodePool launches no nodes: its EC2NodeClass missing is not in the input' },
        { nodePool: 'gpu' },
      ],
    });
  });

  test('and its taint are what pods with a device of it have to be changed for, and not another NodePool', () => {
    const gpu = 'cpu: 1, memory: 1Gi, nvidia.com/gpu: 1';
    const documents = [
      CLASS,
      pool('cpu'),
      pool('gpu', { nodeClass: 'defualt', category: 'g', taint: '{ key: nvidia.com/gpu, effect: NoSchedule }' }),
      web('', gpu, 'infer', 1),
    ];
    expect(errors(documents)).toMatchObject([
      {
        rule: 'KARP-103',
        remedy: 'write name: default, or add the manifest of EC2NodeClass defualt to the input',
      },
      {
        rule: 'KARP-211',
        remedy:
          'fix NodePool gpu, which launches no nodes because its EC2NodeClass defualt is not in the input, and tolerate nvidia.com/gpu:NoSchedule',
      },
    ]);
  });

  test('because of a misspelt value has the only finding about pods that fit with the value that was meant', () => {
    const types = '- { key: karpenter.k8s.aws/instance-size, operator: In, values: [xlarge] }';
    const gpu = pool('gpu', { category: 'g', limits: 'cpu: 64' }).replace(
      '- { key: kubernetes.io/arch',
      `- { key: karpenter.k8s.aws/instance-gpu-name, operator: In, values: [A10G, L4] }\n      ${types}\n      - { key: kubernetes.io/arch`,
    );
    const selecting = 'nodeSelector: { karpenter.k8s.aws/instance-gpu-name: a10g }';
    const device = 'cpu: 3, memory: 10Gi, nvidia.com/gpu: 1';
    const documents = [CLASS, gpu, web('', device, 'infer', 3), web(selecting, device, 'embed', 2)];
    expect(errors(documents)).toMatchObject([{ rule: 'KARP-251', subject: 'NodePool gpu' }]);
  });

  test('has a finding that counts the pods if the API server rejects the NodePool', () => {
    const rejected = pinned.map((document) =>
      document.replace('name: missing }', 'name: default }').replace(/(operator: )In(, values: \[c, m, r\])/, '$1Is$2'),
    );
    expect(errors(rejected)).toMatchObject([
      {
        rule: 'KARP-100',
        subject: 'NodePool cpu',
        message: expect.stringContaining('; 3 pods of Deployment shop/web wait for it'),
      },
    ]);
  });

  test('has the only finding if it is rejected, and alone says in which region the cluster is', () => {
    const rejected = pool('cpu', { zones: 'eu-west-1a, eu-west-1b', limits: 'memory: 1600GB' });
    expect(
      errors([CLASS, rejected, pool('gpu', { category: 'g, p', taint: '{ key: gpu, effect: NoSchedule }' }), web()]),
    ).toMatchObject([
      { rule: 'KARP-100', message: expect.stringContaining('; 3 pods of Deployment shop/web wait for it') },
      { rule: 'KARP-211', subject: 'NodePool gpu' },
    ]);
  });

  test('counts its pods if Karpenter ignores it because of the kind of its class', () => {
    const ignored = pool('cpu').replace('kind: EC2NodeClass', 'kind: NodeClass');
    expect(errors([CLASS, ignored, web()])).toMatchObject([
      { rule: 'KARP-103', message: expect.stringContaining('; 3 pods of Deployment shop/web wait for it') },
    ]);
    expect(check(sources([CLASS, ignored, web()])).summary.asWritten).toMatchObject({ scheduledPods: 0 });
  });

  test('has the only finding if the effect of its taint is misspelt', () => {
    const gpu = pool('gpu', { category: 'g', taint: '{ key: nvidia.com/gpu, effect: NoSchdule }' });
    const tolerating = web(
      'tolerations: [{ key: nvidia.com/gpu, operator: Exists, effect: NoSchedule }]',
      'cpu: 1, memory: 1Gi, nvidia.com/gpu: 1',
      'infer',
      1,
    );
    expect(errors([CLASS, pool('cpu'), gpu, tolerating])).toMatchObject([
      { rule: 'KARP-100', message: expect.stringContaining('; 1 pod of Deployment shop/infer waits for it') },
    ]);
  });

  test('has a finding that counts the pods if Karpenter rejects its class', () => {
    const badClass = CLASS.replace('name: default', 'name: missing').replace('al2023@v20250501', 'al2024@latest');
    expect(errors([badClass, ...pinned])).toMatchObject([
      {
        rule: 'KARP-100',
        subject: 'EC2NodeClass missing',
        message: expect.stringContaining('3 pods of Deployment shop/web wait for it'),
      },
    ]);
  });

  test('is one reason among others for pods that would not fit on it either', () => {
    const large = [
      ...pinned.slice(0, 3),
      web('nodeSelector: { karpenter.sh/nodepool: cpu }', 'cpu: 90, memory: 4Gi', 'web', 2),
    ];
    expect(errors(large)).toMatchObject([
      { rule: 'KARP-103' },
      {
        rule: 'KARP-213',
        message: expect.stringContaining(
          'NodePool cpu: the NodePool launches no nodes: its EC2NodeClass missing is not in the input',
        ),
        remedy: expect.stringMatching(
          /^fix NodePool cpu, which launches no nodes because .*, and raise limits\.cpu of NodePool cpu from 100 to \d+$/,
        ),
      },
    ]);
  });
});

describe('limits of a NodePool below each of its instance types', () => {
  const tooLow = pool('cpu', { limits: 'cpu: "0.5"' });
  const one = web('', 'cpu: 3, memory: 1Gi');
  const two = web('', 'cpu: 1500m, memory: 1Gi', 'api', 2);

  test('are the only finding about the pods, with the limit that was tried for them', () => {
    expect(errors([CLASS, tooLow, one])).toEqual([
      {
        rule: 'KARP-310',
        subject: 'NodePool cpu',
        message: expect.stringMatching(/it launches no nodes; .*; 3 pods of Deployment shop\/web wait for it$/),
        remedy: 'raise limits.cpu of NodePool cpu from 500m to 12',
      },
    ]);
    expect(remedies([CLASS, tooLow, one], 'shop/web-0')).toEqual(
      Array(2).fill('raise limits.cpu of NodePool cpu from 500m to 12'),
    );
  });

  test('are tried for all waiting workloads together', () => {
    const [{ remedy, message }, ...others] = errors([CLASS, tooLow, one, two]);
    expect(others).toEqual([]);
    expect(message).toMatch(/5 pods of 2 workloads wait for it$/);
    expect(remedies([CLASS, tooLow, one, two], 'shop/api-1')).toEqual([remedy, remedy]);
    const limit = / to (\S+)$/.exec(remedy)![1];
    expect(check(sources([CLASS, pool('cpu', { limits: `cpu: ${limit}` }), one, two])).unschedulable).toEqual([]);
  });
});

test('pods that wait for a finding have its remedy, in the lists and in the explanation', () => {
  const agent = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: logging }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: main, image: i, resources: { requests: { cpu: "5000", memory: 64Mi } } }] }
`;
  const documents = [CLASS, pool('general'), web(), web('', 'cpu: 300m, memory: 128Mi', 'api'), agent];
  const { findings, unschedulable } = check(sources(documents));
  const [{ rule, remedy }] = findings.filter(({ severity }) => severity === 'error');
  expect(rule).toBe('KARP-302');
  const finding = { rule, kind: 'DaemonSet', namespace: 'logging', name: 'agent' };
  const expected = { smallestChange: remedy, changesTried: 0, finding };
  expect(unschedulable).toHaveLength(6);
  for (const entry of unschedulable) expect(entry).toMatchObject(expected);
  expect(explain(sources(documents), ['shop/api']).placements).toMatchObject([expected]);
});

describe('a PersistentVolumeClaim that the API server refuses', () => {
  test('counts the pods that mount it', () => {
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data, namespace: shop }\nspec: { accessModes: [ReadWriteOnce] }\n';
    expect(
      errors([CLASS, pool('cpu'), claim, web('volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]')]),
    ).toEqual([
      {
        rule: 'KARP-100',
        subject: 'PersistentVolumeClaim data',
        message:
          'spec.resources.requests.storage: must be set: the API server refuses the claim with "spec.resources[storage]: Required value"; 3 pods of Deployment shop/web wait for it',
        remedy: 'write a size, for example 10Gi',
      },
    ]);
  });
});

describe('a pod that only tainted NodePools could hold', () => {
  const taint = '{ key: nvidia.com/gpu, value: "true", effect: NoSchedule }';

  test.each([
    ['cpu: 100', 1],
    ['nvidia.com/gpu: 8', 1],
    ['nvidia.com/gpu: 8', 4],
  ])('needs the toleration, with limit %s and %s pods', (limits, replicas) => {
    const documents = [
      CLASS,
      pool('cpu'),
      pool('gpu', { category: 'g, p', taint, limits }),
      web('', 'cpu: 1, memory: 1Gi, nvidia.com/gpu: 1', 'train', replicas),
    ];
    expect(errors(documents)).toEqual([
      {
        rule: 'KARP-211',
        subject: 'Deployment train',
        message: expect.stringContaining(
          'the only NodePool that has instance types with the resources that they request (NodePool gpu has nvidia.com/gpu=true:NoSchedule)',
        ),
        remedy:
          'tolerate nvidia.com/gpu=true:NoSchedule: add the toleration {key: nvidia.com/gpu, operator: Equal, value: "true", effect: NoSchedule}',
      },
    ]);
    expect(remedies(documents, 'shop/train-0')).toEqual([
      'tolerate nvidia.com/gpu=true:NoSchedule',
      'tolerate nvidia.com/gpu=true:NoSchedule',
    ]);
  });
});

test.each([
  [
    'al2023@v20250501',
    'apiVersion: node.eks.aws/v1alpha1\n    kind: NodeConfig\n    spec: { kubelet: { flags: ["--node-labels=team=a,disk=nvme"] } }',
  ],
  ['bottlerocket@v1.42.0', '[settings.kubernetes.node-labels]\n    "disk" = "nvme"'],
])('a label that only user data of %s sets is to be declared by the NodePool of its class', (alias, userData) => {
  const scratch = CLASS.replace('name: default', 'name: scratch').replace('al2023@v20250501', alias);
  const documents = [
    CLASS,
    `${scratch}  userData: |\n    ${userData}\n`,
    pool('cpu'),
    pool('scratch', { nodeClass: 'scratch', taint: '{ key: scratch, effect: NoSchedule }' }),
    web('nodeSelector: { disk: nvme }\n      tolerations: [{ key: scratch, operator: Exists }]'),
  ];
  const [finding] = check(sources(documents)).findings.filter(({ rule }) => rule === 'KARP-106');
  expect(finding.remedy).toBe(
    'add the label disk=nvme to spec.template.metadata.labels of NodePool scratch: the user data of EC2NodeClass scratch sets it, and Karpenter does not read user data',
  );
  expect(finding.fix?.edits).toHaveLength(1);
});

test('a misspelt label gets the nearest label of a NodePool as remedy', () => {
  const documents = [
    CLASS,
    pool('gold', { labels: 'saas.example/tier: gold' }),
    pool('free', { labels: 'saas.example/tier: free' }),
    web('nodeSelector: { saas.example/teir: gold }'),
  ];
  expect(errors(documents)).toMatchObject([
    {
      rule: 'KARP-106',
      message: expect.stringContaining('did you mean saas.example/tier?'),
      remedy: 'select nodes by saas.example/tier instead of saas.example/teir',
    },
  ]);
});

describe('a pod that several constraints of a NodePool refuse', () => {
  const strict = pool('cpu', {
    labels: 'tier: gold',
    taint: '{ key: team, value: shop, effect: NoSchedule }',
    limits: 'cpu: 0',
  });
  const documents = [CLASS, strict, web('nodeSelector: { tier: glod }')];

  test('lists each of them, and one joint change', () => {
    const [, finding] = errors(documents);
    expect(finding.message).toContain('the pod does not tolerate team=shop:NoSchedule');
    expect(finding.message).toContain('limits.cpu has 0 of 0 left');
    expect(finding.message).toContain('the pod requires tier In [glod], and the NodePool allows In [gold]');
    expect(finding.remedy).toBe(
      'tolerate team=shop:NoSchedule, and raise limits.cpu of NodePool cpu from 0 to 1, and select nodes with tier gold instead of glod',
    );
    expect(remedies(documents, 'shop/web-0')).toEqual([finding.remedy, finding.remedy]);
  });
});

describe('a zone that the cluster cannot have', () => {
  const spread =
    'topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, minDomains: 3, labelSelector: { matchLabels: { app: web } } }]';

  test('is the finding if it is in another region, and the pods wait for it', () => {
    expect(errors([CLASS, pool('cpu', { zones: 'eu-central-1d' }), web(spread)], { region: 'eu-west-1' })).toEqual([
      {
        rule: 'KARP-216',
        subject: 'NodePool cpu',
        message:
          'requires eu-central-1d, which is in eu-central-1, and the cluster is in eu-west-1: the NodePool launches no nodes; 3 pods of Deployment shop/web wait for it',
        remedy: 'write eu-west-1a, eu-west-1b or eu-west-1c instead of eu-central-1d',
      },
    ]);
  });

  test.each([
    [
      'eu-wst-1a',
      'requires eu-wst-1a, which does not exist (AWS has no region eu-wst-1): the NodePool launches no nodes',
      'write eu-west-1a instead of eu-wst-1a',
    ],
    [
      'eu-west-1x',
      'requires eu-west-1x, which does not exist (eu-west-1 has eu-west-1a, eu-west-1b and eu-west-1c): the NodePool launches no nodes',
      'write eu-west-1a, eu-west-1b or eu-west-1c instead of eu-west-1x',
    ],
    [
      'eu-west-1',
      'requires eu-west-1, which is not the name of a zone: the NodePool launches no nodes',
      'write eu-west-1a, eu-west-1b or eu-west-1c instead of eu-west-1',
    ],
  ])('is the finding if it is misspelt: %s', (zone, message, remedy) => {
    expect(errors([CLASS, pool('cpu', { zones: zone }), web()])).toEqual([
      {
        rule: 'KARP-216',
        subject: 'NodePool cpu',
        message: `${message}; 3 pods of Deployment shop/web wait for it`,
        remedy,
      },
    ]);
  });

  test('is an error beside zones that exist', () => {
    expect(errors([CLASS, pool('cpu', { zones: 'eu-wst-1a, eu-west-1b' }), web()])).toMatchObject([
      {
        rule: 'KARP-216',
        message:
          'requires eu-wst-1a, which does not exist (AWS has no region eu-wst-1): the NodePool launches no nodes there',
      },
    ]);
  });

  test('is the finding of the pods that require it', () => {
    const [finding, ...others] = errors(
      [CLASS, pool('cpu'), web('nodeSelector: { topology.kubernetes.io/zone: eu-wst-1a }')],
      { region: 'eu-west-1' },
    );
    const remedy = 'select nodes with zone eu-west-1a instead of eu-wst-1a';
    expect(finding).toEqual({
      rule: 'KARP-216',
      subject: 'Deployment web',
      message:
        'its pods require eu-wst-1a, which does not exist (AWS has no region eu-wst-1): no node can be there, so they stay Pending',
      remedy,
    });
    expect(others).toEqual([]);
  });

  test('may be a zone that the options name', () => {
    expect(errors([CLASS, pool('cpu', { zones: 'eu-west-1d' }), web()], { zones: ['eu-west-1d'] })).toEqual([]);
  });
});

describe('NodePools in two regions', () => {
  const documents = [CLASS, pool('a', { zones: 'eu-west-1a' }), pool('b', { zones: 'us-east-1a' }), web()];

  test('have an error that names both, and the other rules apply', () => {
    const verdict = check(sources(documents));
    expect(verdict.findings.filter(({ rule }) => rule === 'KARP-216')).toMatchObject([
      {
        subject: { name: 'b' },
        message:
          'requires us-east-1a, which is in us-east-1, and the other manifests are for eu-west-1: the NodePool launches no nodes; ' +
          'a cluster is in one region, and NodePool a names eu-west-1: in us-east-1, that NodePool could never launch',
        remedy:
          'write eu-west-1a, eu-west-1b or eu-west-1c instead of us-east-1a, or, if the cluster is in us-east-1, pass --region and change the other NodePools',
      },
    ]);
    expect(verdict.summary).toMatchObject({ pods: 3, scheduledPods: 3 });
    expect(verdict.findings.map(({ rule }) => rule)).toContain('KARP-402');
    expect(verdict.assumptions.join()).not.toContain('known only at deployment');
  });

  test.each<[string, readonly string[], CheckOptions]>([
    ['the option', [], { region: 'us-east-1' }],
    [
      'an eksctl ClusterConfig',
      ['apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: demo, region: us-east-1 }\n'],
      {},
    ],
  ])('are decided by %s', (_, more, options) => {
    expect(errors([...documents, ...more], options)).toMatchObject([{ rule: 'KARP-216', subject: 'NodePool a' }]);
  });
});

describe('pods that cannot be evaluated', () => {
  test('are an error without a NodePool', () => {
    expect(check(sources([web()])).findings).toContainEqual(
      expect.objectContaining({ rule: 'KARP-003', severity: 'error' }),
    );
  });

  test('are an error if the values of the only NodePool are unknown', () => {
    const unknown = pool('cpu', { zones: '"${Token[TOKEN.1]}"' }).replace(
      'topology.kubernetes.io/zone',
      'karpenter.k8s.aws/instance-family',
    );
    expect(check(sources([CLASS, unknown, web()])).findings).toContainEqual(
      expect.objectContaining({
        rule: 'KARP-004',
        severity: 'error',
        message: expect.stringMatching(
          /^none of the 3 pods is evaluated, so nothing is known about them: NodePool cpu, /,
        ),
      }),
    );
  });

  test('are an error that names what the caller could pass', () => {
    const byZoneId = pool('cpu', { zones: 'use1-az1' }).replace(
      'topology.kubernetes.io/zone',
      'topology.k8s.aws/zone-id',
    );
    expect(check(sources([CLASS, byZoneId, web()])).findings).toContainEqual(
      expect.objectContaining({
        rule: 'KARP-004',
        message: expect.stringMatching(
          /NodePool cpu, because the zone of each zone ID that it selects \(pass --zones /,
        ),
      }),
    );
  });

  test('are a warning if EKS Auto Mode launches the nodes, because no input helps', () => {
    const auto = pool('cpu').replace(
      'group: karpenter.k8s.aws, kind: EC2NodeClass',
      'group: eks.amazonaws.com, kind: NodeClass',
    );
    expect(check(sources([auto, web()])).findings).toContainEqual(
      expect.objectContaining({
        rule: 'KARP-004',
        severity: 'warning',
        message:
          'none of the 3 pods is evaluated, so nothing is known about them: EKS Auto Mode launches the nodes of NodePool cpu, and their instance types are unknown',
        remedy:
          'read the other findings: they do not depend on nodes; to plan pods, pass a NodePool with an EC2NodeClass',
      }),
    );
  });

  test.each([
    ['there are none', [CLASS, pool('cpu')]],
    [
      'one of them is evaluated',
      [CLASS, pool('cpu'), web(), web('nodeSelector: { topology.k8s.aws/zone-id: use1-az1 }', undefined, 'other')],
    ],
    ['they run on nodes that Karpenter does not launch', [web('nodeSelector: { eks.amazonaws.com/nodegroup: main }')]],
    ['an error about a NodePool is the cause', [CLASS, pool('cpu').replace('operator: In', 'operator: Is'), web()]],
  ])('are no error of their own if %s', (_, documents) => {
    expect(check(sources(documents)).findings.map(({ rule }) => rule)).not.toContain('KARP-004');
  });
});

test('objects of ACK and Crossplane that look like those of Karpenter are ignored', () => {
  const others = [
    'apiVersion: eks.services.k8s.aws/v1alpha1\nkind: NodePool\nmetadata: { name: cpu }\nspec: { limits: { cpu: no } }\n',
    'apiVersion: eks.services.k8s.aws/v1alpha1\nkind: Nodegroup\nmetadata: { name: system }\nspec: { amiType: AL2_x86_64 }\n',
    'apiVersion: container.gcp.crossplane.io/v1beta1\nkind: NodePool\nmetadata: { name: cpu }\nspec: { forProvider: { initialNodeCount: 1 } }\n',
    'apiVersion: eks.aws.upbound.io/v1beta1\nkind: NodeGroup\nmetadata: { name: system }\nspec: { forProvider: { amiType: AL2_x86_64 } }\n',
  ];
  const own = [CLASS, pool('cpu'), web()];
  const [alone, together] = [check(sources(own)), check(sources([...own, ...others]))];
  expect(together.findings).toEqual(alone.findings);
  expect(together.assumptions).toEqual(alone.assumptions);
});

test('a class that is not in the input is an assumption of explanations and scenarios, too', () => {
  const documents = [pool('cpu'), web()];
  const assumption =
    'EC2NodeClass default is not in the input: it is assumed to be a stock AL2023 class, with a root volume that is large enough and no kubelet settings';
  expect(explain(sources(documents), ['web']).assumptions).toEqual([assumption]);
  expect(simulateScenario(sources(documents), 'drift').assumptions).toContain(assumption);
  expect(simulateScenario(sources(documents), 'peak').assumptions).toContain(assumption);
});

describe('a class that Karpenter rejects, if there is no other', () => {
  const documents = [CLASS.replace('al2023@v20250501', 'al2032@latest'), pool('cpu'), web()];

  test('has a finding that counts the pods', () => {
    expect(errors(documents)).toMatchObject([
      {
        rule: 'KARP-100',
        subject: 'EC2NodeClass default',
        message: expect.stringMatching(/; 3 pods of Deployment shop\/web wait for it$/),
      },
    ]);
  });

  test('is in the explanation, with what to write instead', () => {
    expect(explain(sources(documents), ['web']).notEvaluated).toContainEqual(
      expect.stringMatching(/^EC2NodeClass default: .*, got "al2032@latest"; write for example al2023@/),
    );
  });
});

test('a volume in a zone that no NodePool allows gets that zone as remedy', () => {
  const affinity =
    '{ required: { nodeSelectorTerms: [{ matchExpressions: [{ key: topology.kubernetes.io/zone, operator: In, values: [us-east-1c] }] }] } }';
  const storage = 'storageClassName: gp3, accessModes: [ReadWriteOnce]';
  const volume = `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: pv }\nspec: { ${storage}, csi: { driver: ebs.csi.aws.com }, nodeAffinity: ${affinity} }\n`;
  const claim = `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data, namespace: shop }\nspec: { ${storage}, volumeName: pv, resources: { requests: { storage: 1Gi } } }\n`;
  const documents = [
    CLASS,
    pool('cpu', { zones: 'us-east-1a, us-east-1b' }),
    volume,
    claim,
    web('volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]', undefined, 'web', 1),
  ];
  expect(remedies(documents, 'shop/web-0')).toEqual(
    Array(2).fill('allow zone us-east-1c in NodePool cpu (the nodes of the plan then cost $0.0440/h)'),
  );
});

test('replicas beyond two limits get both limits as remedy, with which all pods fit', () => {
  const many = (limits: string) => [CLASS, pool('cpu', { limits }), web('', 'cpu: 500m, memory: 1Gi', 'web', 60)];
  const [remedy, explained] = remedies(many('cpu: 10, memory: 40Gi'), 'shop/web-59');
  expect(explained).toBe(remedy);
  const [cpu, memory] = ['cpu', 'memory'].map(
    (resource) => new RegExp(`limits\\.${resource} of NodePool cpu from \\S+ to (\\w+)`).exec(remedy!)![1],
  );
  expect(check(sources(many(`cpu: ${cpu}, memory: ${memory}`))).unschedulable).toEqual([]);
});
