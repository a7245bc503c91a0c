import { CONTAINER, pod, problems } from './manifests';
import { readManifests } from '../../../src/validation';

const TYPED = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
const PATCH = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { priority: 7 }\n';
const JSON_PATCH = '- { op: remove, path: /spec/priority }\n';

/** Reads a base, an overlay and one more file: the files that hold Pods, and the reports on ignored files. */
function readOverlay(kustomization: string, text: string, path = 'prod/patch.yaml') {
  const model = readManifests(
    [
      { path: 'base/pod.yaml', text: pod(CONTAINER) },
      { path, text },
      { path: 'prod/kustomization.yaml', text: `resources: [../base/pod.yaml]\n${kustomization}` },
    ],
    {},
  );
  return {
    pods: model.objects.filter(({ kind }) => kind === 'Pod').map(({ locate }) => locate([]).file),
    ignored: problems(model).filter((problem) => problem.includes('ignored: the file is')),
  };
}

describe('kustomizationParts', () => {
  test.each([
    ['patches', 'patches: [{ path: patch.yaml }]', PATCH, 'a patch'],
    [
      'patches of JSON',
      'patches: [{ patch: "[]" }, { path: ./patch.yaml, target: { kind: Pod } }]',
      JSON_PATCH,
      'a patch',
    ],
    ['patchesJson6902', 'patchesJson6902: [{ path: patch.yaml, target: { kind: Pod } }]', JSON_PATCH, 'a patch'],
    ['patchesStrategicMerge', 'patchesStrategicMerge: ["spec: {}", patch.yaml]', PATCH, 'a patch'],
    ['replacements', 'replacements: [{ path: patch.yaml }]', '- { source: { kind: Pod } }\n', 'a replacement'],
    ['configurations', 'configurations: [patch.yaml]', 'images: [{ path: spec/image }]\n', 'a configuration'],
    [
      'files of generators',
      'configMapGenerator: [{ name: a, files: [rules.yaml=patch.yaml] }]',
      '- alert\n',
      'a file of a generator',
    ],
  ])('ignores files that a kustomization names in %s', (_, field, text, role) => {
    for (const head of ['', TYPED]) {
      expect(readOverlay(`${head}${field}\n`, text)).toEqual({
        pods: ['base/pod.yaml'],
        ignored: [`1:1 KARP-001 ignored: the file is ${role} of prod/kustomization.yaml`],
      });
    }
  });

  test('resolves paths from the folder of the kustomization', () => {
    expect(readOverlay('patches: [{ path: ../common/patch.yaml }]\n', PATCH, 'common/patch.yaml').pods).toEqual([
      'base/pod.yaml',
    ]);
    expect(readOverlay('patches: [{ path: patch.yaml }]\n', PATCH, 'common/patch.yaml').pods).toEqual([
      'base/pod.yaml',
      'common/patch.yaml',
    ]);
  });

  test('reads a file that is also a resource', () => {
    expect(readOverlay('configMapGenerator: [{ name: a, files: [../base/pod.yaml] }]\n', PATCH).pods).toContain(
      'base/pod.yaml',
    );
  });
});
