import { asRecord } from '../../../../../contract';
import { PlainRecord, recordsOf, stringMapOf, stringsOf } from '../../../records';
import { InlineFields } from '../kustomize/inline-fields';
import { decodedKustomization } from '../kustomize/kustomization-file';
import { KustomizeRefusal } from '../kustomize/refusal';
import { withNulls } from '../kustomize/resources/read-resources';

/** A placeholder of an ApplicationSet whose value is not in the input. */
const PLACEHOLDER = /\{\{[^{}]*\}\}/;

/**
 * What `source.kustomize` of Argo CD adds to the kustomization of its path. A field with an unknown value is left out.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/kustomize/
 */
export function argoInlineFields(kustomize: PlainRecord): InlineFields | undefined {
  const { namePrefix, nameSuffix, namespace, patches, commonAnnotations, images, replicas, components } = kustomize;
  return decodedFields(
    Object.fromEntries(
      Object.entries({
        namePrefix,
        nameSuffix,
        namespace,
        patches,
        commonAnnotations,
        components,
        ...labelsOf(kustomize),
        images: images && stringsOf(images).flatMap(imageOf),
        replicas: replicas && recordsOf(replicas).map(({ name, count }) => ({ name, count: Number(count) })),
      }).filter(([, value]) => !PLACEHOLDER.test(JSON.stringify(value) ?? '')),
    ),
  );
}

function labelsOf({ commonLabels, labelWithoutSelector, labelIncludeTemplates }: PlainRecord): PlainRecord {
  if (commonLabels === undefined || labelWithoutSelector !== true) return { commonLabels };
  return { labels: [{ pairs: stringMapOf(commonLabels), includeTemplates: labelIncludeTemplates === true }] };
}

/** An image as `kustomize edit set image` takes it, such as `web=registry/web:1.2` and `web@sha256:…`. */
function imageOf(text: string): PlainRecord[] {
  const [, given, image, tag, digest] =
    /^(?:([^=]+)=)?([^=@]+?)(?::([\w.-]+))?(?:@(sha256:[\w.-]+))?$/.exec(text) ?? [];
  if (image === undefined) return [];
  return [
    {
      name: given ?? image,
      ...(given === undefined ? {} : { newName: image }),
      ...(tag === undefined ? {} : { newTag: tag }),
      ...(digest === undefined ? {} : { digest }),
    },
  ];
}

/**
 * What a Kustomization of Flux adds to the kustomization of its path.
 *
 * @param hasFolder whether there is a folder, by its path from that of the Kustomization
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/
 */
export function fluxInlineFields(spec: PlainRecord, hasFolder: (path: string) => boolean): InlineFields | undefined {
  const { targetNamespace, namePrefix, nameSuffix, components, ignoreMissingComponents } = spec;
  const known = stringsOf(components).filter((path) => ignoreMissingComponents !== true || hasFolder(path));
  return decodedFields({
    namespace: targetNamespace,
    namePrefix,
    nameSuffix,
    components: known.length > 0 ? known : undefined,
    ...patchesAndImages(spec),
  });
}

/** What the post-renderers of a HelmRelease change in the objects of its chart. */
export function postRendererFields(postRenderers: unknown): InlineFields | undefined {
  const all = recordsOf(postRenderers).flatMap(({ kustomize }): PlainRecord[] => {
    const fields = asRecord(kustomize);
    return fields ? [patchesAndImages(fields)] : [];
  });
  return decodedFields({
    patches: all.flatMap(({ patches }) => recordsOf(patches)),
    images: all.flatMap(({ images }) => recordsOf(images)),
  });
}

/** Flux has patches of the older kinds as values, not as texts. */
function patchesAndImages({ patches, patchesStrategicMerge, patchesJson6902, images }: PlainRecord): PlainRecord {
  const all = [
    ...recordsOf(patches),
    ...recordsOf(patchesStrategicMerge).map((patch) => ({ patch: JSON.stringify(withNulls(patch)) })),
    ...recordsOf(patchesJson6902).map(({ patch, target }) => ({ patch: JSON.stringify(patch), target })),
  ];
  return { patches: all.length > 0 ? all : undefined, images };
}

/** A field that kustomize would refuse is left out. Undefined if no field is left. */
function decodedFields(content: PlainRecord): InlineFields | undefined {
  const fields = Object.entries(content).flatMap(([name, value]): InlineFields[] => {
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty) return [];
    try {
      return [decodedKustomization({ [name]: value })];
    } catch (error) {
      if (error instanceof KustomizeRefusal) return [];
      throw error;
    }
  });
  return fields.length === 0 ? undefined : Object.assign({}, ...fields);
}
