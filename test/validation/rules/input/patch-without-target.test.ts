import { check, rootsOf } from '../../../../src/validation';
import { deployment, nodeClass, nodePool, types } from '../judge';

const BASE = [nodePool('default', { requirements: [types('m5.large')] }), nodeClass()].join('\n---\n');

/** The findings of an overlay, with the kustomization that patches the pool. */
function findingsOf(kustomization: object, files: Readonly<Record<string, string>> = {}) {
  const all = {
    'overlay/base.yaml': BASE,
    'overlay/kustomization.yaml': JSON.stringify({ resources: ['base.yaml'], ...kustomization }, undefined, 1),
    ...files,
  };
  const roots = rootsOf(Object.entries(all).map(([path, text]) => ({ path, text, isFound: true })));
  return roots.flatMap(({ sources }) => check(sources).findings.filter(({ rule }) => rule === 'KARP-011'));
}

const PATCH = '[{"op":"add","path":"/spec/weight","value":10}]';
const patched = (target: object, others: object = {}) => findingsOf({ patches: [{ target, patch: PATCH }], ...others });

describe('KARP-011 patch-without-target', () => {
  test.each([
    ['name', { kind: 'NodePool', name: 'defualt' }, 'write name: default in the target'],
    ['kind', { kind: 'Nodepool', name: 'default' }, 'write kind: NodePool in the target'],
    [
      'version',
      { group: 'karpenter.sh', version: 'v1beta1', kind: 'NodePool', name: 'default' },
      'write version: v1 in the target',
    ],
    [
      'group',
      { group: 'karpenter.k8s.aws', kind: 'NodePool', name: 'default' },
      'write group: karpenter.sh in the target',
    ],
  ])('reports a target with another %s, and the value of the object that is meant', (field, target, remedy) => {
    const [finding, ...others] = patched(target);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      location: { file: 'overlay/kustomization.yaml', path: `patches[0].target.${field}` },
      remedy,
    });
  });

  test('reports a replacement whose target is misspelt', () => {
    const source = { kind: 'EC2NodeClass', name: 'default', fieldPath: 'metadata.name' };
    const replaced = (name: string) => {
      const targets = [{ select: { kind: 'NodePool', name }, fieldPaths: ['spec.template.spec.nodeClassRef.name'] }];
      return findingsOf({ replacements: [{ source, targets }] });
    };
    expect(replaced('default')).toEqual([]);
    expect(replaced('defualt')).toMatchObject([
      { location: { path: 'replacements[0].targets[0].select.name' }, remedy: 'write name: default in the target' },
    ]);
  });

  test('reports a NodePool that no base has, with those that are there, but not in a component', () => {
    const target = { kind: 'NodePool', name: 'gpu' };
    expect(patched(target).map(({ remedy }) => remedy)).toEqual([
      'write the name of an object that is built, or remove the patch: there is 1 other NodePool (default)',
    ]);
    expect(patched({ kind: 'EC2NodeClass', name: 'other-class' })).toHaveLength(1);
    const component = {
      kind: 'Component',
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      patches: [{ target, patch: PATCH }],
    };
    expect(findingsOf({ components: ['../gpu'] }, { 'gpu/kustomization.yaml': JSON.stringify(component) })).toEqual([]);
  });

  test('reports an entry of images that no container has, with the image that is meant', () => {
    const image = (name: string, images: readonly string[]) =>
      findingsOf(
        { resources: ['base.yaml', 'web.yaml'], images: [{ name, newTag: 'v2' }] },
        {
          'overlay/web.yaml': images
            .map((one, index) => deployment(`web-${index}`, { containers: [{ name: 'main', image: one }] }))
            .join('\n---\n'),
        },
      );
    expect(image('acme/web', ['acme/web:v1'])).toEqual([]);
    expect(image('acme/queue', ['acme/web:v1'])).toEqual([]);
    for (const [name, meant] of [
      ['acme/wep', 'acme/web'],
      ['web', 'registry.acme.io/web'],
      ['registry.acme.io/web', 'web'],
      ['orders-api', 'registry.acme.io/order-api'],
    ])
      expect(image(name, [`${meant}:v1`, 'nginx'])).toMatchObject([
        { location: { path: 'images[0].name' }, remedy: `write name: ${meant}` },
      ]);
  });

  test('reports a patch of Flux at the Kustomization that has it', () => {
    const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: nodes }
spec:
  path: ./overlay
  sourceRef: { kind: GitRepository, name: flux-system }
  patches:
    - target: { kind: EC2NodeClass, name: defaults }
      patch: '${PATCH}'
`;
    expect(findingsOf({}, { 'clusters/one/nodes.yaml': flux })).toMatchObject([
      {
        subject: { kind: 'Kustomization', name: 'nodes' },
        location: { file: 'clusters/one/nodes.yaml', line: 8 },
        remedy: 'write name: default in the target',
      },
    ]);
  });

  test('passes targets that select objects, expressions, other kinds and remote bases', () => {
    for (const target of [
      { kind: 'NodePool' },
      { kind: 'NodePool', name: 'gpu-.*' },
      { kind: 'Deployment', name: 'web' },
    ])
      expect(patched(target)).toEqual([]);
    const [numbered, remote] = [{ namePrefix: 'a-' }, { resources: ['base.yaml', 'https://example.com/base'] }];
    expect(patched({ kind: 'NodePool', name: 'default' }, numbered)).toEqual([]);
    expect(patched({ kind: 'NodePool', name: 'defualt' }, remote)).toEqual([]);
  });
});
