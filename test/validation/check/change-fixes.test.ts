import { check } from '../../../src/validation';
import { withFixes } from '../../../src/validation/fixes/apply-fixes';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const TWO_ZONES = nodePool(['m5.large']).replace(
  '      - { key: karpenter.sh/capacity-type',
  '      - { key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b] }\n      - { key: karpenter.sh/capacity-type',
);
const TAINTED = nodePool(['m5.large']).replace(
  '      nodeClassRef',
  '      taints: [{ key: team, value: frontend, effect: NoSchedule }]\n      nodeClassRef',
);
const MIN_VALUES = nodePool(['m5.large', 'c5.large']).replace(
  'values: [m5.large, c5.large] }',
  'values: [m5.large, c5.large], minValues: 2 }',
);

function spread(fields: string): string {
  return `      topologySpreadConstraints: [{ ${fields}, labelSelector: { matchLabels: { app: web } } }]\n`;
}

function affinity(fields: string): string {
  return `      affinity:\n        ${fields}\n`;
}

/** Pods that fit nowhere, the NodePool, the rest of the Deployment `web`, and the change with which they fit. */
const CASES: ReadonlyArray<[what: string, pool: string, resources: string, podFields: string, title: RegExp]> = [
  ['a request', nodePool(['m5.large']), 'cpu: 500m, memory: 7Gi', '', /^write memory: \d+Mi$/],
  [
    'a device',
    nodePool(['g5.xlarge']),
    'cpu: 1, memory: 1Gi, nvidia.com/gpus: 1 }, limits: { nvidia.com/gpus: 1',
    '',
    /^rename .*nvidia.com\/gpus.* to nvidia.com\/gpu, rename/,
  ],
  [
    'the instance store of all types',
    nodePool(['m5d.xlarge']),
    'cpu: 500m, memory: 1Gi, ephemeral-storage: 90Gi',
    '',
    /^write instanceStorePolicy: RAID0$/,
  ],
  [
    'the value of a node selector',
    TWO_ZONES,
    SMALL,
    '      nodeSelector: { karpenter.sh/capacity-type: ondemand }\n',
    /on-demand$/,
  ],
  [
    'the types of a NodePool',
    nodePool(['m5.large']),
    SMALL,
    affinity(
      'nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/arch, operator: In, values: [arm64] }] }] } }',
    ),
    /^allow instance type m6g.medium in NodePool default \(the nodes of the plan then cost \$[\d.]+\/h\)$/,
  ],
  [
    'the zones of a NodePool',
    TWO_ZONES,
    SMALL,
    '      nodeSelector: { topology.kubernetes.io/zone: us-east-1c }\n',
    /us-east-1c/,
  ],
  ['a label of a NodePool', nodePool(['m5.large']), SMALL, '      nodeSelector: { team: web }\n', /^write team: web$/],
  [
    'a taint',
    TAINTED.replace('  template:\n', '  template:\n    metadata: { labels: { team: frontend } }\n'),
    SMALL,
    '      nodeSelector: { team: frontend }\n',
    /^add \{.*team.*\} to tolerations$/,
  ],
  [
    'a toleration with another value',
    TAINTED,
    SMALL,
    '      tolerations: [{ key: team, operator: Equal, value: fronted, effect: NoSchedule }]\n',
    /^write value: frontend$/,
  ],
  [
    'a toleration in block style',
    TAINTED,
    SMALL,
    '      tolerations:\n      - key: teem\n        operator: Exists\n        effect: NoSchedule\n',
    /^write key: team, operator: Equal, value: frontend$/,
  ],
  [
    'a topology key',
    nodePool(['m5.large']),
    SMALL,
    spread('maxSkew: 1, topologyKey: topology.kubernetes.io/zones, whenUnsatisfiable: DoNotSchedule'),
    /^write topologyKey: topology.kubernetes.io\/zone$/,
  ],
  [
    'the domains of a spread',
    nodePool(['m5.large']),
    SMALL,
    spread('maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, minDomains: 5'),
    /minDomains/,
  ],
  [
    'a required pod affinity',
    nodePool(['m5.large']),
    SMALL,
    affinity(
      'podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: agent } } }] }',
    ),
    /preferredDuringSchedulingIgnoredDuringExecution/,
  ],
  [
    'an anti-affinity over fewer zones than pods',
    nodePool(['m5.large']).replace(
      'requirements:',
      'requirements:\n      - { key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b] }',
    ),
    SMALL,
    affinity(
      'podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: topology.kubernetes.io/zone, labelSelector: { matchLabels: { app: web } } }] }',
    ),
    /^write topologyKey: kubernetes.io\/hostname$/,
  ],
];

const PENDING = ['KARP-106', 'KARP-202', 'KARP-211', 'KARP-213', 'KARP-216', 'KARP-218', 'KARP-301', 'KARP-318'];

describe('changes with which pods fit', () => {
  it.each(CASES)('edit %s in the file', (_, pool, resources, podFields, title) => {
    const [file] = manifests(NODE_CLASS, pool, deployment('web', 4, resources, podFields));
    const { findings, unschedulable } = check([file]);
    const error = findings.find(({ rule, fix }) => PENDING.includes(rule) && fix !== undefined);

    const { fix } = error ?? {};
    expect({
      pending: unschedulable.length,
      title: fix?.title ?? findings.map(({ rule, remedy }) => `${rule} ${remedy}`),
    }).toEqual({
      pending: expect.any(Number),
      title: expect.stringMatching(title),
    });
    const after = check([withFixes(file, [fix!]).file]);
    expect(after.unschedulable).toEqual([]);
    expect(after.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each([
    ['the size of a mapped volume', '{ deviceName: /dev/xvda, ebs: { volumeSize: 30Gi } }', /^write volumeSize: 68Gi$/],
    [
      'a volume of its own',
      '{ deviceName: /dev/xvdb, ebs: { volumeSize: 30Gi } }',
      /^write blockDeviceMappings: .*xvdb/,
    ],
    ['the device', '{ deviceName: /dev/xvdb, ebs: { volumeSize: 90Gi } }', /^write deviceName: \/dev\/xvda$/],
  ])('edit %s for pods that need storage', (_, mapping, title) => {
    const sized = `${NODE_CLASS}  blockDeviceMappings: [${mapping}]\n`;
    const web = deployment('web', 1, 'cpu: 1, memory: 1Gi, ephemeral-storage: 60Gi');
    const [file] = manifests(sized, nodePool(['m5.large']), web);
    const [{ rule, fix }] = check([file]).findings.filter(({ severity }) => severity === 'error');
    expect([rule, fix?.title]).toEqual(['KARP-301', expect.stringMatching(title)]);
    expect(check([withFixes(file, [fix!]).file]).unschedulable).toEqual([]);
  });

  it('lowers minValues in the NodePool', () => {
    const [file] = manifests(NODE_CLASS, MIN_VALUES, deployment('web', 1, 'cpu: 500m, memory: 5Gi'));

    const [{ remedy, fix }] = check([file]).findings.filter(({ severity }) => severity === 'error');

    expect(remedy).toMatch(/minValues/);
    expect(check([withFixes(file, [fix!]).file]).unschedulable).toEqual([]);
  });

  it('give no edit for a request that several containers share', () => {
    const two = deployment('web', 1, 'cpu: 1500m, memory: 1Gi').replace(
      '      - { name: main',
      '      - { name: other, resources: { requests: { cpu: 600m } } }\n      - { name: main',
    );

    const [finding] = check(manifests(NODE_CLASS, nodePool(['m5.large']), two)).findings.filter(
      ({ severity }) => severity === 'error',
    );

    expect(finding.remedy).toMatch(/^lower cpu from 2100m/);
    expect(finding.fix).toBeUndefined();
  });
});
