import { ManifestObject } from './object';

const GENERATED = ['Job', 'Workflow'];

/**
 * Names the Jobs and Workflows with `generateName`, which the API server names when it creates them: the first is named
 * after the prefix, the others get a number.
 */
export function withGeneratedNames(objects: readonly ManifestObject[]): ManifestObject[] {
  const counts = new Map<string, number>();
  return objects.map((object) => {
    const prefix: unknown = object.raw.metadata?.generateName;
    if (!GENERATED.includes(object.kind) || object.name !== '' || typeof prefix !== 'string') return object;
    const base = prefix.replace(/[-.]+$/, '');
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return base === '' ? object : { ...object, name: count === 1 ? base : `${base}-${count}` };
  });
}
