import { Label } from '../../../src/model';
import { check, SourceFile } from '../../../src/validation';
import { judge } from '../../../src/validation/check/remedies/judged-findings';
import { RemedyTrials, WORK } from '../../../src/validation/check/remedies/remedy-trials';
import { triedRemedies } from '../../../src/validation/check/remedies/tried-remedies';
import { readSession } from '../../../src/validation/context/check-session';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

function job(name: string, annotations = '{}', podFields = ''): string {
  return `apiVersion: batch/v1
kind: Job
metadata: { name: ${name} }
spec:
  template:
    metadata: { annotations: ${annotations} }
    spec:
      restartPolicy: Never
${podFields}      containers: [{ name: main, image: i, resources: { requests: { ${SMALL} }, limits: { memory: 1Gi } } }]
`;
}

function pool(capacityTypes: string, disruption = '', expireAfter = ''): string {
  return nodePool(
    ['m5.large'],
    'main',
    `  disruption: { consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 5m${disruption} }\n`,
  )
    .replace('[on-demand]', `[${capacityTypes}]`)
    .replace(
      'node.kubernetes.io/instance-type, operator: In, values: [m5.large]',
      `${Label.INSTANCE_CATEGORY}, operator: In, values: [c, m, r]`,
    )
    .replace('requirements:\n', 'requirements:\n      - { key: kubernetes.io/arch, operator: In, values: [amd64] }\n')
    .replace('      nodeClassRef', `${expireAfter}      nodeClassRef`);
}

const PROTECTED = '{ karpenter.sh/do-not-disrupt: "true" }';

const ON_SPOT = `      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{ matchExpressions: [{ key: karpenter.sh/capacity-type, operator: In, values: [spot] }] }]
`;

function found(sources: readonly SourceFile[], rule: string) {
  const finding = check(sources).findings.find((candidate) => candidate.rule === rule);
  if (finding === undefined) throw new Error(`${rule} is not found`);
  return finding;
}

/** The files with the fix of a finding. */
function fixed([file]: readonly SourceFile[], rule: string): SourceFile[] {
  const { fix } = found([file], rule);
  const lines = file.text.split('\n');
  const offset = (line: number, column: number) =>
    lines.slice(0, line - 1).join('\n').length + Number(line > 1) + column - 1;
  const text = [...(fix?.edits ?? [])]
    .reverse()
    .reduce(
      (result, edit) =>
        result.slice(0, offset(edit.line, edit.column)) +
        edit.text +
        result.slice(offset(edit.endLine, edit.endColumn)),
      file.text,
    );
  return [{ ...file, text }];
}

function problems(sources: readonly SourceFile[]): string[] {
  const { findings, unschedulable } = check(sources);
  const rules = findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, subject }) => `${rule} ${subject.name}`);
  return [...rules, ...unschedulable.map(({ pod }) => pod)];
}

const { total } = WORK;
afterEach(() => {
  WORK.total = total;
});

describe('remedies that are tried', () => {
  it('adds on-demand to a NodePool of spot nodes before pods require it, and says what that costs', () => {
    const sources = manifests(NODE_CLASS, pool('spot'), job('train', PROTECTED));

    const { remedy, fix } = found(sources, 'KARP-410');

    expect(remedy).toMatch(
      /^add on-demand to karpenter.sh\/capacity-type of NodePool main, and require it for the pods \(the nodes of the plan then cost \$0\.\d+\/h instead of \$0\.\d+\/h\)$/,
    );
    expect(fix?.title).toBe(remedy);
    expect(problems(fixed(sources, 'KARP-410'))).toEqual([]);
  });

  it('requires on-demand nodes for the pods if their NodePool has some', () => {
    const sources = manifests(NODE_CLASS, pool('spot, on-demand'), job('train', PROTECTED));

    expect(found(sources, 'KARP-410').remedy).toMatch(/^require karpenter.sh\/capacity-type: on-demand for the pods/);
    expect(problems(fixed(sources, 'KARP-410'))).toEqual([]);
  });

  it('joins two remedies if the first one causes the finding of the second one', () => {
    const sources = manifests(NODE_CLASS, pool('spot, on-demand'), job('train'));

    expect(found(sources, 'KARP-424').remedy).toMatch(
      /^annotate the pod template with karpenter.sh\/do-not-disrupt: "true" or a duration, and require karpenter.sh\/capacity-type: on-demand for the pods/,
    );
    expect(problems(fixed(sources, 'KARP-424'))).toEqual([]);
  });

  it('advises one node instead of a window if expiry would ignore the window', () => {
    const sources = manifests(
      NODE_CLASS,
      pool('on-demand', ', budgets: [{ nodes: "0" }]', '      expireAfter: 720h\n'),
    );

    expect(found(sources, 'KARP-417').remedy).toBe(
      'allow at least 1 node, or limit the budget to certain hours with schedule and duration',
    );
    expect(problems(fixed(sources, 'KARP-417'))).toEqual([]);
  });

  it('gives the advice without an edit if the pods can use no other nodes', () => {
    const { remedy, fix } = found(
      manifests(NODE_CLASS, pool('spot, on-demand'), job('train', PROTECTED, ON_SPOT)),
      'KARP-410',
    );

    expect(remedy).toBe('checkpoint the work often, because NodePool main has no on-demand nodes for the pods');
    expect(fix).toBeUndefined();
  });

  it('says what a remedy leads to, without a fix, if nothing else helps', () => {
    const { remedy, fix } = found(
      manifests(NODE_CLASS, pool('spot, on-demand'), job('train', '{}', ON_SPOT)),
      'KARP-424',
    );

    expect(remedy).toMatch(
      /; this alone leads to another problem \(KARP-410 for Job train: the node planned for its pods may be spot\)$/,
    );
    expect(fix).toBeUndefined();
  });

  it('does not blame a remedy for a finding that could not be judged before, because pods had no node', () => {
    const spread =
      '      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n';
    const others = [deployment('web', 1, 'cpu: 1, memory: 1Gi', spread), deployment('api', 2, SMALL)];
    const misspelt = deployment('old', 1, SMALL, '      nodeSelector: { kubernetes.io/arch: x86_64 }\n');
    const { remedy } = found(manifests(NODE_CLASS, pool('on-demand'), ...others, misspelt), 'KARP-213');

    expect(remedy).toBe('select nodes with arch amd64 instead of x86_64');
  });

  it('keeps the remedies of an input that is too large to try them', () => {
    const sources = manifests(NODE_CLASS, pool('spot'), job('train', PROTECTED));
    WORK.total = 0;

    expect(found(sources, 'KARP-410').remedy).toMatch(/^require karpenter.sh\/capacity-type: on-demand for the pods/);
  });
});

test('writes a missing PodDisruptionBudget behind its workload, and removes the finding with it', () => {
  const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]
      containers: [{ name: main, image: i, resources: { requests: { ${SMALL} }, limits: { memory: 1Gi } } }]
`;
  const sources = manifests(pool('on-demand'), web, NODE_CLASS);
  const { remedy, fix } = found(sources, 'KARP-402');
  expect([remedy, fix?.title, fix?.safe]).toEqual([
    'add a PodDisruptionBudget with maxUnavailable: 1 and the selector of the Deployment',
    'add PodDisruptionBudget web',
    false,
  ]);
  const rules = check(fixed(sources, 'KARP-402')).findings.map(({ rule }) => rule);
  expect(rules.filter((rule) => /^KARP-(0|1|402|411|412|413)/.test(rule))).toEqual([]);
});

test('says how many remedies are not tried, because the input is too large', () => {
  const [file] = manifests(NODE_CLASS, pool('spot, on-demand'), job('train', PROTECTED));
  const untried = (source: SourceFile) => check([source]).assumptions.filter((sentence) => /not tried/.test(sentence));
  expect(untried(file)).toEqual([]);
  WORK.total = 0;
  expect(untried(file)).toEqual([
    expect.stringMatching(/^\d remed(y is|ies are) not tried on the whole input, because that would take too long: /),
  ]);
});

test('tries the remedies of many workloads in few trials, with the result that each of them has alone', () => {
  const workloads = Array.from({ length: 12 }, (_, index) => [
    deployment(`web${index}`, 2, SMALL).replace('name: main,', 'name: main, image: shop/web:1,'),
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web${index} }\nspec: { maxUnavailable: 1, selector: { matchLabels: { app: web${index} } } }\n`,
  ]).flat();
  const spotOnly = nodePool(['m5.large'], 'main').replace('[on-demand]', '[spot]');
  const session = readSession(manifests(NODE_CLASS, spotOnly, ...workloads, job('train', PROTECTED)));
  const judged = judge(session.ruleContext, true).findings;
  const trials = new RemedyTrials(session);
  const tries = jest.spyOn(trials as unknown as { tryChanges: () => void }, 'tryChanges');
  const together = triedRemedies(judged, trials);
  expect(together.size).toBe(9);
  expect([tries.mock.calls.length < 7, trials.untried]).toEqual([true, 0]);
  const sample = judged
    .filter(({ finding }) => together.has(finding))
    .filter((_, index, { length }) => index < 3 || index > length - 3);
  for (const finding of sample)
    expect(triedRemedies([finding], new RemedyTrials(session)).get(finding.finding)).toEqual(
      together.get(finding.finding),
    );
});
