import { AMD64, CLASS, isType, ON_DEMAND, pool, verdictOf, workload } from './cases/fixtures';
import { withFixes } from '../../../src/validation/fixes/apply-fixes';

const OTHER = 'labelSelector: { matchLabels: { app: other } }';
const SPREAD = `topologySpreadConstraints: [${['topology.kubernetes.io/zone', 'kubernetes.io/hostname']
  .map((key) => `{ maxSkew: 1, topologyKey: ${key}, whenUnsatisfiable: DoNotSchedule, ${OTHER} }`)
  .join(', ')}]`;

const LARGE = pool('main', { requirements: [ON_DEMAND, AMD64, isType('m7i.4xlarge')] });

function rulesOf(documents: readonly string[]): string[] {
  return verdictOf(documents)
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ rule, subject }) => `${rule} ${subject.name}`)
    .sort();
}

function pdb(name: string, label: string): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${name}, namespace: shop }
spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, selector: { matchLabels: { app: ${label} } } }
`;
}

const RESOURCES = 'resources: { requests: { cpu: 1, memory: 1Gi }, limits: { memory: 1Gi } }';

function karpenter(values: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: karpenter, namespace: argocd }
spec:
  source:
    repoURL: public.ecr.aws/karpenter
    chart: karpenter
    targetRevision: 1.8.1
    helm:
      valuesObject:
        ${values}
  destination: { namespace: kube-system }
`;
}

describe('one mistake', () => {
  test('that leaves no instance type is the contradiction of two requirements', () => {
    const documents = [CLASS, pool('main', { requirements: [ON_DEMAND, AMD64, AMD64.replace('amd64', 'arm64')] })];
    expect(rulesOf(documents)).toEqual(['KARP-108 main']);
  });

  test('in a label is the misspelt label, and not also the rejected field', () => {
    const documents = [
      CLASS,
      pool('main', { requirements: ['key: karpenter.k8s.aws/instance-categry, operator: In, values: [m]'] }),
    ];
    const { findings } = verdictOf(documents);
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(['KARP-105 error']);
    expect(findings[0].fix?.title).toBe('write key: karpenter.k8s.aws/instance-category');
  });

  test.each([
    ['alias: al2023@v20250519, tags: { team: a }', 'remove tags: alias selects the AMI'],
    ['alias: al2023@v20250519, id: ami-0123456789abcdef0', 'remove id: alias selects the AMI'],
    ['id: ami-0123456789abcdef0, name: a, owner: self', 'remove name and owner: id selects the AMI'],
  ])('in a term that selects AMIs twice is a term that the API accepts afterwards: %s', (term, remedy) => {
    const nodeClass = CLASS.replace(/amiSelectorTerms:.*/, `amiFamily: AL2023\n  amiSelectorTerms: [{ ${term} }]`);
    const documents = [nodeClass, pool('main', { requirements: [ON_DEMAND, AMD64] })];
    const { findings } = verdictOf(documents);
    const [error, ...others] = findings.filter(({ rule, severity }) => rule === 'KARP-100' || severity === 'error');
    expect([error.remedy, others]).toEqual([remedy, []]);
    const { file } = withFixes({ path: 'a.yaml', text: documents.join('---\n') }, [error.fix!]);
    expect(rulesOf(file.text.split('---\n')).filter((found) => found.startsWith('KARP-100'))).toEqual([]);
  });

  test('in the annotation that protects a job is the annotation, and not also the pod without protection', () => {
    const job = (annotation: string) => `apiVersion: batch/v1
kind: Job
metadata: { name: etl, namespace: shop }
spec:
  template:
    metadata: { annotations: { ${annotation}: "true" } }
    spec: { restartPolicy: Never, containers: [{ name: main, image: i, ${RESOURCES} }] }
`;
    const rules = (annotation: string) =>
      rulesOf([CLASS, LARGE, job(annotation)]).filter((rule) => /-4(09|24)/.test(rule));
    expect(rules('karpenter.sh/do-not-evict')).toEqual(['KARP-409 etl']);
    expect(rules('team')).toEqual(['KARP-424 etl']);
  });

  test('in the place of a toleration is the place, and not also the toleration that the pods lack', () => {
    const tainted = pool('main', { template: 'taints: [{ key: team, value: ml, effect: NoSchedule }]' });
    const tolerations = 'tolerations: [{ key: team, value: ml, effect: NoSchedule }]';
    const misplaced = workload('web').replace('image: i,', `image: i, ${tolerations},`);
    expect(rulesOf([CLASS, tainted, misplaced]).filter((rule) => /KARP-(100|211|213)/.test(rule))).toEqual([
      'KARP-100 web',
    ]);
    expect(rulesOf([CLASS, tainted, workload('web')]).filter((rule) => /KARP-(100|211|213)/.test(rule))).toEqual([
      'KARP-211 web',
    ]);
  });

  test('in a daemonset that fills each node is the NodePool that launches none, with the size that helps', () => {
    const agent = workload('agent', { kind: 'DaemonSet', requests: 'cpu: 2' }).replace(/ {2}replicas: .*\n/, '');
    const documents = [CLASS, pool('main', { requirements: [ON_DEMAND, AMD64, isType('m7i.large')] }), agent];
    const { findings } = verdictOf([...documents, workload('web')]);
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule, remedy }) => [rule, remedy])).toEqual([
      [
        'KARP-302',
        'allow instance type m5a.xlarge in NodePool main (the nodes of the plan then cost $0.1720/h), or lower the requests of the daemonsets',
      ],
    ]);
    expect(errors[0].fix).toBeDefined();
    expect(errors[0].message).toContain('3 pods of Deployment shop/web wait for it');
  });

  test('in each entry of a list is one finding, with one edit of all of them', () => {
    const cpus = 'key: karpenter.k8s.aws/instance-cpu, operator: In, values: [2, 4, 8, 16, 32]';
    const documents = [CLASS, pool('main', { requirements: [ON_DEMAND, AMD64, cpus] })];
    const { findings } = verdictOf(documents);
    expect(findings.map(({ rule, message, remedy }) => [rule, message, remedy])).toEqual([
      [
        'KARP-100',
        'spec.template.spec.requirements[2].values[0] to [4]: each must be a string, got 2, 4, 8, 16 and 1 more',
        'put the 5 values in quotes',
      ],
    ]);
    const { file } = withFixes({ path: 'a.yaml', text: documents.join('---\n') }, [findings[0].fix!]);
    expect(file.text).toContain('values: ["2", "4", "8", "16", "32"]');
  });

  test('in the name of a field is that name, and not also the field that is missing', () => {
    const misspelt = pool('main', { requirements: [ON_DEMAND, AMD64].map((text) => text.replace('operator:', 'op:')) });
    const { findings } = verdictOf([CLASS, misspelt, workload('web').replace('containers:', 'conatiners:')]);
    const rejected = findings.filter(({ rule }) => rule === 'KARP-100');
    expect(rejected.map(({ message, remedy }) => `${message.split(' is no')[0]}: ${remedy}`)).toEqual([
      'spec.template.spec.requirements[0] to [1].op: each: write operator',
      'spec.template.spec.conatiners:: write containers',
    ]);
    const [requirements, containers] = rejected.map(({ fix }) => fix?.edits.map(({ text }) => text));
    expect([requirements, containers]).toEqual([['operator', 'operator'], ['containers']]);
  });

  test('in the lifetime of nodes is the lifetime, and not also the budgets that are too slow for it', () => {
    const nodes = 'limits: { cpu: 100 }\n  disruption: { consolidateAfter: 5m, budgets: [{ nodes: "1" }] }';
    const documents = [
      CLASS,
      pool('main', {
        spec: nodes,
        template: 'expireAfter: 10m',
        requirements: [ON_DEMAND, AMD64, isType('m7i.large')],
      }),
      workload('web', { requests: 'cpu: 1, memory: 1Gi', pod: SPREAD.replace(/other/g, 'web') }),
    ];
    expect(rulesOf(documents)).toContain('KARP-427 main');
    expect(rulesOf(documents)).not.toContain('KARP-418 main');
  });

  test('in reserved memory is the amount, with the one that was meant', () => {
    const reserving = `${CLASS}  kubelet: { systemReserved: { memory: 100Gi } }\n`;
    const large = pool('large', { requirements: [ON_DEMAND, AMD64, isType('r7i.8xlarge', 'm7i.8xlarge')] });
    const remedy = 'write memory: 100Mi if that is meant, or less than 100Gi';
    const found = (name: string) => {
      const { findings } = verdictOf([reserving, name === 'large' ? large : pool('main'), workload('web')]);
      return findings.filter(({ rule }) => rule !== 'KARP-402' && rule !== 'KARP-413');
    };
    expect(found('large').map((finding) => [finding.rule, finding.severity, finding.remedy])).toEqual([
      ['KARP-159', 'warning', remedy],
    ]);
    // No type is left, and the pods wait for the class.
    expect(found('main').map((finding) => [finding.rule, finding.severity, finding.remedy])).toEqual([
      ['KARP-159', 'error', remedy],
    ]);
    expect(found('main')[0].message).toContain('3 pods of Deployment shop/web wait for it');
  });

  test('in the alias of a Windows AMI is the alias, for which the pods wait', () => {
    const windows = CLASS.replace('al2023@v20250501', 'windows2022@v2025.09.10');
    const requirements = [ON_DEMAND, AMD64, 'key: kubernetes.io/os, operator: In, values: [windows]'];
    const documents = [
      `${windows}---\n${CLASS.replace('name: default', 'name: linux')}`,
      pool('main', { requirements }),
      pool('linux', { nodeClass: 'linux' }),
      workload('billing', { pod: 'nodeSelector: { kubernetes.io/os: windows }' }),
    ];
    const { errors } = verdictOf(documents);
    expect(errors.map(({ rule, remedy, fix }) => [rule, remedy, fix?.title])).toEqual([
      ['KARP-100', 'write windows2022@latest', 'write alias: windows2022@latest'],
    ]);
    expect(errors[0].message).toContain('3 pods of Deployment shop/billing wait for it');
  });

  test('in the schedule of a budget is the schedule, as severe as the budget that never allows', () => {
    const disruption =
      'disruption: { consolidateAfter: 5m, budgets: [{ nodes: "0", schedule: "0 0 * * sat-sun", duration: 8h }] }';
    const { findings } = verdictOf([CLASS, pool('main', { spec: `limits: { cpu: 100 }\n  ${disruption}` })]);
    expect(findings.map(({ rule, severity, location }) => [rule, severity, location.path])).toEqual([
      ['KARP-100', 'error', 'spec.disruption.budgets[0].schedule'],
    ]);
  });

  test('in the requests is that the autoscaler never scales, if nothing else is missing', () => {
    const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 3
  maxReplicas: 6
  metrics: [{ type: Resource, resource: { name: memory, target: { type: Utilization, averageUtilization: 70 } } }]
`;
    const rules = (requests: string) => {
      const web = workload('web', { replicas: 3 }).replace(/requests: \{[^}]*\}/, `requests: ${requests}`);
      return rulesOf([CLASS, pool('main'), web, autoscaler]).filter((rule) => /306|436/.test(rule));
    };
    expect(rules('{ cpu: 1 }')).toEqual(['KARP-436 web']);
    expect(rules('{}')).toEqual(['KARP-306 web', 'KARP-436 web']);
  });

  test('of two that one change lets fit is the zone that does not exist', () => {
    const documents = [
      CLASS,
      pool('main', { template: 'taints: [{ key: team, value: a, effect: NoSchedule }]' }),
      workload('web', { replicas: 1, pod: 'nodeSelector: { topology.kubernetes.io/zone: us-east-1z }' }),
    ];
    const { errors } = verdictOf(documents, { region: 'us-east-1' });
    expect(errors.map(({ rule }) => rule)).toEqual(['KARP-216']);
    expect(errors[0].remedy).not.toContain('tolerate');
    const select = (text: string) => text.replace('nodeSelector: {', 'nodeSelector: { team: a,');
    const labelled = pool('main', {
      labels: 'team: a',
      template: 'taints: [{ key: team, value: a, effect: NoSchedule }]',
    });
    const meant = verdictOf([CLASS, labelled, select(documents[2])], { region: 'us-east-1' }).errors;
    expect(meant.map(({ rule }) => rule)).toEqual(['KARP-216']);
    expect(meant[0].remedy).toContain('tolerate team=a:NoSchedule');
  });

  test('in the selector of spread constraints is one finding, with an edit of all of them', () => {
    const documents = [
      CLASS,
      pool('main', { requirements: [ON_DEMAND, AMD64, isType('m7i.large')] }),
      workload('web', { pod: SPREAD }),
      pdb('web', 'web'),
    ];
    expect(rulesOf(documents)).toEqual(['KARP-428 web']);
    const [{ fix }] = verdictOf(documents).findings.filter(({ rule }) => rule === 'KARP-428');
    const { file } = withFixes({ path: 'a.yaml', text: documents.join('---\n') }, [fix!]);
    expect(rulesOf(file.text.split('---\n'))).toEqual([]);
  });

  test('that puts pods with volumes on one node is the missing spread, and not also their zone', () => {
    const claim = '{ accessModes: [ReadWriteOnce], storageClassName: gp2, resources: { requests: { storage: 1Gi } } }';
    const set = workload('web', { replicas: 2 })
      .replace('kind: Deployment', 'kind: StatefulSet')
      .replace('spec:\n', `spec:\n  volumeClaimTemplates: [{ metadata: { name: data }, spec: ${claim} }]\n`);
    const found = rulesOf([CLASS, LARGE, set, pdb('web', 'web')]);
    expect(found.filter((name) => /KARP-4(14|25)/.test(name))).toEqual(['KARP-414 web']);
  });

  test('in the key of a preferred spread is that key, and not also the missing spread', () => {
    const soft = SPREAD.replace(/other/g, 'web').replace(/DoNotSchedule/g, 'ScheduleAnyway');
    const misspelt = soft.replace('/zone,', '/zones,').replace('/hostname', '/host');
    const documents = [
      CLASS,
      pool('main', { requirements: [ON_DEMAND, AMD64, isType('m7i.large')] }),
      workload('web', { pod: misspelt }),
      pdb('web', 'web'),
    ];
    expect(rulesOf(documents)).toEqual(['KARP-105 web', 'KARP-105 web']);
  });

  test('in the selector of a PodDisruptionBudget is that selector, and not also a missing budget', () => {
    const documents = [
      CLASS,
      pool('main'),
      workload('web', { pod: SPREAD.replace(/other/g, 'web') }),
      pdb('web', 'wbe'),
    ];
    expect(rulesOf(documents)).toEqual(['KARP-412 web']);
    const [{ remedy, fix }] = verdictOf(documents).findings.filter(({ rule }) => rule === 'KARP-412');
    expect(remedy).toBe('write the labels of Deployment web as selector, which has no other PodDisruptionBudget');
    expect(fix?.title).toBe('write selector: {matchLabels: {app: web}}');
  });

  test('in the namespace of a PodDisruptionBudget is that namespace, and not also a missing budget', () => {
    const elsewhere = pdb('web', 'web').replace('namespace: shop', 'namespace: shpo');
    expect(rulesOf([CLASS, LARGE, workload('web'), elsewhere])).toEqual(['KARP-412 web', 'KARP-414 web']);
  });

  test('that leaves pods on one node is that nothing spreads them, and not also their only zone', () => {
    const front = workload('front', { pod: SPREAD.replace(/other/g, 'front') });
    const web = workload('web', { replicas: 2, requests: 'cpu: 4, memory: 8Gi' });
    const documents = [CLASS, LARGE, front, pdb('front', 'front'), web];
    expect(rulesOf([...documents, pdb('web', 'web')])).toEqual(['KARP-414 web']);
    expect(rulesOf(documents)).toEqual(['KARP-402 web']);
  });

  test('of a budget that was meant for none of the workloads leaves the workload without one', () => {
    const documents = [
      CLASS,
      pool('main'),
      workload('web', { pod: SPREAD.replace(/other/g, 'web') }),
      pdb('cache', 'redis'),
    ];
    expect(verdictOf(documents).findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['KARP-402', 'KARP-412']),
    );
  });

  test.each([
    ['clusterName: demo, interruptionQueueName: jobs', 'KARP-115', false],
    ['clusterName: demo, interuptionQueue: jobs', 'KARP-115', false],
    ['clusterNam: demo', 'KARP-115', true],
  ])('in the chart value %s is that value, and a missing queue only if it names no queue', (value, rule, isMissing) => {
    const application = karpenter(`controller: { ${RESOURCES} }
        settings: { ${value} }`);
    const spot = pool('main', { requirements: [AMD64, ON_DEMAND.replace('on-demand', 'spot')] });
    const rules = rulesOf([CLASS, spot, application]);
    expect(rules.filter((found) => /KARP-(115|919)/.test(found))).toEqual([`${rule} karpenter`]);
    expect(rules.includes('KARP-501 karpenter')).toBe(isMissing);
  });

  test('in the place of the resources of Karpenter is that place, and not also that it has none', () => {
    const misplaced = karpenter(`${RESOURCES}
        settings: { clusterName: demo }`);
    expect(rulesOf([CLASS, pool('main'), misplaced])).toEqual(['KARP-919 karpenter']);
  });

  test('in a template of a leader and its workers is one finding, with the NodePool that was meant', () => {
    const set = (name: string) => `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: llm, namespace: shop }
spec:
  replicas: 1
  leaderWorkerTemplate:
    size: 2
    workerTemplate:
      spec:
        nodeSelector: { karpenter.sh/nodepool: ${name} }
        containers: [{ name: main, image: i, resources: { requests: { cpu: 1, memory: 1Gi }, limits: { memory: 1Gi } } }]
`;
    const errorsOf = (name: string) =>
      verdictOf([CLASS, pool('gpu'), set(name)]).findings.filter(({ severity }) => severity === 'error');
    for (const name of ['gpu-pool', 'nodepool-gpu', 'gpu-nodes'])
      expect(errorsOf(name)).toMatchObject([
        { rule: 'KARP-213', remedy: `select nodes with nodepool gpu instead of ${name}` },
      ]);
    // Nodes of another team are no remedy.
    expect(
      errorsOf('team-b')
        .map(({ remedy }) => remedy)
        .join(),
    ).not.toContain('select nodes');
  });

  test('in the duration of a budget is a budget that never allows, and not also expiry in its windows', () => {
    const documentsWith = (duration: string) => [
      CLASS,
      pool('main', { requirements: [ON_DEMAND, AMD64] }).replace(
        'spec:\n',
        `spec:\n  disruption: { consolidateAfter: 5m, budgets: [{ nodes: "0", schedule: "@daily", duration: ${duration} }] }\n`,
      ),
    ];
    const rules = (duration: string) => rulesOf(documentsWith(duration)).filter((rule) => /KARP-4(05|17)/.test(rule));
    expect(rules('24h')).toEqual(['KARP-417 main']);
    expect(rules('8h')).toEqual(['KARP-405 main']);
  });
});

describe('a StorageClass for zones of another region', () => {
  test('is one error, for which the pods wait', () => {
    const claims = `  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const storageClass = (zones: string) => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{ matchLabelExpressions: [{ key: topology.kubernetes.io/zone, values: [${zones}] }] }]
`;
    const errorsWith = (zones: string) =>
      verdictOf(
        [CLASS, pool('main'), workload('db', { kind: 'StatefulSet', replicas: 2 }) + claims, storageClass(zones)],
        { region: 'us-east-1' },
      ).errors.map(({ rule, subject, message }) => [rule, subject, message.replace(/.*; /, '')]);
    expect(errorsWith('eu-west-1a')).toEqual([
      ['KARP-216', 'StorageClass fast', '2 pods of StatefulSet shop/db wait for it'],
    ]);
    expect(errorsWith('us-east-1a')).toEqual([]);
  });
});
