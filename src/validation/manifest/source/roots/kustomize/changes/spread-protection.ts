import { DO_NOT_DISRUPT } from '../../../../../../contract';
import { Resource } from '../resources/resource';
import { isFields, PlainFields, textOf } from '../values';

/** Where a kustomization protects all that it builds. Without a file, an object of Argo CD has the annotations. */
export type ProtectionPlace = NonNullable<Resource['protectedBy']>;

/** Makes a change, and notes in each object that it or its pods get the annotation by it. */
export function notingProtection(resources: readonly Resource[], place: ProtectionPlace, change: () => void): void {
  const before = new Set(resources.filter(isProtected));
  change();
  for (const resource of resources) if (!before.has(resource) && isProtected(resource)) resource.protectedBy = place;
}

function isProtected({ fields }: Resource): boolean {
  const { metadata } = fields ?? {};
  const own = isFields(metadata) && isFields(metadata.annotations) ? metadata.annotations : undefined;
  return [annotationsOfPods(fields), own].some((annotations) => {
    const value = textOf(annotations?.[DO_NOT_DISRUPT]);
    return value !== '' && value !== 'false';
  });
}

const TEMPLATES: readonly (readonly string[])[] = [
  ['spec', 'template', 'metadata', 'annotations'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata', 'annotations'],
];

function annotationsOfPods(fields: PlainFields | undefined): PlainFields | undefined {
  const paths = fields?.kind === 'Pod' ? [['metadata', 'annotations']] : TEMPLATES;
  const found = paths.map((path) =>
    path.reduce<unknown>((inner, step) => (isFields(inner) ? inner[step] : undefined), fields),
  );
  return found.find(isFields);
}
