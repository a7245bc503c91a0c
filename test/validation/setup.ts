/** A NodePool and its class, as small as Karpenter takes them, and workloads to put on them. */

export const NODE_CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: main }
spec:
  role: node
  amiSelectorTerms: [{ alias: al2023@v20250915 }]
  subnetSelectorTerms: [{ tags: { a: b } }]
  securityGroupSelectorTerms: [{ tags: { a: b } }]
`;

export function nodePool(types: readonly string[], name = 'default', fields = ''): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
${fields}  limits: { cpu: 1000, memory: 1000Gi }
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
      - { key: node.kubernetes.io/instance-type, operator: In, values: [${types.join(', ')}] }
      - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
`;
}

export function deployment(name: string, replicas: number | string, resources: string, podFields = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
${podFields}      containers:
      - { name: main, resources: { requests: { ${resources} } } }
`;
}

export const SMALL = 'cpu: 500m, memory: 1Gi';

export function manifests(...documents: string[]): { path: string; text: string }[] {
  return [{ path: 'setup.yaml', text: documents.join('---\n') }];
}
