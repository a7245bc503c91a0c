import { programOf, synthesise } from './program';
import { writeTypeScript } from '../../../src/conversion';
import { join } from '../setup';

const NODE_CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  amiSelectorTerms: [{ alias: al2023@v20250915 }]
  role: nodes
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: main } }]
  securityGroupSelectorTerms: [{ id: sg-0123456789abcdef0 }]
  metadataOptions: { httpEndpoint: enabled, httpProtocolIPv6: disabled, httpPutResponseHopLimit: 1, httpTokens: required }
`;
const pool = (fields = '', name = 'web') => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements: []
${fields}`;

/** The statements in the constructor of the program's chart. */
function bodyOf(yaml: string): string {
  const program = programOf(yaml);
  return program
    .slice(program.indexOf('super(scope, id);\n\n') + 'super(scope, id);\n\n'.length, program.indexOf('\n  }\n}'))
    .replace(/^ {4}/gm, '');
}

test('writes a chart and an app, with the imports that they use', () => {
  expect(
    programOf(join(pool('  weight: 5\n  limits: { cpu: "10", memory: 2Gi, example.com/x: "1" }\n'), NODE_CLASS)),
  ).toBe(`import { App, Chart, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes } from 'karpenter-constructs';

export class KarpenterChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    const defaultEC2NodeClass = new nodes.EC2NodeClass(this, 'DefaultEC2NodeClass', {
      metadata: { name: 'default' },
      amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
      identity: nodes.NodeIdentity.role('nodes'),
      subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag('main')],
      securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byId('sg-0123456789abcdef0')],
      metadataOptions: {
        httpEndpointEnabled: true,
        httpProtocolIpv6Enabled: false,
        httpPutResponseHopLimit: 1,
        httpTokensRequired: true,
      },
    });

    new nodes.NodePool(this, 'WebNodePool', {
      metadata: { name: 'web' },
      nodeClass: defaultEC2NodeClass,
      requirements: [],
      limits: { cpu: 10, memory: Size.gibibytes(2), other: { 'example.com/x': '1' } },
      weight: 5,
    });
  }
}

const app = new App();
new KarpenterChart(app, 'karpenter');
app.synth();
`);
});

describe('references', () => {
  test('import an EC2NodeClass that is not in the input by its name', () => {
    expect(bodyOf(pool())).toContain(
      "const importedDefaultEC2NodeClass = nodes.EC2NodeClass.fromEC2NodeClassName(\n  this,\n  'ImportedDefaultEC2NodeClass',\n  'default',\n);\n",
    );
  });

  test('from overlays and buffers use the variables of pools and workloads', () => {
    const overlay =
      'apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: { name: o }\nspec: { requirements: [{ key: karpenter.sh/nodepool, operator: In, values: [web] }], price: "0.5" }\n';
    const buffer =
      'apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: { name: b }\nspec: { scalableRef: { apiGroup: apps, kind: Deployment, name: web }, percentage: 20 }\n';
    const body = bodyOf(
      join(overlay, buffer, NODE_CLASS, pool(), 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n'),
    );
    expect(body).toContain('requirements: [nodes.Requirement.nodePool().in(webNodePool)],');
    expect(body).toContain('pods: nodes.BufferedPods.of(webDeployment),');
    expect(body.indexOf('const webNodePool =')).toBeLessThan(body.indexOf('new nodes.NodeOverlay('));
  });
});

describe('a manifest that its construct', () => {
  test('writes differently gets JSON patches', () => {
    const body = bodyOf(
      join(NODE_CLASS.replace(/ {2}metadataOptions.*\n/, '  brandNew: { a: 1 }\n'), pool('      expireAfter: 90s\n')),
    );
    expect(body).toContain(
      "defaultEC2NodeClass.addJsonPatch(\n  JsonPatch.remove('/spec/metadataOptions'),\n  JsonPatch.add('/spec/brandNew', { a: 1 }),\n);\n",
    );
    expect(body).toContain(
      "expireAfter: nodes.Expiration.after(Duration.seconds(90)),\n});\n// Differences between the manifest and the construct.\nwebNodePool.addJsonPatch(JsonPatch.replace('/spec/template/spec/expireAfter', '90s'));",
    );
  });

  test('writes with a quantity as text instead of a number gets no JSON patch', () => {
    const body = bodyOf(pool('  limits: { cpu: 1000, memory: 100Gi, example.com/x: 4 }\n'));
    expect(body).toContain("limits: { cpu: 1000, memory: Size.gibibytes(100), other: { 'example.com/x': '4' } },");
    expect(body).not.toContain('addJsonPatch');
  });

  test('cannot be given, because two fields exclude each other, becomes an ApiObject', () => {
    const body = bodyOf(NODE_CLASS.replace('  role: nodes\n', '  role: nodes\n  instanceProfile: nodes\n'));
    expect(body).toMatch(
      /^\/\/ ApiObject because the construct rejects the manifest: .*two fields exclude each other\nnew ApiObject\(/,
    );
  });

  test('rejects becomes an ApiObject, with the reason', () => {
    const body = bodyOf(pool('  weight: 500\n'));
    expect(body).toMatch(
      /^\/\/ ApiObject because the construct rejects the manifest: spec\.weight: must be an integer from 1 to 100, got 500; write an integer from 1 to 100\nnew ApiObject\(this, 'WebNodePool', \{/,
    );
  });
});

describe('comments', () => {
  test('are written at the properties of their fields, otherwise at the construct', () => {
    const body = bodyOf(
      `# the pool\n${pool('      # an hour\n      expireAfter: 1h # or so\n      taints:\n        # first\n        - { key: a, effect: NoSchedule }\n  # the weight\n  weight: 3\n# at the end\n')}`.replace(
        'spec:\n',
        'spec: # all of it\n',
      ),
    );
    expect(body).toContain('// the pool\n// at the end\n// all of it\nnew nodes.NodePool(');
    expect(body).toContain(
      "  taints: [\n    // first\n    { key: 'a', effect: nodes.TaintEffect.NO_SCHEDULE },\n  ],\n",
    );
    expect(body).toContain('  // an hour\n  // or so\n  expireAfter: nodes.Expiration.after(Duration.hours(1)),\n');
    expect(body).toContain('  // the weight\n  weight: 3,\n');
  });
});

test('keeps an object that no program can reproduce as a comment, and reports its location', () => {
  const { text, omitted: omitted } = writeTypeScript([
    { path: 'a.yaml', text: '\n# why\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n__proto__: 1\n' },
  ]);
  expect(text).toContain(
    '    // why\n    // This program cannot create: {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"__proto__":1}\n',
  );
  expect(omitted).toEqual([{ file: 'a.yaml', line: 3, column: 1 }]);
});

test('writes comments that belong to no object at the end of the chart', () => {
  const list =
    '# the list\napiVersion: v1\nkind: List\nitems:\n# the first\n- apiVersion: v1\n  kind: ConfigMap # one\n  metadata: { name: a }\n---\n# nothing\n---\n# the end\n';
  const body = bodyOf(list);
  expect(body).toMatch(
    /^\/\/ the list\n\/\/ the first\nnew ApiObject\(this, 'AConfigMap', \{\n {2}apiVersion: 'v1',\n {2}\/\/ one\n {2}kind: 'ConfigMap',\n/,
  );
  expect(body).toMatch(/\n\n\/\/ nothing\n\/\/ the end$/);
});

test('splits comments at the line terminators of TypeScript', () => {
  expect(bodyOf('# one\u2028two\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n')).toMatch(
    /^\/\/ one\n\/\/ two\nnew ApiObject/,
  );
});

test('writes numbers as kubectl reads them', () => {
  const [{ data }] = synthesise(
    programOf('apiVersion: v1\nkind: X\nmetadata: { name: a }\ndata: [0144, 1e1, 0x10, 08]\n'),
  );
  expect(data).toEqual([100, 10, 16, 8]);
});

test('writes the items of a list as separate objects', () => {
  const list = {
    apiVersion: 'v1',
    kind: 'ConfigMapList',
    items: [{ metadata: { name: 'a' }, data: { x: 'y' } }, { metadata: { name: 'b' } }],
  };
  expect(synthesise(programOf(JSON.stringify(list)))).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'y' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
  ]);
});

test('gives two objects with one name different ids', () => {
  expect(bodyOf(join(pool(), pool()))).toMatch(/this, 'WebNodePool', [\s\S]*this, 'WebNodePool2', /);
});
