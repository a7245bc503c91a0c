import { v1ObjectsOf } from '../../../src/conversion';
import { check, CheckOptions, renderHtml, renderMarkdown, renderText } from '../../../src/validation';
import { deployment, manifests, SMALL } from '../setup';

const NEVER = 'expireAfter: Never';
const DAYS = 'expireAfter: 14d';
const BOTTLEROCKET = 'bottlerocket@v1.39.0';

interface ClassFields {
  readonly apiVersion?: string;
  readonly alias?: string;
  readonly role?: string;
  readonly fields?: string;
}

function nodeClass(
  name: string,
  { apiVersion = 'v1', alias = 'al2023@v20250501', role = 'node', fields = '' }: ClassFields = {},
): string {
  return `apiVersion: karpenter.k8s.aws/${apiVersion}
kind: EC2NodeClass
metadata: { name: ${name} }
spec:
  role: ${role}
  amiSelectorTerms: [{ alias: ${alias} }]
  subnetSelectorTerms: [{ tags: { a: b } }]
  securityGroupSelectorTerms: [{ tags: { a: b } }]
${fields}`;
}

interface PoolFields {
  readonly nodeClass?: string;
  readonly expiry?: string;
  readonly taint?: string;
  readonly budgets?: string;
}

function pool(name: string, { nodeClass: ref = 'main', expiry = NEVER, taint, budgets }: PoolFields = {}): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  limits: { cpu: 100 }
${budgets === undefined ? '' : `  disruption: { consolidateAfter: 1m, budgets: [${budgets}] }\n`}  template:
    spec:
      ${expiry}
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: ${ref} }
      requirements:
      - { key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.xlarge] }
      - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
${taint === undefined ? '' : `      taints: [{ key: ${taint}, effect: NoSchedule }]\n`}`;
}

const onPool = (name: string) => `      nodeSelector: { karpenter.sh/nodepool: ${name} }\n`;
const TOLERATES = '      tolerations: [{ key: batch, operator: Exists }]\n';
const WEB = deployment('web', 3, SMALL, onPool('web'));
const BATCH = deployment('batch', 2, SMALL, `${onPool('batch')}${TOLERATES}`);

function verdict(documents: readonly string[], options: CheckOptions = {}) {
  return check(manifests(...documents), { convertLegacy: v1ObjectsOf, ...options });
}

/** The outcome as a single line. */
function outcomeOf(documents: readonly string[], options: CheckOptions = {}): string {
  return renderText(verdict(documents, options), { width: 1000 }).split('\n')[0];
}

function messages(documents: readonly string[], rule: string): string[] {
  return verdict(documents)
    .findings.filter((finding) => finding.rule === rule && finding.severity === 'error')
    .map(({ message }) => message);
}

describe('nodes that never join the cluster', () => {
  const fields = "  instanceStorePolicy: RAID0\n  userData: 'mdadm --create /dev/md0 /dev/nvme1n1'\n";
  const broken = [nodeClass('main', { fields }), pool('web'), WEB];

  test('give their pods no node in the outcome', () => {
    expect(outcomeOf(broken)).toMatch(
      /^None of the 3 pods fits as it is: nodes of EC2NodeClass main never join the cluster; with that corrected, all/,
    );
    expect(messages(broken, 'KARP-154').join()).toContain('3 pods of Deployment default/web wait for it');
  });

  test('keep their pods from a NodePool of another class', () => {
    const documents = [...broken, nodeClass('other'), pool('other', { nodeClass: 'other' })];
    const { asWritten, nodes } = verdict(
      documents.map((text) => text.replace('limits:', 'weight: 1\n  limits:')),
    ).summary;
    expect(nodes).toBe(1);
    expect(asWritten?.scheduledPods).toBe(0);
  });
});

test('pods without an address on their planned node do not start in the outcome', () => {
  const cni = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: aws-node, namespace: kube-system }
spec:
  selector: { matchLabels: { k8s-app: aws-node } }
  template:
    metadata: { labels: { k8s-app: aws-node } }
    spec:
      hostNetwork: true
      containers: [{ name: aws-node, image: i, env: [{ name: ENABLE_PREFIX_DELEGATION, value: "false" }], resources: { requests: { cpu: 25m } } }]
`;
  const documents = [nodeClass('main', { fields: '  kubelet: { maxPods: 110 }\n' }), pool('web'), cni];
  const { summary } = verdict([...documents, deployment('web', 40, 'cpu: 10m, memory: 16Mi')]);
  expect(summary.notStarted).toMatchObject({ rules: ['KARP-252'] });
  expect(outcomeOf([...documents, deployment('web', 40, 'cpu: 10m, memory: 16Mi')])).toMatch(
    /^All 40 pods fit on 1 node, .*, but at least \d+ of them do not start \(KARP-252\)/,
  );
});

test('pods of nodes that never become ready do not start in the outcome', () => {
  const tainted = pool('main').replace(
    'nodeClassRef:',
    'startupTaints: [{ key: ebs.csi.aws.com/agent-not-redy, effect: NoExecute }]\n      nodeClassRef:',
  );
  const documents = [nodeClass('main'), tainted, deployment('web', 3, 'cpu: 10m, memory: 16Mi')];
  expect(verdict(documents).summary.notStarted).toEqual({ pods: 3, rules: ['KARP-258'] });
  expect(outcomeOf(documents)).toMatch(/^All 3 pods fit .*, but none of them starts \(KARP-258\)/);
});

describe('a NodePool that the API server rejects', () => {
  const broken = [nodeClass('main'), pool('web'), pool('batch', { expiry: DAYS, taint: 'batch' }), WEB, BATCH];

  test('takes no pods in the outcome, which says what fits after the correction', () => {
    expect(outcomeOf(broken)).toMatch(
      /^3 of 5 pods fit as it is: the API server rejects NodePool batch; with that corrected, all 5 pods fit on 2 nodes, from \$/,
    );
  });

  test('is the only error, and counts the pods that wait for it', () => {
    const errors = verdict(broken).findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule }) => rule)).toEqual(['KARP-100']);
    expect(errors[0].message).toMatch(/; 2 pods of Deployment \S+\/batch wait for it$/);
    expect(errors[0].evidence).toMatchObject({ waitingPods: 2 });
  });

  test('keeps the plan of the corrected input', () => {
    const corrected = verdict(broken.map((text) => text.replace(DAYS, 'expireAfter: 336h')));
    const { summary, nodeClaims } = verdict(broken);
    expect(nodeClaims).toEqual(corrected.nodeClaims);
    expect(summary.cost).toEqual(corrected.summary.cost);
    expect(corrected.summary.asWritten).toBeUndefined();
  });

  test('is in the JSON with the pods that fit before the correction', () => {
    expect(verdict(broken).summary).toMatchObject({
      scheduledPods: 5,
      asWritten: {
        scheduledPods: 3,
        causes: [{ kind: 'NodePool', name: 'batch', rule: 'KARP-100', consequence: 'rejected' }],
      },
    });
  });

  test('is named in HTML and Markdown', () => {
    const sentence = '3 of 5 pods fit as it is: the API server rejects NodePool batch';
    expect(renderHtml(verdict(broken))).toContain(sentence);
    expect(renderHtml(verdict(broken))).toContain('2 wait for a correction');
    expect(renderMarkdown(verdict(broken))).toContain(sentence);
  });

  test('leaves its pods to another NodePool that takes them', () => {
    const documents = [nodeClass('main'), pool('a'), pool('b', { expiry: DAYS }), deployment('web', 3, SMALL)];
    expect(outcomeOf(documents)).toMatch(
      /^All 3 pods fit as it is, although the API server rejects NodePool b; with that corrected, all 3 pods fit on/,
    );
    expect(messages(documents, 'KARP-100').join()).not.toContain('wait for it');
  });

  test('leaves no pod a node if it is the only NodePool', () => {
    const budget = '{ nodes: "1", reasons: [Expired] }';
    expect(outcomeOf([nodeClass('main'), pool('web', { budgets: budget }), WEB])).toMatch(
      /^None of the 3 pods fits as it is: the API server rejects NodePool web; with that corrected, all 3 pods fit on 1 node/,
    );
    expect(outcomeOf([nodeClass('main'), pool('web', { budgets: budget }), deployment('web', 1, SMALL)])).toMatch(
      /^The pod does not fit as it is: the API server rejects NodePool web; with that corrected, the pod fits on 1 node/,
    );
  });

  test('does not matter if no pod of the plan is on its nodes', () => {
    const { summary } = verdict([nodeClass('main'), pool('web'), pool('batch', { expiry: DAYS, taint: 'batch' }), WEB]);
    expect(summary.asWritten).toBeUndefined();
  });

  test('runs on in a cluster that has an earlier version of it', () => {
    const cluster = manifests(pool('batch', { taint: 'batch' }), nodeClass('main'));
    expect(verdict(broken, { cluster }).summary.asWritten).toBeUndefined();
  });
});

describe('an API version that the release does not serve', () => {
  test('leaves no pod a node, and the plan is that of the converted objects', () => {
    const beta = (text: string) => text.replace('karpenter.sh/v1', 'karpenter.sh/v1beta1');
    const documents = [
      nodeClass('main', { apiVersion: 'v1beta1', fields: '  amiFamily: AL2023\n' }),
      beta(pool('web')).replace(`      ${NEVER}\n`, ''),
      WEB,
    ];
    expect(outcomeOf(documents)).toMatch(
      /^None of the 3 pods fits as it is: the API server rejects NodePool web and EC2NodeClass main; with that corrected, all 3 pods fit on 1 node/,
    );
    expect(
      messages(documents, 'KARP-101').filter((message) => /3 pods of \S+ \S+ wait for it$/.test(message)),
    ).toHaveLength(1);
  });
});

describe('a node class with which nothing is launched', () => {
  const SCRIPT = '  userData: |\n    #!/bin/bash\n    echo hello\n';

  test.each<[string, ClassFields, string]>([
    ['a shell script for Bottlerocket', { alias: BOTTLEROCKET, fields: SCRIPT }, 'KARP-150'],
    ['an impossible AMI version', { alias: 'al2023@1.31' }, 'KARP-917'],
    ['an invalid role name', { role: 'no role' }, 'KARP-610'],
    ['a tag of Karpenter', { fields: '  tags: { karpenter.sh/nodepool: web }\n' }, 'KARP-100'],
  ])('takes no pods with %s, and its error counts them', (_, fields, rule) => {
    const documents = [
      nodeClass('main'),
      nodeClass('other', fields),
      pool('web'),
      pool('batch', { nodeClass: 'other' }),
      WEB,
      BATCH,
    ];
    expect(outcomeOf(documents)).toMatch(
      /^3 of 5 pods fit as it is: (Karpenter launches no node for|the API server rejects) EC2NodeClass other; with that corrected, all 5 pods fit/,
    );
    expect(messages(documents, rule)).toEqual([expect.stringMatching(/; 2 pods of \S+ \S+ wait for it$/)]);
  });

  test('keeps its pods if only its script fails, because the node is launched', () => {
    const cloudConfig = '  userData: |\n    #cloud-config\n    runcmd: [echo]\n';
    const documents = [nodeClass('main', { fields: cloudConfig }), pool('web'), WEB];
    expect(messages(documents, 'KARP-150')).toHaveLength(1);
    expect(verdict(documents).summary.asWritten).toBeUndefined();
  });
});
