import { isDeepStrictEqual } from 'node:util';
import { KustomizeBuild } from '../../src/validation/manifest/source/roots/kustomize/build';
import { NotFollowed, KustomizeRefusal } from '../../src/validation/manifest/source/roots/kustomize/refusal';

/** The objects that a kustomization builds, or the reason why it is refused. */
export interface Answer {
  readonly objects?: readonly unknown[];
  readonly refused?: string;
  /** What we do not follow. Only of our answers. */
  readonly notFollowed?: string;
}

export function ourAnswer(texts: ReadonlyMap<string, string>, folder: string): Answer {
  try {
    const files = new Map([...texts].map(([path, text]) => [path, { path, text }]));
    const { resources, missing, remote } = new KustomizeBuild(files, { exists: () => false }).build(folder);
    const [part] = [...missing, ...remote];
    if (part !== undefined) return { notFollowed: part };
    return { objects: resources.map(({ fields }) => fields) };
  } catch (error) {
    if (error instanceof KustomizeRefusal) return { refused: error.message };
    if (error instanceof NotFollowed) return { notFollowed: error.message };
    throw error;
  }
}

/** What we do not follow is no difference. */
export function isSame(ours: Answer, theirs: Answer): boolean {
  if (ours.notFollowed !== undefined) return true;
  if (theirs.refused !== undefined || ours.refused !== undefined)
    return (theirs.refused === undefined) === (ours.refused === undefined);
  return isDeepStrictEqual(comparable(ours.objects ?? []), comparable(theirs.objects ?? []));
}

/** The first difference, in one line. */
export function difference(ours: Answer, theirs: Answer): string {
  if (theirs.refused !== undefined) return `kustomize refuses: ${theirs.refused.replaceAll('\n', ' ').slice(0, 300)}`;
  if (ours.refused !== undefined) return `we refuse: ${ours.refused}`;
  const [left, right] = [ours.objects ?? [], theirs.objects ?? []];
  if (left.length !== right.length) return `${left.length} objects instead of ${right.length}`;
  const index = left.findIndex((object, at) => !isDeepStrictEqual(comparable(object), comparable(right[at])));
  return firstDifference(comparable(left[index]), comparable(right[index]), `object ${index}`);
}

function firstDifference(ours: unknown, theirs: unknown, path: string): string {
  const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isContainer(ours) || !isContainer(theirs))
    return `${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`;
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  const key = keys.find((each) => !isDeepStrictEqual(ours[each], theirs[each]));
  return key === undefined
    ? `${path}: ${JSON.stringify(ours)}`
    : firstDifference(ours[key], theirs[key], `${path}.${key}`);
}

/** Plain JSON without null fields, which the API server treats as absent. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).filter(([, each]) => each !== null)),
  );
}
