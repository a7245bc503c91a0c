/* eslint-disable @typescript-eslint/no-explicit-any -- changes any field */

/** Objects without a finding that has a fix. */
export function goodObjects(): any[] {
  return [
    {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'main' },
      spec: {
        role: 'node',
        amiSelectorTerms: [{ alias: 'al2023@v20250915' }],
        subnetSelectorTerms: [{ tags: { a: 'b' } }],
        securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
        blockDeviceMappings: [
          { deviceName: '/dev/xvda', ebs: { volumeSize: '30Gi', volumeType: 'gp3', encrypted: true, kmsKeyID: 'k' } },
        ],
      },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default', annotations: { note: '1.10' } },
      spec: {
        limits: { cpu: '1000', memory: '1000Gi' },
        disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '1h' },
        template: {
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' },
            expireAfter: '720h',
            terminationGracePeriod: '24h',
            requirements: [
              { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
              { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
              { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1a', 'us-east-1b'] },
              { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        namespace: 'shop',
        annotations: { 'resilience.karpenter-constructs.dev/hostname-spread': 'off: a cache' },
      },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            nodeSelector: { 'kubernetes.io/arch': 'amd64' },
            containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '500m', memory: '512Mi' } } }],
          },
        },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: { matchLabels: { app: 'web' } }, unhealthyPodEvictionPolicy: 'AlwaysAllow', maxUnavailable: 1 },
    },
  ];
}

type Mistake = (objects: any[]) => void;

/** Mistakes that a safe fix takes back, so that the objects are as they were. */
export const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a misspelt field': ([{ spec }]) => {
    rename(spec, 'role', 'roel');
  },
  'a field with underscores': ([, { spec }]) => {
    rename(spec.template.spec, 'expireAfter', 'expire_after');
  },
  'a misspelt object': ([, { spec }]) => {
    rename(spec, 'limits', 'limts');
  },
  'a misspelt policy': ([, { spec }]) => {
    spec.disruption.consolidationPolicy = 'whenEmptyOrUnderutilised';
  },
  'days as a duration': ([, { spec }]) => {
    spec.template.spec.expireAfter = '30d';
  },
  'an operator in lower case': ([, { spec }]) => {
    spec.template.spec.requirements[0].operator = 'in';
  },
  'a misspelt label of a requirement': ([, { spec }]) => {
    spec.template.spec.requirements[0].key = 'karpenter.k8s.aws/instance-categroy';
  },
  'a misspelt architecture': ([, { spec }]) => {
    spec.template.spec.requirements[1].values = ['AMD64'];
  },
  'a misspelt zone': ([, { spec }]) => {
    spec.template.spec.requirements[2].values[1] = 'us-eats-1b';
  },
  'a misspelt capacity type': ([, { spec }]) => {
    spec.template.spec.requirements[3].values = ['On-Demand'];
  },
  'a nodeClassRef without group': ([, { spec }]) => {
    delete spec.template.spec.nodeClassRef.group;
  },
  'a nodeClassRef without group and kind': ([, { spec }]) => {
    spec.template.spec.nodeClassRef = { name: 'main' };
  },
  'a nodeClassRef with apiVersion': ([, { spec }]) => {
    spec.template.spec.nodeClassRef.apiVersion = 'karpenter.k8s.aws/v1';
  },
  'a group with a version': ([, { spec }]) => {
    spec.template.spec.nodeClassRef.group = 'karpenter.k8s.aws/v1';
  },
  'a number instead of a string': ([, { metadata }]) => {
    metadata.annotations.note = 110;
  },
  'the alias Latest': ([{ spec }]) => {
    spec.amiSelectorTerms[0].alias = 'al2023@20250915';
  },
  'a volume that is not encrypted': ([{ spec }]) => {
    delete spec.blockDeviceMappings[0].ebs.encrypted;
  },
  'a role with a path': ([{ spec }]) => {
    spec.role = 'arn:aws:iam::123456789012:role/nodes/node';
  },
  'a kind in lower case': ([, , web]) => {
    web.kind = 'deployment';
  },
  'replicas in quotes': ([, , { spec }]) => {
    spec.replicas = '3';
  },
  'a resource in upper case': ([, , { spec }]) => {
    rename(spec.template.spec.containers[0].resources.requests, 'cpu', 'CPU');
  },
  'a unit in lower case': ([, , { spec }]) => {
    spec.template.spec.containers[0].resources.requests.memory = '512mi';
  },
  'a misspelt label of a node selector': ([, , { spec }]) => {
    spec.template.spec.nodeSelector = { 'kubernetes.io/arhc': 'amd64' };
  },
  'a PodDisruptionBudget that blocks': ([, , , { spec }]) => {
    spec.maxUnavailable = 0;
  },
  'minAvailable: 100%': ([, , , { spec }]) => {
    delete spec.maxUnavailable;
    spec.minAvailable = '100%';
  },
};

/** Mistakes about the same field: only one of them can be made. */
const SAME_FIELD = [
  ['a misspelt field', 'a role with a path'],
  ['a field with underscores', 'days as a duration'],
  [
    'a nodeClassRef without group',
    'a nodeClassRef without group and kind',
    'a nodeClassRef with apiVersion',
    'a group with a version',
  ],
  ['a PodDisruptionBudget that blocks', 'minAvailable: 100%'],
];

/** The mistakes without those about the field of an earlier one. */
export function compatible(mistakes: readonly string[]): string[] {
  return mistakes.filter((name, index) => {
    const group = SAME_FIELD.find((names) => names.includes(name)) ?? [];
    return !mistakes.slice(0, index).some((earlier) => group.includes(earlier));
  });
}

/** Values that the fix changes to another text than the one that was there before the mistake. */
export function withoutLostText(objects: any[], mistakes: readonly string[]): any[] {
  if (mistakes.includes('a number instead of a string')) objects[1].metadata.annotations.note = '110';
  return objects;
}

/** In place, so that the order of the fields stays. */
function rename(record: any, from: string, to: string): void {
  const entries = Object.entries(record);
  for (const key of Object.keys(record)) delete record[key];
  for (const [key, value] of entries) record[key === from ? to : key] = value;
}
