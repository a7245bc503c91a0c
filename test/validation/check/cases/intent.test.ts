import { AMD64, CLASS, explainedRemedy, ON_DEMAND, pool, verdictOf, workload } from './fixtures';

const TAINTS = 'taints: [{ key: team, value: b, effect: NoSchedule }]';

/** The remedy of the only error, if the list of pods and `explain` have the same one. */
function remedyOf(documents: readonly string[], severity = 'error') {
  const { findings, changes } = verdictOf(documents);
  const [{ remedy, location, related, fix }] = findings.filter((finding) => finding.severity === severity);
  const said = [...new Set([...changes, explainedRemedy(documents, 'shop/web-0')])];
  return { remedy, said, path: location.path, related: related?.location.path, isPatched: fix !== undefined };
}

describe('pods without a node', () => {
  test('tolerate no taint of the only NodePool that they show no sign of wanting', () => {
    const found = remedyOf([CLASS, pool('b', { template: TAINTS }), workload('web')], 'warning');
    expect(found.remedy).toBe(
      'add a NodePool without this taint for them, or, if they belong on nodes of NodePool b, the toleration {key: team, operator: Equal, value: "b", effect: NoSchedule}',
    );
    expect(found).toMatchObject({ said: [found.remedy], isPatched: false });
  });

  test('get the taint of the NodePool that they select as the second place', () => {
    const pools = [pool('main'), pool('b', { labels: 'team: b', template: TAINTS })];
    const found = remedyOf([CLASS, ...pools, workload('web', { pod: 'nodeSelector: { team: b }' })]);
    expect(found).toMatchObject({ related: 'spec.template.spec.taints[0]', isPatched: true });
    expect(found.said).toEqual(['tolerate team=b:NoSchedule']);
  });

  test('for Windows are not moved to Linux', () => {
    const web = workload('web', { pod: 'nodeSelector: { kubernetes.io/os: windows }' });
    const { remedy, said } = remedyOf([CLASS, pool('main'), web]);
    expect(remedy).toMatch(/^add a NodePool for them whose EC2NodeClass has an alias such as windows2022@<version>/);
    expect(said).toEqual([remedy]);
  });

  test('that daemonsets leave no place below maxPods get the bound as the cause', () => {
    const small = `${CLASS}  kubelet: { maxPods: 1 }\n`;
    const agent = workload('agent', { kind: 'DaemonSet' }).replace(/ {2}replicas: .*\n/, '');
    const { remedy, said, isPatched } = remedyOf([small, pool('main'), agent, workload('web')]);
    expect(remedy).toBe(
      'remove kubelet.maxPods: 1 of EC2NodeClass default, so that Karpenter computes it for each type',
    );
    expect([said, isPatched]).toEqual([[remedy], true]);
  });

  test('that are too large have the request as the place, and the price of a larger type', () => {
    const small = 'key: karpenter.k8s.aws/instance-size, operator: In, values: [large]';
    const m7i = 'key: karpenter.k8s.aws/instance-family, operator: In, values: [m7i]';
    const requirements = [ON_DEMAND, AMD64, m7i, small];
    const web = workload('web', { replicas: 1, requests: 'cpu: 3, memory: 1Gi' });
    const { remedy, said, path } = remedyOf([CLASS, pool('main', { requirements }), web]);
    expect(path).toBe('spec.template.spec.containers[0].resources.requests.cpu');
    expect(remedy).toMatch(
      /^allow instance size xlarge in NodePool main \(the nodes of the plan then cost \$0.2\d+\/h\)$/,
    );
    expect(said).toEqual([remedy]);
  });

  test('get the correct label of pods that are planned before them', () => {
    const term = '{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: cahce } } }';
    const affinity = `affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [${term}] } }`;
    const requirements = [ON_DEMAND, AMD64, 'key: karpenter.k8s.aws/instance-family, operator: In, values: [m7a]'];
    const cache = workload('cache', { replicas: 1 });
    const { remedy, said } = remedyOf([
      CLASS,
      pool('main', { requirements }),
      workload('web', { pod: affinity }),
      cache,
    ]);
    expect(remedy).toBe('write app: cache instead of cahce in the pod affinity');
    expect(said).toEqual([remedy]);
  });
});

test('a limit in thousandths has one remedy in all outputs', () => {
  const { remedy, said } = remedyOf([CLASS, pool('main', { spec: 'limits: { cpu: 100m }' }), workload('web')]);
  expect(remedy).toBe('write limits.cpu: 100, because m is a thousandth of a CPU');
  expect(said).toEqual([remedy]);
});
