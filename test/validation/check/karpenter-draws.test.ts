import { check, SourceFile } from '../../../src/validation';
import { deployment, NODE_CLASS } from '../setup';

const pool = (requirements: string, spec = '') => `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: default }
spec:
  ${spec}
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
${requirements}
`;
const spreadOver = (key: string) => `
      topologySpreadConstraints:
        - { maxSkew: 1, topologyKey: ${key}, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }
`;
const web = (replicas: number, spec: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:${spec}
      containers: [{ name: main, image: pause, resources: { requests: { cpu: "1", memory: 1Gi } } }]
`;
const sources = (...documents: string[]): SourceFile[] => [
  { path: 'all.yaml', text: [NODE_CLASS, ...documents].join('---\n') },
];
const ARM = '        - { key: karpenter.k8s.aws/instance-family, operator: In, values: [m7g] }';

describe('a spread over a domain that no allowed instance type has', () => {
  test('places the first pod, because Karpenter draws another domain on each try', () => {
    const { summary, findings } = check(sources(pool(ARM), web(1, spreadOver('kubernetes.io/arch'))));
    expect(summary).toMatchObject({ scheduledPods: 1, nodes: 1 });
    expect(findings.map(({ rule }) => rule)).not.toContain('KARP-213');
  });

  test('leaves the second pod without a node, and blames the spread', () => {
    const { summary, findings, unschedulable } = check(sources(pool(ARM), web(2, spreadOver('kubernetes.io/arch'))));
    expect(summary).toMatchObject({ scheduledPods: 1, pods: 2 });
    expect(unschedulable[0].reasons[0].diagnosis).toContain('topology spread over kubernetes.io/arch');
    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual(['KARP-213']);
  });

  test('places the first pod if the NodePool lists a zone in which no instance type is offered', () => {
    const zones = `${ARM}\n        - { key: topology.kubernetes.io/zone, operator: In, values: [us-east-0z, us-east-1b] }`;
    const { nodes } = check(sources(pool(zones), web(1, spreadOver('topology.kubernetes.io/zone'))));
    expect(nodes.map(({ zone }) => zone)).toEqual(['us-east-1b']);
  });
});

describe('a static NodePool with NotIn and a bound of one label', () => {
  const cpus = (operators: string) =>
    `        - { key: karpenter.k8s.aws/instance-family, operator: In, values: [m7i] }\n${operators}`;
  const NOT_IN = '        - { key: karpenter.k8s.aws/instance-cpu, operator: NotIn, values: ["2", "4"] }';
  const BOUND = '        - { key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ["3"] }';
  const typesOf = (operators: string, spec: string) =>
    check(sources(pool(cpus(operators), spec), deployment('web', 1, 'cpu: 1')), {
      featureGates: { StaticCapacity: true },
    }).nodes.map(({ instanceType }) => instanceType);

  test('launches a type that NotIn excludes, because Karpenter writes only the bound', () => {
    expect(typesOf(`${NOT_IN}\n${BOUND}`, 'replicas: 1')).toEqual(['m7i.xlarge']);
  });

  test('launches no such type with NotIn only', () => {
    expect(typesOf(NOT_IN, 'replicas: 1')).toEqual(['m7i.2xlarge']);
  });

  test('launches no such type if the NodePool is dynamic, because the NodeClaim lists the types', () => {
    expect(typesOf(`${NOT_IN}\n${BOUND}`, '')).toEqual(['m7i.2xlarge']);
  });
});
