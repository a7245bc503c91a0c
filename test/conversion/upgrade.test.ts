import { betaNodeClass, betaNodePool, convert, join, nodeTemplate, provisioner } from './setup';
import { joinYaml, upgrade } from '../../src/conversion';
import { readTrees } from '../../src/validation';

const DEPLOYMENT = `# the web tier
apiVersion: apps/v1
kind: Deployment
metadata: {name: web,   labels: {app: "web"}} # as it is
spec:
    replicas:   2
`;

describe('objects that are not converted', () => {
  test.each([
    ['a Deployment', DEPLOYMENT],
    [
      'several documents, directives and markers',
      `%YAML 1.2\n---\n${DEPLOYMENT}...\n# between\n---\n${DEPLOYMENT}\n# the end\n`,
    ],
    ['a NodePool of v1', 'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: {x: &a 1, y: *a}\n'],
    ['Windows line breaks', DEPLOYMENT.replace(/\n/g, '\r\n')],
    ['only comments', '# nothing here\n'],
    ['JSON', `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod' }] })}\n`],
  ])('stay byte for byte the same: %s', (_, text) => {
    expect(convert(text)).toMatchObject({ text, notes: [] });
  });

  test('stay byte for byte the same next to a converted object, with the comments between them', () => {
    const { text } = convert(
      `${DEPLOYMENT}\n# the pool\n---\n# really\n${provisioner('providerRef: { name: default }')}# end of it\n---\n${DEPLOYMENT}`,
    );
    expect(text.startsWith(`${DEPLOYMENT}\n# the pool\n---\n# really\napiVersion: karpenter.sh/v1\n`)).toBe(true);
    expect(text.endsWith(`# end of it\n---\n${DEPLOYMENT}`)).toBe(true);
    expect(text.match(/# /g)).toHaveLength(7 + '# defaults that the v1alpha5 webhook added'.split('# ').length - 1);
  });

  test('get the new keys of labels, annotations and taints without other changes', () => {
    const old = `kind: Deployment # karpenter.sh/do-not-evict
spec:
  template:
    metadata: {annotations: {'karpenter.sh/do-not-evict': "true"}}
    spec:
      nodeSelector: {karpenter.sh/provisioner-name: default}   # pool
      topologySpreadConstraints: [{topologyKey: karpenter.sh/provisioner-name}]
      tolerations:
      - key: karpenter.sh/disruption
        value: disrupting
`;
    expect(convert(old).text).toBe(`kind: Deployment # karpenter.sh/do-not-evict
spec:
  template:
    metadata: {annotations: {'karpenter.sh/do-not-disrupt': "true"}}
    spec:
      nodeSelector: {karpenter.sh/nodepool: default}   # pool
      topologySpreadConstraints: [{topologyKey: karpenter.sh/nodepool}]
      tolerations:
      - key: karpenter.sh/disrupted
        value: ""
`);
  });

  test('get a todo note for a legacy key next to its successor or inside a string', () => {
    const { notes } = convert(
      'kind: A\nannotations: { karpenter.sh/do-not-evict: "true", karpenter.sh/do-not-disrupt: "true" }\ndata: "nodeSelector: { karpenter.sh/provisioner-name: a }"\n',
    );
    expect(notes).toEqual([
      'todo: karpenter.sh/do-not-evict has no effect in v1, and was not replaced: the same map has karpenter.sh/do-not-disrupt',
      'todo: karpenter.sh/provisioner-name has no effect in v1, and was not replaced: it is part of a longer string',
    ]);
  });
});

describe('comments', () => {
  test('move with their fields', () => {
    const { text } = convert(
      provisioner(`# above the reference
providerRef:
  # above the name
  name: default # beside the name
# above the time
ttlSecondsUntilExpired: 3600 # an hour
# above the taints
taints:
# above the first taint
- key: a
  effect: NoSchedule
# at the end
`),
    );
    expect(text).toContain(`spec:
  template:
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        # above the reference
        # above the name
        name: default # beside the name
`);
    expect(text).toContain('      # above the time\n      expireAfter: 1h # an hour\n');
    expect(text).toContain(
      '      # above the taints\n      taints:\n        # above the first taint\n        - key: a\n',
    );
    expect(text).toContain('  # at the end\n');
  });
});

describe('a duplicate key', () => {
  const twice = provisioner(
    'providerRef: { name: default }\nrequirements:\n- { key: kubernetes.io/os, operator: Exists }\nrequirements:\n- { key: kubernetes.io/arch, operator: Exists }',
  );

  test('keeps its last value; the other becomes a comment at its place', () => {
    const { text, objects } = convert(twice);
    expect(objects[0].spec.template.spec.requirements[0]).toEqual({ key: 'kubernetes.io/arch', operator: 'Exists' });
    expect(text).toMatch(
      /# duplicate key requirements: this value had no effect:\n +# requirements:\n +# +- key: kubernetes\.io\/os/,
    );
  });

  test('is reported with its line and object, also in objects that are not converted', () => {
    const { notes } = upgrade([
      { path: 'a.yaml', text: join(twice, 'kind: Pod\nmetadata: { name: p }\nspec: {}\nspec: {}\n') },
    ]);
    expect(notes.filter(({ message }) => message.includes('twice'))).toMatchObject([
      { kind: 'todo', subject: 'Provisioner/default', location: { file: 'a.yaml', line: 9 } },
      { kind: 'todo', subject: 'Pod/p', location: { file: 'a.yaml', line: 15 } },
    ]);
  });
});

describe('NodeClaims', () => {
  test('inherit expireAfter of their NodePool', () => {
    const claim =
      'apiVersion: karpenter.sh/v1beta1\nkind: NodeClaim\nmetadata: { name: c, labels: { karpenter.sh/nodepool: default } }\nspec: { nodeClassRef: { name: default } }\n';
    const pool = betaNodePool(
      'template: { spec: { nodeClassRef: { name: default }, requirements: [] } }\ndisruption: { expireAfter: 48h }\n',
    );
    expect(convert(join(claim, pool)).objects[0].spec.expireAfter).toBe('48h');
  });

  test('replace Machines', () => {
    const machine =
      'apiVersion: karpenter.sh/v1alpha5\nkind: Machine\nmetadata: { name: m, labels: { karpenter.sh/provisioner-name: default } }\nspec: { machineTemplateRef: { name: default } }\n';
    expect(convert(machine).objects).toMatchObject([
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodeClaim',
        metadata: { labels: { 'karpenter.sh/nodepool': 'default' } },
        spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } },
      },
    ]);
  });
});

test('converts a kind that had one API version only, whatever version it states', () => {
  expect(convert(nodeTemplate().replace('v1alpha1', 'v1beta1')).objects[0].apiVersion).toBe('karpenter.k8s.aws/v1');
});

test('keeps the line breaks of the file', () => {
  expect(convert(nodeTemplate().replace(/\n/g, '\r\n')).text).not.toMatch(/[^\r]\n/);
});

describe('lists', () => {
  test('of one kind become plain lists with the converted items', () => {
    const list = {
      apiVersion: 'karpenter.sh/v1alpha5',
      kind: 'ProvisionerList',
      items: [{ metadata: { name: 'a' }, spec: { providerRef: { name: 'x' } } }],
    };
    expect(convert(JSON.stringify(list)).objects).toMatchObject([
      {
        apiVersion: 'v1',
        kind: 'List',
        items: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'a' } }],
      },
    ]);
  });

  test('keep the items that are not converted', () => {
    const items = [
      { kind: 'Pod' },
      {
        apiVersion: 'karpenter.sh/v1beta1',
        kind: 'NodeClaim',
        metadata: { name: 'c' },
        spec: { nodeClassRef: { name: 'x' } },
      },
    ];
    expect(convert(JSON.stringify({ apiVersion: 'v1', kind: 'List', items })).objects[0].items).toMatchObject([
      { kind: 'Pod' },
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodeClaim',
        spec: { nodeClassRef: { group: 'karpenter.k8s.aws', name: 'x' }, requirements: [] },
      },
    ]);
  });
});

test('expands aliases and merge keys', () => {
  const { objects } = convert(
    betaNodePool(`template:
  spec:
    nodeClassRef: { name: default }
    taints: &taints [{ key: a, effect: NoSchedule }]
    startupTaints: *taints
    requirements: [{ <<: { key: a, operator: In }, operator: Exists }]`),
  );
  expect(objects[0].spec.template.spec).toMatchObject({
    startupTaints: [{ key: 'a', effect: 'NoSchedule' }],
    requirements: [{ key: 'a', operator: 'Exists' }],
  });
});

test('quotes strings that kubectl would read as booleans or numbers', () => {
  const written = betaNodePool(`template:
  metadata:
    labels: { "on": "no", "y": !!str off, n: "1" }
    annotations: { "1_0": "0o17", 0144: "~", '0145': 'y' }
  spec:
    nodeClassRef: { name: default }
    requirements: []`);
  const [{ value }] = readTrees(convert(written).text, []);
  const { template } = (value as any).spec;
  expect(template.metadata).toEqual({
    labels: { on: 'no', y: 'off', false: '1' },
    annotations: { '1_0': '0o17', '100': '~', '0145': 'y' },
  });
});

test('reports two objects that are converted to the same name', () => {
  expect(convert(join(nodeTemplate(), betaNodeClass())).notes).toContain(
    'todo: the result has another EC2NodeClass default; keep one of them',
  );
});

test('keeps and reports files that cannot be read, and converts the others', () => {
  const broken = 'a: [\n---\n';
  const { files, unreadable } = upgrade([
    { path: 'a.yaml', text: 'a: "x\n' },
    { path: 'b.yaml', text: provisioner('providerRef: { name: a }') },
    { path: 'c.yaml', text: broken },
  ]);
  expect(unreadable).toMatchObject([
    { location: { file: 'a.yaml' }, message: expect.stringMatching(/^invalid YAML/) },
    { location: { file: 'c.yaml' } },
  ]);
  expect(files[0].text).toBe('a: "x\n');
  expect(files[1].text).toMatch(/kind: NodePool/);
});

test('joinYaml joins files as YAML documents', () => {
  const file = (text: string) => ({ path: 'x', text });
  expect(joinYaml([file('a: 1'), file(''), file('b: 2\n'), file('---\nc: 3\n')])).toBe('a: 1\n---\nb: 2\n---\nc: 3\n');
});
