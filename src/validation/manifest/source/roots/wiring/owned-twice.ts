import { dirname, normalize, relative } from 'path';
import { FluxWiring } from './flux-problems';
import { groupOf, HELM_GROUP, mayMeet as mayBeTogether, wiredTitle, WiredObject } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { countText, shortListText, valueText } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { PlainRecord } from '../../../records';
import { DeployedPath, DeployedPaths, WrittenPath } from '../clusters/deployed-path';
import { FolderContent, isBelow } from '../clusters/folder-content';
import { cleanPath } from '../clusters/missing-paths';
import { environmentOf } from '../environments';
import { deployerOf } from '../inline-build';
import { Kustomizations } from '../kustomization';
import { editedObjectsIn } from '../root-objects';

/** Objects that several deployers have on purpose, since each of them needs them. */
const SHARED = /^(?:Namespace|CustomResourceDefinition)$/;
/** An object with such a name is several ones. */
const FILLED_LATER = /\$\{|\{\{|\$\(/;
const MOST_PAIRS = 400;

interface Deployed {
  readonly path: DeployedPath;
  readonly files: ReadonlySet<string>;
}

/**
 * Applications of Argo CD, or Kustomizations of Flux, that deploy the same files as the same objects to one cluster.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#fail-the-sync-if-a-shared-resource-is-found
 */
export function ownedTwice(
  { paths: all, written }: DeployedPaths,
  content: FolderContent,
  kustomizations: Kustomizations,
): DeploymentProblem[] {
  const deployed = all
    .filter(({ by }) => by.definition.file.isOfOthers !== true && by.definition.file.isLeftOver !== true)
    .map((path) => ({ path, files: filesOf(path, content, kustomizations) }));
  const pairs = deployed
    .flatMap((one, index) => deployed.slice(index + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => mayMeet(one.path, other.path) && [...one.files].some((file) => other.files.has(file)));
  return pairs.slice(0, MOST_PAIRS).flatMap(([one, other]): DeploymentProblem[] => {
    const identities = objectsOf(other.path, content);
    const both = [...objectsOf(one.path, content)].filter(([key]) => identities.has(key)).map(([, title]) => title);
    if (both.length === 0) return [];
    const isInner = one.path.folder !== other.path.folder && isBelow(one.path.folder, other.path.folder);
    const [outer, inner] = isInner ? [other, one] : [one, other];
    // Of two for the same folder, the second one is the copy.
    return [
      problemOf(
        one.path.folder === other.path.folder ? other : outer,
        one.path.folder === other.path.folder ? one : inner,
        both,
        deployed,
        written,
      ),
    ];
  });
}

/** Definitions of Argo CD in other folders may be for another cluster, in which they have the same destination. */
function mayMeet(one: DeployedPath, other: DeployedPath): boolean {
  const [left, right] = [one.by.definition, other.by.definition];
  if (
    one.cluster !== other.cluster ||
    left === right ||
    (one.application === undefined) !== (other.application === undefined)
  )
    return false;
  if (deployerOf(left) === deployerOf(right)) return false;
  if (one.application === undefined) return true;
  const environments = [left, right].map((definition) => environmentOf(deployerOf(definition)));
  return dirname(left.file.path) === dirname(right.file.path) && environments[0] === environments[1];
}

function filesOf(
  { folder, isRecursive }: DeployedPath,
  content: FolderContent,
  kustomizations: Kustomizations,
): ReadonlySet<string> {
  const { own, nested } = kustomizations.has(folder)
    ? { own: [], nested: [folder] }
    : content.partsOf(folder, isRecursive);
  const files = [...own, ...nested.flatMap((inner) => kustomizations.filesReachedBy(inner))];
  return new Set(files.map(({ path }) => normalize(path)));
}

/** The title of each object by its identity. */
function objectsOf(path: DeployedPath, content: FolderContent): Map<string, string> {
  const sources = content.sourcesIn(path.folder, path.isRecursive, path);
  const objects = sources
    .filter(({ unreadable }) => unreadable === undefined)
    .flatMap((file) => [...editedObjectsIn(file)]);
  return new Map(objects.flatMap((object) => identityOf(object)));
}

function identityOf({ apiVersion, kind, metadata }: PlainRecord): ReadonlyArray<[string, string]> {
  const { name, namespace } = asRecord(metadata) ?? {};
  const key = JSON.stringify([groupOf(apiVersion), kind, namespace, name]);
  return typeof name !== 'string' || SHARED.test(valueText(kind ?? '')) || FILLED_LATER.test(key)
    ? []
    : [[key, `${valueText(kind)} ${name}`]];
}

function problemOf(
  outer: Deployed,
  inner: Deployed,
  objects: readonly string[],
  deployed: readonly Deployed[],
  written: readonly WrittenPath[],
): DeploymentProblem {
  const { definition } = outer.path.by;
  const own = written.filter((one) => one.definition === definition);
  const source = own.find(({ path }) => outer.path.folder.endsWith(cleanPath(path))) ?? own[0];
  const owner = deployerOf(inner.path.by.definition);
  return {
    kind: 'blocked',
    file: definition.file,
    object: definition.object,
    path: source.field,
    severity: 'warning',
    message:
      `deploys ${countText(objects.length, 'object')} that ${owner} deploys, too: ${shortListText(objects, 3)}: ` +
      'each of them marks the objects as its own, and what one of them prunes is gone for both',
    remedy: remedyOf(outer, inner, deployed, source),
    evidence: { owner, objects: objects.slice(0, 10), count: objects.length },
  };
}

function remedyOf(outer: Deployed, inner: Deployed, deployed: readonly Deployed[], { path }: WrittenPath): string {
  const { folder } = outer.path;
  const owner = deployerOf(inner.path.by.definition);
  if (folder === inner.path.folder)
    return `give it a path of its own, or remove it, because ${owner} deploys ${cleanPath(path)}`;
  if (!isBelow(inner.path.folder, folder)) return `let only one of them deploy the objects`;
  const others = deployed.filter(
    (one) =>
      one !== outer &&
      one.path.cluster === outer.path.cluster &&
      one.path.folder !== folder &&
      isBelow(one.path.folder, folder),
  );
  const rest = [...outer.files].filter((file) => !others.some((other) => isBelow(dirname(file), other.path.folder)));
  const common = rest
    .map((file) => dirname(file))
    .reduce((left: string | undefined, right) => (left === undefined ? right : commonFolder(left, right)), undefined);
  const base = cleanPath(path);
  if (common !== undefined && common !== folder && isBelow(common, folder))
    return `write path: ${[base, relative(folder, common)].filter((part) => part !== '' && part !== '.').join('/')}`;
  const left = relative(folder, inner.path.folder);
  return outer.path.application === undefined
    ? `let only one of them deploy ${left}: list it in no kustomization.yaml below ${base === '' ? 'its folder' : base}, or move it out of there`
    : `leave it out with directory.exclude: '${left}/**'`;
}

function commonFolder(left: string, right: string): string {
  return isBelow(right, left) ? left : commonFolder(dirname(left), right);
}

/** HelmReleases that Flux writes into one release of Helm. */
export function releasesTwice({ objects }: FluxWiring): DeploymentProblem[] {
  const releases = objects.flatMap((object) => {
    const { kind, group, name, namespace, spec } = object;
    const { releaseName, targetNamespace, storageNamespace = namespace } = spec;
    const title = [...(releaseName === undefined ? [targetNamespace, name] : [releaseName])].filter(Boolean).join('-');
    const release = `${valueText(storageNamespace ?? '')}/${title}`;
    return kind !== 'HelmRelease' ||
      group !== HELM_GROUP ||
      storageNamespace === undefined ||
      FILLED_LATER.test(release)
      ? []
      : [{ object, release, title }];
  });
  return releases.flatMap(({ object, release, title }, index): DeploymentProblem[] => {
    const first = releases
      .slice(0, index)
      .find(
        (one) =>
          one.release === release && wiredTitle(one.object) !== wiredTitle(object) && areTogether(one.object, object),
      );
    if (first === undefined) return [];
    const [named, other] = object.spec.releaseName === undefined ? [first.object, object] : [object, first.object];
    const { definition, spec } = named;
    return [
      {
        kind: 'blocked',
        file: definition.file,
        object: definition.object,
        path: ['spec', ...(spec.releaseName === undefined ? [] : ['releaseName'])],
        message: `writes release ${title}, which ${wiredTitle(other)} writes, too: each upgrade replaces what the other one has installed`,
        remedy: 'write a releaseName of its own, or remove one of them',
        evidence: { release: title, other: other.name },
      },
    ];
  });
}

/** Without known clusters, only files of one folder are in one cluster. */
function areTogether(left: WiredObject, right: WiredObject): boolean {
  return left.clusters === undefined || right.clusters === undefined
    ? dirname(left.definition.file.path) === dirname(right.definition.file.path)
    : mayBeTogether(left, right);
}
