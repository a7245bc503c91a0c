import { check, planUsage, recommend, SourceFile } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const HOURS = 730;
const options = { karpenterVersion: '1.15.1', region: 'us-east-1' };
/** Each workload comes two minutes after the one before, so that Karpenter launches a node for each. */
const oneByOne = { ...options, settle: { order: 'manifest' as const, interval: 120 } };

/** Outcomes that users of Karpenter have published: the facts are theirs, the inputs are made from these. */
describe('a minimum size that was expected to save $100 a month, and saved $38', () => {
  const pool = (minimum: string) => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: default }
spec:
  limits: { cpu: 1000, memory: 1000Gi }
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
      - { key: karpenter.k8s.aws/instance-family, operator: In, values: [r6g] }
      - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
${minimum}`;
  const MINIMUM = '      - { key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ["1"] }\n';
  const agent = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: kube-system }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      tolerations: [{ operator: Exists }]
      containers: [{ name: main, resources: { requests: { cpu: 150m, memory: 512Mi } } }]
`;
  const apps = [1, 2, 3, 4, 5].map((index) => deployment(`app${index}`, 1, 'cpu: 500m, memory: 2Gi'));
  const fleetWith = (minimum: string) => {
    const { nodes, cost } = check(manifests(NODE_CLASS, pool(minimum), agent, ...apps), oneByOne).summary;
    return { nodes, perMonth: cost.usdPerHour! * HOURS };
  };

  test('saves what the larger nodes leave of it: five nodes at $36.79 become two at $73.58', () => {
    const [before, after] = [fleetWith(''), fleetWith(MINIMUM)];
    expect([before.nodes, after.nodes]).toEqual([5, 2]);
    const expected = (before.perMonth / before.nodes) * (before.nodes - after.nodes);
    expect(Math.abs(expected - 100)).toBeLessThanOrEqual(25);
    const saved = before.perMonth - after.perMonth;
    expect(saved).toBeGreaterThan(0);
    expect(Math.abs(saved - 38) / 38).toBeLessThanOrEqual(0.25);
  });

  test('is recommended with that saving', () => {
    const sources = manifests(NODE_CLASS, pool(''), agent, ...apps);
    const { usdPerHour, recommendations } = recommend(sources, oneByOne);
    const saved = recommendations
      .filter(({ changes }) => changes.length === 1 && changes[0].consent === undefined)
      .map(({ after }) => (usdPerHour! - after.usdPerHour) * HOURS);
    expect(saved.length).toBeGreaterThan(0);
    for (const amount of saved) expect(Math.abs(amount - 38) / 38).toBeLessThanOrEqual(0.25);
  });
});

describe('requests from usage', () => {
  const vpa = (name: string, cpu: string, memory: string): SourceFile => ({
    path: `${name}-vpa.yaml`,
    text: `apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: { name: ${name}, namespace: default }
spec: { targetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} } }
status:
  recommendation:
    containerRecommendations: [{ containerName: main, target: { cpu: ${cpu}, memory: ${memory} } }]
`,
  });
  /** Nodes of 2 CPUs and 8 GiB, $0.0864/h each. */
  const plan = (requests: string, usage: SourceFile, replicas = 12) =>
    planUsage(
      manifests(NODE_CLASS, nodePool(['m6a.large']), deployment('web', replicas, requests)),
      [usage],
      0.15,
      options,
    );
  const saved = ({ before, after }: ReturnType<typeof planUsage>) => (before.usdPerHour! - after.usdPerHour!) * HOURS;

  test("cost more with VPA's advice that raises memory: 12 pods on 6 nodes become 12 nodes", () => {
    const result = plan('cpu: 700m, memory: 3Gi', vpa('web', '200m', '4Gi'));
    expect([result.before.nodes, result.after.nodes]).toEqual([6, 12]);
    const more = 6 * 0.0864 * HOURS;
    expect(Math.abs(-saved(result) - more) / more).toBeLessThanOrEqual(0.25);
  });

  test('save nothing with less CPU if memory binds', () => {
    const result = plan('cpu: 700m, memory: 3Gi', vpa('web', '100m', '3Gi'));
    expect(saved(result)).toBe(0);
  });

  test('save half with half of the resource that binds, and nothing more with half of the other', () => {
    const half = 3 * 0.0864 * HOURS;
    const memory = plan('cpu: 300m, memory: 3Gi', vpa('web', '300m', '1500Mi'));
    const both = plan('cpu: 300m, memory: 3Gi', vpa('web', '150m', '1500Mi'));
    expect(Math.abs(saved(memory) - half) / half).toBeLessThanOrEqual(0.25);
    expect(saved(both)).toBe(saved(memory));
  });
});
