import { rootsOf, withSharedPools } from '../../../../src/validation';
import type { SourceFile } from '../../../../src/validation';
import { editedObjectsIn } from '../../../../src/validation/manifest/source/roots/root-objects';
import { deployment, SMALL } from '../../setup';

const WEB = deployment('web', 1, SMALL);
const kustomization = (...resources: string[]) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [${resources.join(', ')}]\n`;
const storageClass = (name: string, more = '') =>
  `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: ${name} }\nprovisioner: ebs.csi.aws.com\n${more}`;
const limitRange = (namespace: string, cpu = '100m') =>
  `apiVersion: v1\nkind: LimitRange\nmetadata: { name: limits, namespace: ${namespace} }\nspec: { limits: [{ type: Container, defaultRequest: { cpu: ${cpu} } }] }\n`;

/** A kustomization in each folder, with one file. */
function folders(texts: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(texts).flatMap(([folder, text]) => [
    { path: `${folder}/kustomization.yaml`, text: kustomization('all.yaml'), isFound: true },
    { path: `${folder}/all.yaml`, text, isFound: true },
  ]);
}

/** The kinds and names that each root has. */
function contentOf(files: readonly SourceFile[]): Record<string, string[]> {
  return Object.fromEntries(
    withSharedPools(rootsOf(files)).map(({ name, sources }) => [
      name,
      sources
        .flatMap(editedObjectsIn)
        .map(({ kind, metadata }) => `${String(kind)} ${String((metadata as { name?: unknown }).name)}`)
        .sort(),
    ]),
  );
}

describe('a kustomization without workloads and NodePools', () => {
  test('is no root, and supplies its classes to the others', () => {
    const priority =
      'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n---\n' +
      'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: gvisor }\nhandler: runsc\n';
    expect(contentOf(folders({ app: WEB, storage: storageClass('fast'), priorities: priority }))).toEqual({
      app: ['Deployment web', 'PriorityClass high', 'RuntimeClass gvisor', 'StorageClass fast'],
    });
  });

  test('supplies the LimitRange and the claims of a namespace', () => {
    const claim = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data, namespace: shop }\nspec: {}\n';
    expect(contentOf(folders({ app: WEB, limits: limitRange('shop'), claims: claim })).app).toEqual([
      'Deployment web',
      'LimitRange limits',
      'PersistentVolumeClaim data',
    ]);
  });

  test('supplies only what its own environment has, if that has the class', () => {
    const files = folders({
      'app/overlays/prod': WEB,
      'storage/overlays/dev': storageClass('fast', 'volumeBindingMode: Immediate\n'),
      'storage/overlays/prod': storageClass('fast', 'volumeBindingMode: WaitForFirstConsumer\n'),
    });
    const [{ sources }] = withSharedPools(rootsOf(files));
    expect(sources.flatMap(editedObjectsIn).map((object) => object.volumeBindingMode)).toEqual([
      undefined,
      'WaitForFirstConsumer',
    ]);
  });

  test('supplies a class to other environments, unless several of them define it in different ways', () => {
    const files = (mode: string) =>
      folders({
        'app/overlays/prod': WEB,
        'storage/overlays/dev': storageClass('fast', 'volumeBindingMode: Immediate\n'),
        'storage/overlays/qa': storageClass('fast', `volumeBindingMode: ${mode}\n`),
      });
    expect(contentOf(files('Immediate'))['app/overlays/prod']).toEqual(['Deployment web', 'StorageClass fast']);
    expect(contentOf(files('WaitForFirstConsumer'))['app/overlays/prod']).toEqual(['Deployment web']);
  });

  test('supplies no LimitRange of a namespace that two roots define in different ways', () => {
    const files = folders({ app: WEB, 'limits/a': limitRange('shop'), 'limits/b': limitRange('shop', '1') });
    expect(contentOf(files).app).toEqual(['Deployment web']);
  });
});

test('loose files with classes only supply them', () => {
  const files = [
    ...folders({ 'app/a': WEB, 'app/b': WEB }),
    { path: 'cluster/storage.yaml', text: storageClass('fast'), isFound: true },
  ];
  expect(contentOf(files)).toEqual({
    'app/a': ['Deployment web', 'StorageClass fast'],
    'app/b': ['Deployment web', 'StorageClass fast'],
  });
});
