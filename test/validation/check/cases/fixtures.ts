import { check, CheckOptions, explain } from '../../../../src/validation';

export const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: KarpenterNodeRole
  amiSelectorTerms: [{ alias: al2023@v20250501 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
`;

export interface PoolFields {
  /** Lines of `spec`. */
  readonly spec?: string;
  /** Lines of `spec.template.spec`. */
  readonly template?: string;
  readonly labels?: string;
  readonly requirements?: readonly string[];
  readonly nodeClass?: string;
}

export const ON_DEMAND = 'key: karpenter.sh/capacity-type, operator: In, values: [on-demand]';
export const AMD64 = 'key: kubernetes.io/arch, operator: In, values: [amd64]';
export const isType = (...types: readonly string[]) =>
  `key: node.kubernetes.io/instance-type, operator: In, values: [${types.join(', ')}]`;

export function pool(name: string, fields: PoolFields = {}): string {
  const {
    spec = 'limits: { cpu: 100 }',
    template = '',
    labels = '',
    requirements = [ON_DEMAND, AMD64, isType('m7i.large', 'm7i.xlarge')],
    nodeClass = 'default',
  } = fields;
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  ${spec}
  template:
    metadata: { labels: { ${labels} } }
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: ${nodeClass} }
${template === '' ? '' : `      ${template}\n`}      requirements:
${requirements.map((requirement) => `      - { ${requirement} }\n`).join('')}`;
}

export interface WorkloadFields {
  readonly replicas?: number;
  /** A line of the pod's spec. */
  readonly pod?: string;
  readonly requests?: string;
  readonly kind?: string;
}

export function workload(name: string, fields: WorkloadFields = {}): string {
  const { replicas = 3, pod = '', requests = 'cpu: 500m, memory: 1Gi', kind = 'Deployment' } = fields;
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
${pod === '' ? '' : `      ${pod}\n`}      containers: [{ name: main, image: i, resources: { requests: { ${requests} } } }]
`;
}

const sources = (documents: readonly string[]) => [{ path: 'a.yaml', text: documents.join('---\n') }];

/** What `check` says about pods without a node, and all errors. */
export function verdictOf(documents: readonly string[], options: CheckOptions = {}) {
  const { findings, unschedulable } = check(sources(documents), options);
  const errors = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, subject, message, remedy, location, fix }) => ({
      rule,
      subject: `${subject.kind} ${subject.name}`,
      message,
      remedy,
      path: location.path,
      fix,
    }));
  return { errors, findings, unschedulable, changes: unschedulable.map(({ smallestChange }) => smallestChange) };
}

/** The remedy that `explain` prints for a pod. */
export function explainedRemedy(documents: readonly string[], pod: string, options: CheckOptions = {}) {
  return explain(sources(documents), [pod], options).placements[0].smallestChange;
}
