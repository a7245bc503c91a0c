import { rootsOf } from '../../../../src/validation/manifest';
import { listReplacedByPatch } from '../../../../src/validation/rules/api/list-replaced-by-patch';
import { judgeFiles } from '../judge';

const ARCH = '{ key: kubernetes.io/arch, operator: In, values: [amd64] }';
const ON_DEMAND = '{ key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }';
const SPOT = '{ key: karpenter.sh/capacity-type, operator: In, values: [spot] }';
const FAMILY = '{ key: karpenter.k8s.aws/instance-family, operator: In, values: [c7i] }';

function pool(name: string, spec: string): string {
  return `apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: ${name} }\nspec: ${spec}`;
}

function nodeClass(spec: string): string {
  return `apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: main }\nspec: ${spec}`;
}

function requirements(...entries: readonly string[]): string {
  return `{ template: { spec: { requirements: [${entries.join(', ')}] } } }`;
}

function judgedBuild(base: string, kustomization: string, patch = '') {
  const [root] = rootsOf([
    { path: 'prod/pools.yaml', text: base },
    { path: 'prod/patch.yaml', text: patch },
    { path: 'prod/kustomization.yaml', text: `resources: [pools.yaml]\n${kustomization}` },
  ]);
  return judgeFiles(listReplacedByPatch, root.sources);
}

function judgedPatch(base: string, patch: string, kustomization = 'patches: [{ path: patch.yaml }]') {
  return judgedBuild(base, kustomization, patch);
}

const lostIn = (judgement: ReturnType<typeof judgedPatch>) => judgement.findings.map(({ evidence }) => evidence.lost);

describe('KARP-158 list-replaced-by-patch', () => {
  test('names the requirements that a patch of one requirement drops, and the patch that keeps them', () => {
    const base = pool('main', requirements(ARCH, ON_DEMAND, FAMILY));
    const [finding] = judgedPatch(base, pool('main', requirements(SPOT))).findings;
    expect(finding.message).toBe(
      'loses kubernetes.io/arch In ["amd64"] and karpenter.k8s.aws/instance-family In ["c7i"]: ' +
        'kustomize merges no lists of custom resources, so the patch replaces all 3 entries',
    );
    expect(finding.remedy).toContain(
      'target NodePool main: [{"op":"replace","path":"/spec/template/spec/requirements/1/values","value":["spot"]}]; ',
    );
    expect(finding.object.locate(finding.path)).toMatchObject({
      file: 'prod/patch.yaml',
      path: 'spec.template.spec.requirements',
    });
  });

  test('adds what the base does not have at the end of the list', () => {
    const [finding] = judgedPatch(pool('main', requirements(ARCH)), pool('main', requirements(FAMILY))).findings;
    expect(finding.evidence.operations).toEqual([
      { op: 'add', path: '/spec/template/spec/requirements/-', value: expect.objectContaining({ operator: 'In' }) },
    ]);
  });

  test('points at the text of a patch that is in the kustomization', () => {
    const patch = JSON.stringify(pool('main', requirements(SPOT)));
    const [finding] = judgedBuild(
      pool('main', requirements(ARCH, ON_DEMAND)),
      `patches:\n  - patch: ${patch}`,
    ).findings;
    expect(finding.object.locate(finding.path)).toMatchObject({ file: 'prod/kustomization.yaml', line: 3 });
  });

  test('is one finding for a patch with several targets', () => {
    const base = [pool('a', requirements(ARCH, ON_DEMAND)), pool('b', requirements(FAMILY, ON_DEMAND))].join('\n---\n');
    const kustomization = 'patches: [{ path: patch.yaml, target: { kind: NodePool } }]';
    const { findings } = judgedPatch(base, pool('any', requirements(SPOT)), kustomization);
    expect(findings.map(({ evidence }) => evidence.targets)).toEqual([['a', 'b']]);
    expect(findings[0].message).toContain('; the same for NodePool b');
  });

  test.each([
    ['taints', '[{ key: a, effect: NoSchedule }]', '[{ key: b, effect: NoSchedule }]', 'taint a:NoSchedule'],
    ['startupTaints', '[{ key: a, effect: NoExecute }]', '[{ key: b, effect: NoExecute }]', 'taint a:NoExecute'],
  ])('names the entries of %s that are lost', (field, before, after, lost) => {
    const spec = (list: string) => pool('main', `{ template: { spec: { ${field}: ${list} } } }`);
    expect(lostIn(judgedPatch(spec(before), spec(after)))).toEqual([[lost]]);
  });

  test('names a budget with a window that is lost', () => {
    const spec = (list: string) => pool('main', `{ disruption: { budgets: [${list}] } }`);
    const window = '{ nodes: "0", schedule: "0 9 * * *", duration: 8h }';
    expect(lostIn(judgedPatch(spec(`{ nodes: 10% }, ${window}`), spec('{ nodes: 50% }')))).toHaveLength(1);
    expect(lostIn(judgedPatch(spec(`{ nodes: 10% }, ${window}`), spec('{ nodes: "0" }')))).toEqual([]);
  });

  test('names the fields of a volume that are lost', () => {
    const spec = (ebs: string) => nodeClass(`{ blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { ${ebs} } }] }`);
    const [finding] = judgedPatch(
      spec('volumeSize: 20Gi, encrypted: true, volumeType: gp3'),
      spec('volumeSize: 99Gi'),
    ).findings;
    expect(finding.evidence.lost).toEqual(['ebs.encrypted true of /dev/xvda', 'ebs.volumeType "gp3" of /dev/xvda']);
    expect(finding.evidence.operations).toEqual([
      { op: 'replace', path: '/spec/blockDeviceMappings/0/ebs/volumeSize', value: '99Gi' },
    ]);
  });

  test('names a selector term that is lost beside one that the patch changes', () => {
    const spec = (terms: string) => nodeClass(`{ securityGroupSelectorTerms: [${terms}] }`);
    const base = spec('{ tags: { discovery: a } }, { id: sg-0123456789abcdef0 }');
    expect(lostIn(judgedPatch(base, spec('{ tags: { discovery: b } }')))).toEqual([['{"id":"sg-0123456789abcdef0"}']]);
    expect(lostIn(judgedPatch(base, spec('{ name: other }')))).toEqual([]);
  });

  test.each([
    ['repeats every key', requirements(ARCH, SPOT)],
    ['repeats an entry, and leaves one out', requirements(ARCH)],
    ['empties the list', '{ template: { spec: { requirements: [] } } }'],
    ['changes another field', '{ weight: 10 }'],
    ['has a directive', '{ template: { spec: { $patch: replace, requirements: [] } } }'],
  ])('is silent about a patch that %s', (_, spec) => {
    expect(judgedPatch(pool('main', requirements(ARCH, ON_DEMAND)), pool('main', spec)).findings).toEqual([]);
  });

  test('is silent about a JSON patch, and about entries that a later patch adds again', () => {
    const base = pool('main', requirements(ARCH, ON_DEMAND));
    const path = '/spec/template/spec/requirements';
    const json = `[{ op: replace, path: ${path}, value: [${SPOT}] }]`;
    const kustomization = 'patches: [{ path: patch.yaml, target: { kind: NodePool } }]';
    expect(judgedPatch(base, json, kustomization).findings).toEqual([]);
    const again = `{ patch: '[{ op: add, path: ${path}/-, value: ${ARCH} }]', target: { kind: NodePool } }`;
    const both = `patches: [{ path: patch.yaml }, ${again}]`;
    expect(judgedPatch(base, pool('main', requirements(SPOT)), both).findings).toEqual([]);
  });
});
