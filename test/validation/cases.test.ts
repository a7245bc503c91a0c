/** Small inputs, rebuilt from public bug reports and from mistakes of users, with the findings that they must have. */
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { check, CheckOptions, compare, simulateScenario, SourceFile } from '../../src/validation';

const FOLDER = join(__dirname, 'cases');

function filesOf(name: string, isWanted: (file: string) => boolean = () => true): SourceFile[] {
  return readdirSync(join(FOLDER, name))
    .filter(isWanted)
    .sort()
    .map((file) => ({ path: file, text: readFileSync(join(FOLDER, name, file), 'utf8') }));
}

/** The findings of one case that are no notes, as `KARP-NNN severity path`. */
function problemsOf(name: string, options: CheckOptions = {}): string[] {
  const sources = filesOf(name, (file) => file !== 'cluster.yaml');
  return check(sources, { systemDaemonSets: 'eks', ...options })
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ rule, severity, location: { path } }) => `${rule} ${severity} ${path}`);
}

describe('check finds', () => {
  test.each<[string, string]>([
    ['node-limit-dynamic-pool', 'KARP-432 warning spec.limits.nodes'],
    ['daemonset-loses-its-place', 'KARP-303 warning spec.template.spec'],
    ['wrong-domain-of-a-label', 'KARP-105 error spec.template.spec.requirements[2].key'],
    ['budget-window-meant-to-allow', 'KARP-430 warning spec.disruption.budgets[0]'],
    ['budget-cron-that-cannot-be-parsed', 'KARP-100 error spec.disruption.budgets[2].schedule'],
    ['consolidate-before-pods-are-ready', 'KARP-421 warning spec.disruption.consolidateAfter'],
    ['expiry-ignores-budgets', 'KARP-405 warning spec.disruption.budgets[1]'],
    ['do-not-disrupt-and-expiry-without-grace', 'KARP-406 error spec.template.spec'],
    [
      'annotation-of-cluster-autoscaler',
      'KARP-409 warning spec.template.metadata.annotations["cluster-autoscaler.kubernetes.io/safe-to-evict"]',
    ],
    ['unpinned-ami-and-implicit-budget', 'KARP-905 warning spec.amiSelectorTerms[0]'],
    ['node-role-shared-with-node-group', 'KARP-605 warning spec.role'],
    ['ebs-attachments', 'KARP-808 warning spec.volumeClaimTemplates'],
    ['controller-starved', 'KARP-903 warning'],
    ['grace-period-overrides-protection', 'KARP-408 warning'],
    ['bytes', 'KARP-100 warning spec.template.spec.containers[0].resources.requests.memory'],
    ['misspelt', 'KARP-100 error spec.template.spec.nodeSelectr'],
    ['misspelt', 'KARP-100 error spec.template.spec.containers[0].resources.request'],
    ['fallback', 'KARP-518 warning spec.template.spec.nodeSelector["karpenter.sh/nodepool"]'],
    ['userdata', 'KARP-150 error spec.userData'],
    ['userdata', 'KARP-153 warning spec.userData'],
    ['missed-immediate-binding', 'KARP-820 warning volumeBindingMode'],
    ['pdb-blocks-drain-no-grace', 'KARP-411 error spec.selector'],
    ['pdb-blocks-drain-no-grace', 'KARP-403 error spec.minAvailable'],
    ['capacity-type', 'KARP-213 error spec.template.spec.nodeSelector["karpenter.sh/capacity-type"]'],
    ['topology-key', 'KARP-213 error spec.template.spec.topologySpreadConstraints[0].topologyKey'],
    ['missed-hpa-min-gt-max', 'KARP-100 error spec.maxReplicas'],
  ])('in %s: %s', (name, problem) => {
    expect(problemsOf(name).map((found) => found.slice(0, problem.length))).toContain(problem);
  });

  test('one mistake of a queue that is the target of no rule', () => {
    const { findings } = check(filesOf('one-queue-for-two-clusters'));
    const missing = findings.filter(({ rule }) => rule === 'KARP-503');
    expect(missing.map(({ severity, message }) => [severity, message])).toEqual([
      [
        'error',
        'no EventBridge rule has this queue as its target: Karpenter receives no AWS Health Event, EC2 Spot Instance Interruption Warning, EC2 Instance Rebalance Recommendation or EC2 Instance State-change Notification',
      ],
    ]);
  });

  test('a schedule that cannot be parsed once, and no budget that never allows', () => {
    expect(problemsOf('budget-cron-that-cannot-be-parsed').filter((problem) => / error /.test(problem))).toEqual([
      'KARP-100 error spec.disruption.budgets[2].schedule',
    ]);
  });

  test('a requirement that old nodes of the cluster do not meet', () => {
    const cluster = filesOf('new-label-drifts-old-nodes', (file) => file === 'cluster.yaml');
    expect(problemsOf('new-label-drifts-old-nodes', { cluster })).toContain(
      'KARP-433 warning spec.template.spec.requirements[3].key',
    );
  });
});

describe('check plans', () => {
  test.each<[string, number, number]>([
    ['windows-daemonset-linux-pool-without-os', 2, 1],
    ['daemonsets-split-by-node-size', 1, 1],
    ['node-limit-dynamic-pool', 5, 5],
    ['missed-immediate-binding', 8, 4],
  ])('%s: %d pods on %d nodes', (name, pods, nodes) => {
    const { summary, notEvaluated } = check(filesOf(name));
    expect([summary.scheduledPods, summary.nodes, notEvaluated]).toEqual([pods, nodes, []]);
  });

  test('only the DaemonSet of its size on a small node', () => {
    const [{ instanceType }] = check(filesOf('daemonsets-split-by-node-size')).nodes;
    expect(instanceType).toBe('m7i.large');
  });

  test('static capacity of EKS Auto Mode without a feature gate', () => {
    expect(problemsOf('auto-mode-static-capacity')).toEqual([]);
  });
});

test('compare lists all nodes that a new tag replaces, and how many at a time', () => {
  const side = (file: string) => [
    { ...filesOf('tag-drifts-every-node', (name) => name === file)[0], path: 'all.yaml' },
  ];
  const { drift } = compare(side('before.yaml'), side('after.yaml')).difference;
  expect(drift).toMatchObject([
    { nodePool: 'core', reason: 'NodeClassDrift', fields: ['spec.tags.cost-center'], atATime: 6 },
  ]);
  expect(drift[0].nodes).toHaveLength(6);
});

test('node repair says that too many nodes are unhealthy, and what helps', () => {
  const name = 'node-repair-blocked-at-20-percent';
  const cluster = filesOf(name, (file) => file === 'cluster.yaml');
  const sources = filesOf(name, (file) => file !== 'cluster.yaml');
  const { reports } = simulateScenario(sources, 'node-repair', { cluster, featureGates: { NodeRepair: true } });
  const [{ stuck }] = reports;
  expect(JSON.stringify(stuck)).toContain('more than 20% of nodes in nodepool');
  expect(JSON.stringify(stuck)).toContain('to replace a node anyway, delete its NodeClaim');
});

describe('consolidation says of each node that stays', () => {
  const staysOf = (name: string) => {
    const cluster = filesOf(name, (file) => file === 'cluster.yaml');
    const sources = filesOf(name, (file) => file !== 'cluster.yaml');
    const [{ after, stays }] = simulateScenario(sources, 'consolidation', { cluster, region: 'us-east-1' }).reports;
    return { nodes: after.nodes, stays: stays!.nodes };
  };

  test('that one new node for all of its pods costs the same, and which type would cost less', () => {
    const { nodes, stays } = staysOf('one-node-not-split');
    expect(nodes).toBe(1);
    expect(stays).toMatchObject([
      { node: 'n1', usdPerHour: 0.8064, change: 'allow instance type m7i.2xlarge in NodePool fruit' },
    ]);
    expect(stays[0].why).toContain('Karpenter never replaces a node by several');
    expect(stays[0].savesUsdPerHour).toBeCloseTo(0.4032, 6);
  });

  test('which PodDisruptionBudget or annotation keeps it, with its price', () => {
    const { nodes, stays } = staysOf('almost-empty-nodes-kept');
    expect(nodes).toBe(2);
    expect(stays).toMatchObject([
      {
        node: 'n1',
        usdPerHour: 0.8064,
        event: { message: 'Pdb prevents pod evictions (PodDisruptionBudget=[default/keeper])' },
        change: 'write maxUnavailable: 1 in PodDisruptionBudget default/keeper',
      },
      {
        node: 'n2',
        usdPerHour: 0.8064,
        why: 'Deployment default/pinned has the annotation karpenter.sh/do-not-disrupt',
        change: 'remove the annotation karpenter.sh/do-not-disrupt from Deployment default/pinned',
      },
    ]);
  });
});

describe('the plan', () => {
  const cluster = (name: string) => filesOf(name, (file) => file === 'cluster.yaml' || file === 'reservations.json');
  const planOf = (name: string) =>
    check(
      filesOf(name, (file) => /^(?!cluster|reservations)/.test(file)),
      {
        region: 'us-east-1',
        ...(cluster(name).length === 0 ? {} : { cluster: cluster(name) }),
      },
    );

  test('keeps the zone of a volume out of the count of a spread with minDomains', () => {
    const { unschedulable, filledNodes, nodeClaims } = planOf('volume-zone-and-mindomains');
    expect(unschedulable).toEqual([]);
    expect(filledNodes.map(({ node }) => node)).toEqual(['n0']);
    expect(nodeClaims).toEqual([]);
  });

  test('counts the values of a spread label over all NodePools, as Karpenter does', () => {
    const { unschedulable } = planOf('capacity-spread-domains-of-another-pool');
    expect(unschedulable).toHaveLength(3);
    expect(unschedulable[0].smallestChange).toBe(
      'allow capacity-spread 2, 3, 4 and 5 in NodePool a (the nodes of the plan then cost $0.4032/h instead of $0.1008/h)',
    );
  });

  test('uses both capacity blocks of one type, and says that they are full', () => {
    const { nodes, unschedulable, findings } = planOf('two-capacity-blocks-of-one-type');
    expect(nodes.map(({ capacityType }) => capacityType)).toEqual(['reserved', 'reserved']);
    expect(unschedulable).toHaveLength(1);
    expect(findings.find(({ rule }) => rule === 'KARP-318')!.message).toContain('have no free instance');
  });

  test('splits pods between spot and on-demand by a label of the NodePools', () => {
    const { nodeClaims } = planOf('spread-ratio-spot-on-demand');
    const podsOf = (nodePool: string) =>
      nodeClaims.filter((claim) => claim.nodePool === nodePool).reduce((sum, { pods }) => sum + pods.length, 0);
    expect([podsOf('od'), podsOf('spot')]).toEqual([2, 8]);
  });
});
