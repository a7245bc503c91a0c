/** Which of several releases of Karpenter in one repository the objects of a root are meant for. */
import { compareKarpenterVersions, findApiStatus, NEWEST_KARPENTER_VERSION } from '../../contract';
import { listText } from '../../model';
import { Root, SourceFile } from '../manifest';
import { PlainRecord, stringOrUndefined } from '../manifest/records';
import { editedObjectsIn } from '../manifest/source/roots/root-objects';

/** A file that installs Karpenter. */
export interface Installation {
  readonly version: string;
  /** The place of the file, as the root of that file only. */
  readonly root: Root;
}

export function isOneRelease(installations: readonly Installation[]): boolean {
  return versionsOf(installations).length === 1;
}

/**
 * The only release. Of several, the newest one that serves all objects of Karpenter in the root; none if the newest
 * release that is known serves them, because that one is assumed then.
 */
export function servingInstallation(root: Root, installations: readonly Installation[]): Installation | undefined {
  if (isOneRelease(installations)) return installations[0];
  const objects = objectsOf(root);
  const servesAll = (version: string) => objects.every((object) => isServed(object, version));
  if (servesAll(NEWEST_KARPENTER_VERSION)) return undefined;
  return installations
    .filter(({ version }) => servesAll(version))
    .reduce<Installation | undefined>(
      (best, other) => (best && compareKarpenterVersions(best.version, other.version) >= 0 ? best : other),
      undefined,
    );
}

/**
 * Tells a root which releases the repository installs, if no single one serves all of its objects: they are of several
 * clusters or times then, and none of them is an error.
 */
export function withOtherReleases<R extends Root>(root: R, installations: readonly Installation[]): R {
  const otherReleases = versionsOf(installations);
  if (otherReleases.length < 2) return root;
  const isServedByAll = objectsOf(root).every((object) => otherReleases.every((version) => isServed(object, version)));
  if (isServedByAll) return root;
  const note = `the repository installs Karpenter ${listText(otherReleases)}: no object is reported that one of them serves`;
  return withFact({ ...root, notes: [...root.notes, note] }, { otherReleases });
}

/** One source is enough; texts of changed sources are parsed again. */
export function withFact<R extends Root>(root: R, fact: Partial<SourceFile>): R {
  return { ...root, sources: root.sources.map((source, index) => (index === 0 ? { ...source, ...fact } : source)) };
}

function versionsOf(installations: readonly Installation[]): string[] {
  return [...new Set(installations.map(({ version }) => version))].sort(compareKarpenterVersions);
}

function objectsOf({ sources }: Root): PlainRecord[] {
  return sources.flatMap((file) => editedObjectsIn(file));
}

function isServed({ apiVersion, kind }: PlainRecord, version: string): boolean {
  const { state } = findApiStatus(stringOrUndefined(apiVersion) ?? '', stringOrUndefined(kind) ?? '', version);
  return state !== 'removed' && state !== 'future';
}
