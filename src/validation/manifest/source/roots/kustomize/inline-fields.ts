import { Kustomization } from './kustomization-file';

/** Fields that Argo CD and Flux add to the kustomization of a folder before they build it. */
export type InlineFields = Pick<
  Kustomization,
  | 'namespace'
  | 'namePrefix'
  | 'nameSuffix'
  | 'labels'
  | 'commonLabels'
  | 'commonAnnotations'
  | 'patches'
  | 'images'
  | 'replicas'
  | 'components'
>;

/** How a folder is built with inline fields. */
export interface InlineBuild {
  readonly fields: InlineFields;
  /** Whether other objects are built with the same fields, so that a patch may be for one of them. @default false */
  readonly isPart?: boolean;
}

/** The kustomization with the fields. Entries for the same image or the same replicas replace those of the folder. */
export function withInlineFields(own: Kustomization, inline: InlineFields): Kustomization {
  const { namespace, namePrefix, nameSuffix } = inline;
  return {
    ...own,
    ...(namespace ? { namespace } : {}),
    ...(namePrefix ? { namePrefix } : {}),
    ...(nameSuffix ? { nameSuffix } : {}),
    ...joined(own, inline, 'labels'),
    ...joined(own, inline, 'patches'),
    ...joined(own, inline, 'components'),
    ...byName(own, inline, 'images'),
    ...byName(own, inline, 'replicas'),
    ...merged(own, inline, 'commonLabels'),
    ...merged(own, inline, 'commonAnnotations'),
  };
}

function joined(own: Kustomization, inline: InlineFields, field: 'labels' | 'patches' | 'components'): Kustomization {
  const added = inline[field];
  return added === undefined ? {} : { [field]: [...(own[field] ?? []), ...added] };
}

function byName(own: Kustomization, inline: InlineFields, field: 'images' | 'replicas'): Kustomization {
  const added = inline[field];
  if (added === undefined) return {};
  const names = new Set<string | undefined>(added.map(({ name }) => name));
  return { [field]: [...(own[field] ?? []).filter(({ name }) => !names.has(name)), ...added] };
}

function merged(own: Kustomization, inline: InlineFields, field: 'commonLabels' | 'commonAnnotations'): Kustomization {
  return inline[field] === undefined ? {} : { [field]: { ...own[field], ...inline[field] } };
}
