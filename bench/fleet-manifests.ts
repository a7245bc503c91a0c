/**
 * A fleet of 200 Deployments, half of them on spot and half on on-demand nodes. Each is spread over zones and has a
 * PodDisruptionBudget. With 50 replicas each these are 10,000 pods on some 500 nodes.
 */
import { SIZES } from './workload';
import { SourceFile } from '../src/validation';

const DEPLOYMENTS = 200;

export function fleet(replicas: number): SourceFile[] {
  const documents = [
    ...['spot', 'on-demand'].map(nodePool),
    NODE_CLASS,
    ...Array.from({ length: DEPLOYMENTS }, (_, at) => workload(at, replicas)),
  ];
  return [{ path: 'fleet.yaml', text: documents.join('---\n') }];
}

function nodePool(capacityType: string): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${capacityType} }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      expireAfter: 720h
      requirements:
        - { key: karpenter.sh/capacity-type, operator: In, values: [${capacityType}] }
        - { key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["16"] }
        - { key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r] }
  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: 30s
    budgets: [{ nodes: 10% }]
`;
}

const NODE_CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: KarpenterNodeRole
  amiSelectorTerms: [{ alias: al2023@v20260101 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: bench } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: bench } }]
`;

function workload(at: number, replicas: number): string {
  const name = `app-${at}`;
  const { memory } = SIZES[at % SIZES.length];
  const cpu = ['500m', '650m', '1', '850m'][at % 4];
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      nodeSelector: { karpenter.sh/capacity-type: ${at % 2 === 0 ? 'spot' : 'on-demand'} }
      topologySpreadConstraints:
        - { topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: ${name} } } }
      containers:
        - { name: app, image: app:1, resources: { requests: { cpu: ${cpu}, memory: ${memory} } } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${name}, namespace: default }
spec:
  maxUnavailable: 10%
  selector: { matchLabels: { app: ${name} } }
`;
}
