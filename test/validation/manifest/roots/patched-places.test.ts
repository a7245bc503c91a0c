import { check, rootsOf } from '../../../../src/validation';
import { nodeClass, nodePool } from '../../rules/judge';

const found = (path: string, text: string) => ({ path, text, isFound: true });
const kustomization = (folder: string, fields: object) =>
  found(
    `${folder}/kustomization.yaml`,
    JSON.stringify({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...fields }),
  );
const placesOf = (rule: string, pool: object, patch: string, patches: object) => {
  const [root] = rootsOf([
    kustomization('base', { resources: ['pool.yaml', 'class.yaml'] }),
    found('base/pool.yaml', nodePool('default', pool)),
    found('base/class.yaml', nodeClass()),
    kustomization('live', { resources: ['../base'], ...patches }),
    found('live/patch.yaml', patch),
  ]);
  return check(root.sources, { region: 'eu-west-1' })
    .findings.filter((finding) => finding.rule === rule)
    .map(({ location, fix }) => [location.file, location.path, fix !== undefined]);
};
const BUDGETS = 'spec.disruption.budgets';
const open = { disruption: { budgets: [{ nodes: '100%', reasons: ['Empty', 'Underutilized'] }] } };

describe('a finding about a kustomization', () => {
  const patch = JSON.stringify({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: open,
  });

  test.each([
    ['patches', { patches: [{ path: 'patch.yaml' }] }],
    ['patches with a target', { patches: [{ path: 'patch.yaml', target: { kind: 'NodePool' } }] }],
    ['patchesStrategicMerge', { patchesStrategicMerge: ['patch.yaml'] }],
  ])('is at the patch that adds the value, without an edit of the base: %s', (_, patches) => {
    expect(placesOf('KARP-430', {}, patch, patches)).toEqual([['live/patch.yaml', BUDGETS, false]]);
  });

  test('is at the patch that replaces the list of the base', () => {
    const pool = { disruption: { budgets: [{ nodes: '10%' }] } };
    expect(placesOf('KARP-430', pool, patch, { patches: [{ path: 'patch.yaml' }] })).toEqual([
      ['live/patch.yaml', BUDGETS, false],
    ]);
  });

  test('is at the base if the patch changes something else', () => {
    const other = patch.replace(/"spec":.*/, '"spec":{"weight":5}}');
    expect(placesOf('KARP-430', open, other, { patches: [{ path: 'patch.yaml' }] })).toEqual([
      ['base/pool.yaml', BUDGETS, true],
    ]);
  });
});
