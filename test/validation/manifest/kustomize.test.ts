import { CONTAINER, pod, problems } from './manifests';
import { readManifests } from '../../../src/validation';

const TYPED = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
const PATCH = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { priority: 7 }\n';
const JSON_PATCH = '- { op: remove, path: /spec/priority }\n';

/** A base, an overlay, and a file beside the overlay, with what is read of them. */
function overlaid(kustomization: string, text: string, path = 'prod/patch.yaml') {
  const model = readManifests([
    { path: 'base/pod.yaml', text: pod(CONTAINER) },
    { path, text },
    { path: 'prod/kustomization.yaml', text: `resources: [../base/pod.yaml]\n${kustomization}` },
  ], {});
  return { pods: model.objects.filter(({ kind }) => kind === 'Pod').map(({ locate }) => locate([]).file), told: problems(model).filter((each) => each.includes('it is left out')) };
}

describe('what a kustomization names', () => {
  test.each([
    ['patches', 'patches: [{ path: patch.yaml }]', PATCH, 'a patch'],
    ['patches of JSON', 'patches: [{ patch: "[]" }, { path: ./patch.yaml, target: { kind: Pod } }]', JSON_PATCH, 'a patch'],
    ['patchesJson6902', 'patchesJson6902: [{ path: patch.yaml, target: { kind: Pod } }]', JSON_PATCH, 'a patch'],
    ['patchesStrategicMerge', 'patchesStrategicMerge: ["spec: {}", patch.yaml]', PATCH, 'a patch'],
    ['replacements', 'replacements: [{ path: patch.yaml }]', '- { source: { kind: Pod } }\n', 'a replacement'],
    ['configurations', 'configurations: [patch.yaml]', 'images: [{ path: spec/image }]\n', 'a configuration'],
    ['files of generators', 'configMapGenerator: [{ name: a, files: [rules.yaml=patch.yaml] }]', '- alert\n', 'a file of a generator'],
  ])('as %s is no object of its own, and is left out', (_, field, text, what) => {
    for (const head of ['', TYPED]) {
      expect(overlaid(`${head}${field}\n`, text)).toEqual({
        pods: ['base/pod.yaml'],
        told: [`1:1 KARP-001 is ${what} of prod/kustomization.yaml, and no object of its own: it is left out`],
      });
    }
  });

  test('is found from the folder of the kustomization', () => {
    expect(overlaid('patches: [{ path: ../common/patch.yaml }]\n', PATCH, 'common/patch.yaml').pods).toEqual(['base/pod.yaml']);
    expect(overlaid('patches: [{ path: patch.yaml }]\n', PATCH, 'common/patch.yaml').pods).toEqual(['base/pod.yaml', 'common/patch.yaml']);
  });

  test('as a resource is an object, whatever else it is', () => {
    expect(overlaid('configMapGenerator: [{ name: a, files: [../base/pod.yaml] }]\n', PATCH).pods).toContain('base/pod.yaml');
  });
});
