/** The cases of `cases.test.ts` in which the remedy is the answer, and what they say about nodes that stay. */
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { check, CheckOptions, simulateScenario, SourceFile, Verdict } from '../../src/validation';

const FOLDER = join(__dirname, 'cases');
/** Files that describe a cluster or an account. */
const LIVE = /^(cluster\.yaml|reservations\.json|subnets\.json|class-live\.yaml)$/;

function filesOf(name: string, isWanted: (file: string) => boolean): SourceFile[] {
  return readdirSync(join(FOLDER, name))
    .filter(isWanted)
    .sort()
    .map((file) => ({ path: file, text: readFileSync(join(FOLDER, name, file), 'utf8') }));
}

function inputOf(name: string): { sources: SourceFile[]; options: CheckOptions } {
  const isEmpty = name === 'affinity-to-a-daemonset';
  const cluster = isEmpty ? [] : filesOf(name, (file) => LIVE.test(file));
  return {
    sources: filesOf(name, (file) => !LIVE.test(file)),
    options: {
      systemDaemonSets: 'eks',
      ...(cluster.length === 0 ? {} : { cluster, region: 'us-east-1' }),
    },
  };
}

const verdicts = new Map<string, Verdict>();

function verdictOf(name: string): Verdict {
  if (!verdicts.has(name)) {
    const { sources, options } = inputOf(name);
    const featureGates = name === 'static-pool-does-not-grow' ? { StaticCapacity: true } : undefined;
    verdicts.set(name, check(sources, { ...options, featureGates }));
  }
  return verdicts.get(name)!;
}

/** `severity remedy` of the findings of a rule. */
function remediesOf(name: string, rule: string): string[] {
  return verdictOf(name)
    .findings.filter((finding) => finding.rule === rule)
    .map(({ severity, remedy }) => `${severity}: ${remedy}`);
}

describe('check advises', () => {
  test.each<[string, string, string]>([
    ['static-pool-does-not-grow', 'KARP-318', 'error: raise replicas of NodePool gate from 2 to 5'],
    [
      'memory-request-near-instance-memory',
      'KARP-301',
      'error: lower memory from 120Gi to 118312Mi, or let a NodePool',
    ],
    ['limit-not-a-multiple', 'KARP-322', 'error: raise limits.cpu of NodePool big from 79 to 96'],
    ['max-pods-above-ip-addresses', 'KARP-252', 'error: remove kubelet.maxPods'],
    ['pod-eni-type-unknown-to-vpc-controller', 'KARP-264', 'info: start one such pod after each update'],
    ['volume-zone-outside-pool', 'KARP-213', 'error: allow zone us-east-1d in NodePool db'],
    ['zone-affinity-with-a-volume', 'KARP-213', 'error: select zone us-east-1c in default/calc'],
    ['gpu-device-plugin-missing', 'KARP-254', 'info: install the NVIDIA device plugin'],
    ['affinity-to-a-daemonset', 'KARP-213', 'error: prefer the pod affinity over kubernetes.io/hostname'],
    ['schedule-anyway-keeps-nodes', 'KARP-416', 'warning: run Karpenter with preferencePolicy: Ignore'],
    ['bottlerocket-sizes-the-wrong-volume', 'KARP-803', 'error: write deviceName: /dev/xvdb'],
    ['bottlerocket-raid0-twice', 'KARP-154', 'error: remove the setup of the disks from the user data'],
    ['al2-bootstrap-script-on-al2023', 'KARP-152', 'error: remove /etc/eks/bootstrap.sh from the user data'],
    ['custom-ami-family-without-user-data', 'KARP-151', 'error: write amiFamily: Bottlerocket'],
    ['cilium-without-startup-taint', 'KARP-250', 'warning: add the startup taint node.cilium.io/agent-not-ready=true'],
    ['neuron-resource-name', 'KARP-301', 'error: request aws.amazon.com/neuron instead of aws.amazon.com/neurondevice'],
    ['custom-device-needs-overlay', 'KARP-111', 'error: set settings.featureGates.nodeOverlay: true'],
    ['open-capacity-reservation-unused', 'KARP-257', 'warning: add id: cr-0aaaaaaaaaaaaaaa1'],
    ['access-entry-of-the-wrong-type', 'KARP-604', 'error: write Type: EC2_LINUX, without access policies'],
    ['list-instance-profiles-missing', 'KARP-601', "error: allow it as Karpenter's own policies for 1.8.1 do"],
    ['interruption-queue-as-arn', 'KARP-502', 'error: write orchard'],
    ['one-queue-for-two-clusters', 'KARP-505', 'error: give each cluster its own queue'],
    ['auto-mode-node-pool-misspelt', 'KARP-120', 'error: write system'],
    ['auto-mode-single-node-pool', 'KARP-004', 'warning: read the other findings'],
    ['pinned-alias-older-than-kubernetes', 'KARP-155', 'error: write a release from v20260114 on'],
    ['isolated-vpc-needs-instance-profile', 'KARP-610', 'error: create the instance profile yourself'],
    ['subnet-without-addresses', 'KARP-256', 'error: add subnets with at least 44 more free addresses'],
    [
      'grace-period-overrides-protection',
      'KARP-408',
      'warning: set terminationGracePeriod of NodePool batch to 4h or more',
    ],
    [
      'expiry-ignores-budgets',
      'KARP-405',
      'warning: write expireAfter: Never and let nodes drift, which budgets limit',
    ],
    [
      'zone-fix',
      'KARP-216',
      'error: select nodes with zone eu-west-1a, eu-west-1b or eu-west-1c instead of eu-west-1d',
    ],
    ['followup-errors-first', 'KARP-251', 'error: write spot instead of Spot and write on-demand instead of ondemand'],
    ['remedy-gpu-taint-limits', 'KARP-322', 'error: raise limits.cpu of NodePool general from 4 to 6'],
    ['limits-and-soft-spread', 'KARP-425', 'warning: write whenUnsatisfiable: DoNotSchedule in their spread'],
    ['missed-al2', 'KARP-907', 'warning: write an alias of AL2023 or Bottlerocket'],
    ['missed-bottlerocket-userdata', 'KARP-150', 'error: write settings in TOML'],
    ['missed-instance-type-typo', 'KARP-251', 'warning: write m6i.large instead of m6i.larg'],
  ])('in %s: %s %s', (name, rule, remedy) => {
    expect(remediesOf(name, rule).map((text) => text.slice(0, remedy.length))).toContain(remedy);
  });

  test('one remedy for each of the mistakes of a repository', () => {
    const { findings } = verdictOf('repository-with-13-mistakes');
    const about = (name: string) =>
      findings.filter(({ subject, severity }) => subject.name === name && severity !== 'info').map(({ rule }) => rule);
    expect(['kafka', 'inference', 'ingress', 'api', 'cleanup', 'web', 'gpu'].map((name) => about(name).sort())).toEqual(
      [
        ['KARP-213'],
        ['KARP-211', 'KARP-402'],
        ['KARP-513'],
        ['KARP-106'],
        ['KARP-100', 'KARP-251'],
        ['KARP-403', 'KARP-428'],
        ['KARP-103'],
      ],
    );
    const { fix, remedy } = findings.find(({ rule }) => rule === 'KARP-251')!;
    expect([remedy, fix?.safe]).toEqual(['write spot', true]);
  });
});

describe('check says', () => {
  test('how much memory Karpenter takes off a type that the pods nearly fit', () => {
    const [{ message }] = verdictOf('memory-request-near-instance-memory').findings;
    expect(message).toContain('has 115.53 GiB memory; of its 128 GiB, Karpenter takes off 7.5% as its guess');
  });

  test('the same remedy for a volume of the wrong size as its finding', () => {
    const { unschedulable, findings } = verdictOf('bottlerocket-sizes-the-wrong-volume');
    expect(unschedulable[0].smallestChange).toBe('write deviceName: /dev/xvdb');
    expect(findings[0].fix?.title).toContain('/dev/xvdb');
    expect(findings[0].message).toMatch(/; 2 pods of Deployment default\/cache wait for it$/);
  });

  test.each([
    [
      'windows-daemonset-linux-pool-without-os',
      '1.2',
      'before Karpenter 1.14.0, a DaemonSet that only some instance types',
    ],
    ['volume-zone-and-mindomains', '1.8', 'before Karpenter 1.9.0, the zone of a volume counts as the only domain'],
  ])('what an older release decides differently in %s', (name, karpenterVersion, sentence) => {
    const { sources, options } = inputOf(name);
    const { assumptions } = check(sources, { ...options, karpenterVersion });
    expect(assumptions.map((text) => text.slice(0, sentence.length))).toContain(sentence);
    expect(check(sources, options).assumptions.join()).not.toContain('before Karpenter');
  });
});

describe('consolidation says why a node stays', () => {
  test.each<[string, string]>([
    ['cannot-split-one-node-into-two', 'allow instance type m7i.2xlarge in NodePool fruit'],
    ['schedule-anyway-keeps-nodes', 'run Karpenter with preferencePolicy: Ignore'],
    ['almost-empty-nodes-kept', 'write maxUnavailable: 1 in PodDisruptionBudget default/keeper'],
    ['almost-empty-nodes-kept', 'remove the annotation karpenter.sh/do-not-disrupt from Deployment default/pinned'],
    ['spot-to-spot-needs-15-types', 'allow instance category m of generation 5 and later in NodePool fruit'],
  ])('in %s: %s', (name, remedy) => {
    const { sources, options } = inputOf(name);
    const gates = name.startsWith('spot') ? { SpotToSpotConsolidation: true } : undefined;
    const { reports } = simulateScenario(sources, 'consolidation', { ...options, featureGates: gates });
    expect(JSON.stringify(reports)).toContain(remedy);
  });
});
