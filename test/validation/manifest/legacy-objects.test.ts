import { v1ObjectsOf } from '../../../src/conversion';
import { check, CheckOptions } from '../../../src/validation';
import { deployment, manifests, SMALL } from '../setup';

const BETA_CLASS = `apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: { name: main }
spec:
  amiFamily: AL2023
  role: node
  subnetSelectorTerms: [{ tags: { a: b } }]
  securityGroupSelectorTerms: [{ tags: { a: b } }]
`;
const BETA_POOL = `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: { name: default }
spec:
  limits: { cpu: 1000 }
  template:
    spec:
      nodeClassRef: { name: main }
      kubelet: { maxPods: 20 }
      requirements:
      - { key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.larg] }
      - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
`;
const WEB = deployment('web', 1, SMALL);

function controller(version: string): string {
  return deployment('karpenter', 2, SMALL, '').replace(
    'name: main,',
    `name: controller, image: "public.ecr.aws/karpenter/controller:${version}",`,
  );
}

function verdict(documents: readonly string[], options: CheckOptions = {}) {
  return check(manifests(...documents), { convertLegacy: v1ObjectsOf, ...options });
}

const rulesIn = (...args: Parameters<typeof verdict>) => verdict(...args).findings.map(({ rule }) => rule);

describe('objects of older API versions', () => {
  test('are reported, and then planned as v1 objects', () => {
    const { summary, findings, nodePools, assumptions } = verdict([BETA_CLASS, BETA_POOL, WEB]);
    expect(findings.filter(({ rule }) => rule === 'KARP-101')).toHaveLength(2);
    expect(summary.scheduledPods).toBe(1);
    expect(nodePools.map(({ name }) => name)).toEqual(['default']);
    expect(assumptions.join('\n')).toContain('older API versions of Karpenter are judged as the v1 objects');
    expect(assumptions.join('\n')).not.toContain('KARP-103 is not evaluated');
  });

  test('have findings at the lines that they are written at', () => {
    const { findings } = verdict([BETA_CLASS, BETA_POOL.replace('[m5.large, m5.larg]', '[m5.larg]'), WEB]);
    const finding = findings.find(({ subject, rule }) => subject.kind === 'NodePool' && rule !== 'KARP-101');
    expect(finding?.location).toMatchObject({ file: 'setup.yaml', line: 20 });
    expect(finding?.fix).toBeUndefined();
  });

  test('have a fix for limits and disruption that are indented too far', () => {
    const text = `${BETA_POOL.replace('  limits: { cpu: 1000 }\n', '')}    limits: { cpu: 1000 }\n    disruption: { expireAfter: 720h }\n`;
    const found = verdict([BETA_CLASS, text, WEB]).findings.filter(({ rule }) => rule === 'KARP-100');
    const misplaced = found.filter(({ location }) => !location.path.includes('values'));
    expect(misplaced.map(({ location, remedy }) => [location.path, remedy])).toEqual([
      ['spec.template.limits', 'move it to spec.limits'],
      ['spec.template.disruption', 'move it to spec.disruption'],
    ]);
    expect(misplaced.map(({ fix }) => fix?.safe)).toEqual([true, true]);
    expect(misplaced[0].fix?.title).toBe('move spec.template.limits to spec.limits');
  });

  test('have no fix for limits that stand in both places', () => {
    const text = `${BETA_POOL}    limits: { cpu: 2 }\n`;
    const found = verdict([BETA_CLASS, text, WEB]).findings.filter(({ remedy }) => remedy === 'move it to spec.limits');
    expect(found.map(({ fix }) => fix)).toEqual([undefined]);
  });

  test('have no finding about a consolidateAfter that only the conversion writes', () => {
    const underutilized = BETA_POOL.replace('spec:', 'spec:\n  disruption: { consolidationPolicy: WhenUnderutilized }');
    const slow = WEB.replace('name: main,', 'name: main, readinessProbe: { initialDelaySeconds: 90 },');
    expect(slow).not.toBe(WEB);
    expect(rulesIn([BETA_CLASS, underutilized, slow])).toContain('KARP-101');
    expect(rulesIn([BETA_CLASS, underutilized, slow])).not.toContain('KARP-421');
  });

  test('are no error if the input installs a release that serves them', () => {
    const { summary, findings, assumptions } = verdict([BETA_CLASS, BETA_POOL, WEB, controller('1.0.8')]);
    expect(findings.map(({ rule }) => rule)).not.toContain('KARP-101');
    expect(summary.scheduledPods).toBe(3);
    expect(assumptions.join('\n')).toContain('Karpenter is 1.0.8: fields and rules are those of this release');
  });

  test('are judged as a release before 1.0 serves them, if the input installs it', () => {
    const provisioner = 'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: { name: old }\nspec: {}\n';
    expect(rulesIn([BETA_CLASS, BETA_POOL, provisioner, WEB, controller('0.32.1')])).not.toContain('KARP-101');
    const { findings } = verdict([BETA_CLASS, BETA_POOL, provisioner, WEB, controller('0.33.0')]);
    expect(findings.filter(({ rule }) => rule === 'KARP-101').map(({ subject }) => subject.kind)).toEqual([
      'Provisioner',
    ]);
  });

  test('are judged by the given version, whatever the input installs', () => {
    expect(rulesIn([BETA_CLASS, BETA_POOL, controller('0.32.1')], { karpenterVersion: '1.15.1' })).toContain(
      'KARP-101',
    );
  });
});

describe('remedies about AMIs of older API versions', () => {
  const remedyOf = (rule: string, documents: readonly string[], options: CheckOptions = {}) =>
    verdict(documents, options).findings.find((finding) => finding.rule === rule)?.remedy;
  const AL2_CLASS = BETA_CLASS.replace('AL2023', 'AL2');

  test('have the fields of the API that the release serves', () => {
    const documents = [AL2_CLASS, BETA_POOL, WEB, controller('0.37.0')];
    expect(remedyOf('KARP-905', documents)).toMatch(/^select one AMI by its id in spec\.amiSelectorTerms, and/);
    expect(remedyOf('KARP-907', documents)).toBe('write amiFamily: AL2023 or Bottlerocket');
    expect(remedyOf('KARP-907', [AL2_CLASS, BETA_POOL, WEB, controller('0.33.1')])).toBe(
      'write amiFamily: Bottlerocket, or AL2023 after an upgrade to 0.35.0 or later',
    );
  });

  test('have those of v1 if the release serves only that', () => {
    expect(remedyOf('KARP-907', [AL2_CLASS, BETA_POOL, WEB])).toMatch(/^write an alias/);
  });

  test('do not ask to pin the newest AMI of a class that only the conversion makes', () => {
    expect(rulesIn([AL2_CLASS, BETA_POOL, WEB])).not.toContain('KARP-905');
  });
});
