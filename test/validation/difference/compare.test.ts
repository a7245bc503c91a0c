import { compare, Difference, renderDifferenceJson, SourceFile } from '../../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../setup';

const POOL = nodePool(['m5.large', 'm5.xlarge']);
const WEB = deployment('web', 4, SMALL);
const file = (path: string, ...documents: string[]): SourceFile[] => [{ path, text: documents.join('---\n') }];

function differenceOf(before: readonly string[], after: readonly string[]): Difference {
  return compare(file('before.yaml', ...before), file('after.yaml', ...after)).difference;
}

const OLD = [NODE_CLASS, POOL, WEB];
const driftOf = (...after: string[]) =>
  differenceOf(OLD, [...after, WEB]).drift.map(({ nodePool: pool, reason, fields, certain, nodes }) => [
    pool,
    reason,
    fields.join(),
    certain,
    nodes.length,
  ]);

test('compare finds no difference in the same manifests in another order', () => {
  const { objects, nodePools, unschedulable, resolved, drift, findings } = differenceOf(OLD, [WEB, POOL, NODE_CLASS]);
  expect({ objects, nodePools, unschedulable, resolved, drift, findings }).toEqual({
    objects: [],
    nodePools: [],
    unschedulable: [],
    resolved: [],
    drift: [],
    findings: { added: [], removed: [] },
  });
});

test('compare reports a new tag of the class as drift of all planned nodes', () => {
  const tagged = NODE_CLASS.replace('spec:\n', 'spec:\n  tags: { cost-center: "42" }\n');
  const { drift } = differenceOf(OLD, [tagged, POOL, WEB]);
  expect(drift).toMatchObject([
    { nodePool: 'default', reason: 'NodeClassDrift', fields: ['spec.tags'], certain: true, atATime: 1 },
  ]);
});

describe('objects', () => {
  test('are reported with their changed fields', () => {
    const { objects } = differenceOf(OLD, [
      NODE_CLASS,
      POOL,
      WEB.replace('replicas: 4', 'replicas: 6').replace('spec:\n', 'spec:\n  paused: true\n'),
    ]);
    expect(objects).toEqual([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: '',
        name: 'web',
        change: 'changed',
        fields: [
          { path: 'spec.paused', before: null, after: true },
          { path: 'spec.replicas', before: 4, after: 6 },
        ],
      },
    ]);
  });

  test('are reported as added and removed', () => {
    const { objects } = differenceOf(OLD, [NODE_CLASS, POOL, deployment('api', 1, SMALL)]);
    expect(objects.map(({ name, change }) => [name, change])).toEqual([
      ['api', 'added'],
      ['web', 'removed'],
    ]);
  });

  test('compare lists of different length as a whole, and others item by item', () => {
    const fieldsOf = (types: string[]) => differenceOf(OLD, [NODE_CLASS, nodePool(types), WEB]).objects[0].fields;
    expect(fieldsOf(['m5.large', 'm5.2xlarge'])).toEqual([
      { path: 'spec.template.spec.requirements[0].values[1]', before: 'm5.xlarge', after: 'm5.2xlarge' },
    ]);
    expect(fieldsOf(['m5.large'])).toEqual([
      { path: 'spec.template.spec.requirements[0].values', before: ['m5.large', 'm5.xlarge'], after: ['m5.large'] },
    ]);
  });

  test('are the same in two API versions, and their status is ignored', () => {
    const { objects } = differenceOf(
      [...OLD, 'apiVersion: x.io/v1beta1\nkind: X\nmetadata: { name: x }\nstatus: { a: 1 }\n'],
      [...OLD, 'apiVersion: x.io/v1\nkind: X\nmetadata: { name: x }\n'],
    );
    expect(objects.map(({ fields }) => fields.map(({ path }) => path))).toEqual([['apiVersion']]);
  });
});

describe('NodePools', () => {
  test('are reported with added and removed launch choices and planned nodes', () => {
    const { nodePools } = differenceOf(OLD, [
      NODE_CLASS,
      nodePool(['m5.large', 'm5.2xlarge']),
      deployment('web', 9, SMALL),
    ]);
    expect(nodePools).toEqual([
      {
        name: 'default',
        change: 'changed',
        instanceTypes: { added: ['m5.2xlarge'], removed: ['m5.xlarge'] },
        zones: { added: [], removed: [] },
        capacityTypes: { added: [], removed: [] },
        nodes: { before: 1, after: 1 },
        usdPerHour: { before: 0.192, after: 0.384 },
      },
    ]);
  });

  test('are reported as added and removed', () => {
    const { nodePools } = differenceOf(OLD, [NODE_CLASS, nodePool(['m5.large', 'm5.xlarge'], 'other'), WEB]);
    expect(nodePools.map(({ name, change, nodes }) => [name, change, nodes])).toEqual([
      ['default', 'removed', { before: 1, after: 0 }],
      ['other', 'added', { before: 0, after: 1 }],
    ]);
  });
});

describe('pods', () => {
  const BIG = deployment('big', 1, 'cpu: 3, memory: 6Gi');

  test('are reported as unschedulable with reasons, and as resolved', () => {
    const [fitting, tooSmall] = [
      [NODE_CLASS, POOL, BIG],
      [NODE_CLASS, nodePool(['m5.large']), BIG],
    ];
    expect(differenceOf(fitting, tooSmall).unschedulable).toMatchObject([
      { pod: 'default/big-0', reasons: [{ nodePool: 'default' }] },
    ]);
    expect(differenceOf(tooSmall, fitting)).toMatchObject({ unschedulable: [], resolved: ['default/big-0'] });
    expect(differenceOf(tooSmall, tooSmall)).toMatchObject({ unschedulable: [], resolved: [] });
  });
});

describe('drift of planned nodes', () => {
  test('is reported with the changed field', () => {
    expect(
      driftOf(NODE_CLASS, POOL.replace('    spec:\n', '    metadata: { labels: { tier: gold } }\n    spec:\n')),
    ).toEqual([['default', 'NodePoolDrifted', 'spec.template.metadata', true, 1]]);
    expect(driftOf(NODE_CLASS.replace('  role: node\n', '  role: node\n  userData: "#!/bin/sh"\n'), POOL)).toEqual([
      ['default', 'NodeClassDrift', 'spec.userData', true, 1],
    ]);
  });

  test('is reported for nodes whose labels conflict with the requirements', () => {
    expect(driftOf(NODE_CLASS, nodePool(['m5.large']))).toEqual([
      ['default', 'RequirementsDrifted', expect.stringContaining('node.kubernetes.io/instance-type'), true, 1],
    ]);
    expect(driftOf(NODE_CLASS, nodePool(['m5.xlarge', 'm5.2xlarge']))).toEqual([]);
  });

  test('is certain for another AMI release, and uncertain if it depends on AWS', () => {
    expect(driftOf(NODE_CLASS.replace('al2023@v20250915', 'al2023@v20251016'), POOL)).toEqual([
      ['default', 'AMIDrift', 'spec.amiSelectorTerms', true, 1],
    ]);
    expect(driftOf(NODE_CLASS.replace('al2023@v20250915', 'al2023@latest'), POOL)).toEqual([
      ['default', 'AMIDrift', 'spec.amiSelectorTerms', false, 1],
    ]);
  });

  test('is reported without node names for a NodePool without planned nodes', () => {
    const changed = NODE_CLASS.replace('al2023@v20250915', 'al2023@v20251016');
    expect(differenceOf([NODE_CLASS, POOL], [changed, POOL]).drift).toEqual([
      {
        nodePool: 'default',
        reason: 'AMIDrift',
        fields: ['spec.amiSelectorTerms'],
        certain: true,
        nodes: [],
        atATime: null,
      },
    ]);
    expect(
      differenceOf(
        [NODE_CLASS, POOL],
        [NODE_CLASS, POOL.replace('    spec:\n', '    metadata: { labels: { tier: gold } }\n    spec:\n')],
      ).drift,
    ).toMatchObject([{ reason: 'NodePoolDrifted', nodes: [] }]);
    expect(differenceOf([NODE_CLASS, POOL], [NODE_CLASS, nodePool(['m5.large'])]).drift).toEqual([]);
  });

  test('is not reported for limits, budgets, weight or a removed NodePool', () => {
    expect(
      driftOf(
        NODE_CLASS,
        POOL.replace('cpu: 1000', 'cpu: 2000').replace(
          'spec:\n',
          'spec:\n  weight: 7\n  disruption: { budgets: [{ nodes: "0" }] }\n',
        ),
      ),
    ).toEqual([]);
    expect(driftOf(NODE_CLASS)).toEqual([]);
  });

  test.each([
    ['', 1],
    ['  disruption: { budgets: [{ nodes: "0" }] }\n', 0],
    ['  disruption: { budgets: [{ nodes: "50%" }] }\n', 2],
    ['  disruption: { budgets: [{ nodes: "0", schedule: "@daily", duration: 8h }] }\n', null],
  ])('is limited by the new budgets: %j', (budgets, atATime) => {
    const spread = deployment('web', 4, 'cpu: 3, memory: 1Gi');
    const changed = nodePool(['m5.large', 'm5.xlarge'], 'default', budgets).replace(
      '    spec:\n',
      '    metadata: { labels: { tier: gold } }\n    spec:\n',
    );
    expect(differenceOf([NODE_CLASS, POOL, spread], [NODE_CLASS, changed, spread]).drift).toMatchObject([
      { nodes: { length: 4 }, atATime },
    ]);
  });
});

describe('drift of cluster nodes', () => {
  const labels = {
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'karpenter.sh/capacity-type': 'on-demand',
    'node.kubernetes.io/instance-type': 'm5.large',
    'topology.kubernetes.io/zone': 'us-east-1a',
  };
  const providerID = 'aws:///us-east-1a/i-a';
  const amounts = { cpu: '2', memory: '7Gi', pods: '29' };
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'a', labels },
      spec: { providerID },
      status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: 'default-a', labels },
      spec: { requirements: [], nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' } },
      status: { nodeName: 'a', providerID, conditions: [{ type: 'Initialized', status: 'True' }] },
    },
  ];
  const cluster = file('cluster.yaml', NODE_CLASS, POOL, ...objects.map((object) => `${JSON.stringify(object)}\n`));
  const drift = (before: string, after: string) =>
    compare(file('before.yaml', NODE_CLASS, before), file('after.yaml', NODE_CLASS, after), { cluster }).difference
      .drift;
  const gold = POOL.replace('    spec:\n', '    metadata: { labels: { tier: gold } }\n    spec:\n');

  test('is reported by node name, except for nodes that have already drifted', () => {
    expect(drift(POOL, gold)).toMatchObject([{ nodePool: 'default', nodes: ['a'], reason: 'NodePoolDrifted' }]);
    expect(drift(gold, gold)).toEqual([]);
  });
});

describe('findings', () => {
  const LOOSE = POOL.replace(/.*capacity-type.*\n/, '');
  const rules = (findings: Difference['findings']['added']) => findings.map(({ rule }) => rule);

  test('are reported as added or removed, ignoring their position', () => {
    expect(rules(differenceOf(OLD, [WEB, NODE_CLASS, LOOSE]).findings.added)).toContain('KARP-204');
    expect(rules(differenceOf([WEB, NODE_CLASS, LOOSE], OLD).findings.removed)).toContain('KARP-204');
    expect(differenceOf([NODE_CLASS, LOOSE, WEB], [WEB, NODE_CLASS, LOOSE]).findings).toEqual({
      added: [],
      removed: [],
    });
  });

  test('are the same with different figures', () => {
    const idle = (replicas: number) => [NODE_CLASS, POOL, deployment('web', replicas, SMALL)];
    expect(differenceOf(idle(4), idle(6)).findings).toEqual({ added: [], removed: [] });
  });

  describe('of pods without a node', () => {
    const LIMITED = POOL.replace('limits: { cpu: 1000', 'limits: { cpu: 4');
    const limited = (replicas: number) => [NODE_CLASS, LIMITED, deployment('web', replicas, SMALL)];
    const tooLarge = (replicas: number) => [NODE_CLASS, POOL, deployment('big', replicas, 'cpu: 60')];

    test('are new if more pods than before wait for the limits', () => {
      const { findings, unschedulable } = differenceOf(limited(10), limited(16));
      expect(findings.added.map(({ rule, severity }) => [rule, severity])).toEqual([['KARP-322', 'error']]);
      expect(findings.removed).toEqual([]);
      expect(unschedulable).toHaveLength(6);
    });

    test('are new if lower limits make more pods wait', () => {
      const lower = [NODE_CLASS, LIMITED.replace('cpu: 4', 'cpu: 2'), deployment('web', 10, SMALL)];
      expect(rules(differenceOf(limited(10), lower).findings.added)).toEqual(['KARP-322']);
    });

    test('are new if more pods than before are too large', () => {
      expect(rules(differenceOf(tooLarge(1), tooLarge(3)).findings.added)).toContain('KARP-301');
    });

    test('are the same if as many pods wait, or fewer', () => {
      expect(differenceOf(limited(16), limited(16)).findings).toEqual({ added: [], removed: [] });
      expect(rules(differenceOf(limited(16), limited(10)).findings.added)).toEqual([]);
      expect(rules(differenceOf(limited(16), limited(10)).findings.removed)).toEqual([]);
    });
  });
});

describe('costs', () => {
  const after = [NODE_CLASS, POOL, WEB, deployment('api', 2, 'cpu: 1500m, memory: 2Gi')];
  const costsBy = (costBy?: string) =>
    compare(file('a.yaml', ...OLD), file('b.yaml', ...after), { costBy }).difference.costs!;

  test('are compared by workload, and the changes add up to the change of the price', () => {
    const { by, rows, totalCost } = costsBy();
    expect([by, rows.map(({ name }) => name).sort()]).toEqual(['workload', ['default/api', 'default/web']]);
    const sum = rows.reduce((total, { change }) => total + change, 0);
    expect(sum).toBeCloseTo(totalCost.after - totalCost.before, 6);
  });

  test('are compared by another dimension if one is chosen', () => {
    expect(costsBy('namespace')).toMatchObject({ by: 'namespace', rows: [{ name: 'default' }] });
  });

  test('have no rows if nothing changes, and are absent without prices', () => {
    expect(differenceOf(OLD, OLD).costs?.rows).toEqual([]);
    expect(differenceOf([NODE_CLASS], [NODE_CLASS]).costs).toBeUndefined();
  });
});

test('renderDifferenceJson returns the same bytes for the same inputs', () => {
  const json = () => renderDifferenceJson(differenceOf(OLD, [NODE_CLASS, nodePool(['m5.large']), WEB]));
  expect(json()).toBe(json());
  expect(Object.keys(JSON.parse(json()))).toEqual([
    'schemaVersion',
    'summary',
    'objects',
    'nodePools',
    'costs',
    'unschedulable',
    'resolved',
    'drift',
    'findings',
    'assumptions',
  ]);
});
