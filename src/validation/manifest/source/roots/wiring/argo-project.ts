import { ARGO_GROUP, isFilledLater, WiredObject } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { nearestName, valueText } from '../../../../../model';
import { PlainRecord, recordsOf, scalarText, stringsOf } from '../../../records';
import { filePattern, pathPattern } from '../clusters/glob';

/** Argo CD makes this project itself. */
export const DEFAULT_PROJECT = 'default';
const OWN_SERVER = 'https://kubernetes.default.svc';
const OWN_CLUSTER = 'in-cluster';

/** The AppProjects of the input by name. One with several definitions is left out, because they may be of clusters. */
export function projectsIn(objects: readonly WiredObject[]): ReadonlyMap<string, WiredObject> {
  const projects = objects.filter(({ group, kind }) => group === ARGO_GROUP && kind === 'AppProject');
  const byName = new Map<string, WiredObject[]>();
  for (const project of projects) byName.set(project.name, [...(byName.get(project.name) ?? []), project]);
  return new Map(
    [...byName].flatMap(([name, own]) =>
      new Set(own.map(({ spec }) => JSON.stringify(spec))).size === 1 ? [[name, own[0]] as const] : [],
    ),
  );
}

/** The name of a project that is almost the same, if there is none of that name. */
export function nearestProject(name: string, objects: readonly WiredObject[]): string | undefined {
  const names = objects.filter(({ kind }) => kind === 'AppProject').map((project) => project.name);
  if (name === '' || isFilledLater(name) || [DEFAULT_PROJECT, ...names].includes(name)) return undefined;
  return names.some(isFilledLater) ? undefined : nearestName(name, [DEFAULT_PROJECT, ...names]);
}

/** Whether an AppProject permits the URL of a source. A pattern that is not followed permits it. */
export function permitsSource({ sourceRepos }: PlainRecord, url: string): boolean {
  const plain = plainUrl(url);
  const patterns = stringsOf(sourceRepos);
  if (patterns.some(isFilledLater)) return true;
  const matches = (pattern: string) => {
    const own = plainUrl(pattern);
    return own === '*' || own === plain || /[?[\]{}\\]/.test(own) || pathPattern(own)(plain);
  };
  const denied = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  if (denied.some((pattern) => !/[?[\]{}\\]/.test(pattern) && matches(pattern))) return false;
  // Argo CD counts a pattern that denies something else as one that permits.
  return denied.length > 0 || patterns.some(matches);
}

/** @see https://github.com/argoproj/argo-cd/blob/master/util/git/git.go */
function plainUrl(url: string): string {
  const lower = url.trim().toLowerCase();
  const ssh = /^[^/@]+@[^/:]+:/.test(lower) ? lower.replace(':', '/') : lower.replace(/^ssh:\/\//, '');
  return ssh.replace(/\/+$/, '').replace(/\.git$/, '');
}

/** The cluster and the namespace that an Application deploys to. */
export interface Destination {
  readonly server?: string;
  readonly name?: string;
  readonly namespace: string;
}

export function destinationOf(destination: unknown): Destination | undefined {
  const { server, name, namespace } = asRecord(destination) ?? {};
  const texts = [server, name, namespace].map(scalarText);
  if (texts.some(isFilledLater)) return undefined;
  if (server === OWN_SERVER || name === OWN_CLUSTER)
    return { server: OWN_SERVER, name: OWN_CLUSTER, namespace: texts[2] };
  return {
    ...(typeof server === 'string' ? { server } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    namespace: texts[2],
  };
}

/** Undefined if it is not known: the name of a server, and the server of a name, may not be in the input. */
export function permitsDestination({ destinations }: PlainRecord, to: Destination): boolean | undefined {
  const items = recordsOf(destinations).map(({ server, name, namespace }) => [server, name, namespace].map(scalarText));
  if (items.flat().some((text) => text.startsWith('!') || isFilledLater(text))) return undefined;
  const results = items.map(([server, name, namespace]) => {
    if (!matchesAll(namespace, to.namespace)) return false;
    if (
      (to.server !== undefined && matchesAll(server, to.server)) ||
      (to.name !== undefined && matchesAll(name, to.name))
    )
      return true;
    const isUnknown = (server !== '' && to.server === undefined) || (name !== '' && to.name === undefined);
    return isUnknown ? undefined : false;
  });
  return results.includes(true) ? true : results.includes(undefined) ? undefined : false;
}

/** Whether an AppProject permits objects of a kind, by its two lists. */
export function permitsKind(spec: PlainRecord, kind: GroupKind): { readonly list: string } | undefined {
  const [white, black] = kind.isClusterScoped
    ? ['clusterResourceWhitelist', 'clusterResourceBlacklist']
    : ['namespaceResourceWhitelist', 'namespaceResourceBlacklist'];
  const has = (list: unknown) =>
    recordsOf(list).some(
      (item) =>
        matchesAll(valueText(item.kind ?? ''), kind.kind) && matchesAll(valueText(item.group ?? ''), kind.group),
    );
  if (has(spec[black])) return { list: black };
  const isOpen = !kind.isClusterScoped && spec[white] === undefined;
  return isOpen || has(spec[white]) ? undefined : { list: white };
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
  readonly isClusterScoped: boolean;
}

/** A pattern with other wildcards than `*` is not followed, and matches. */
function matchesAll(pattern: string, text: string): boolean {
  if (pattern === text || pattern === '*') return true;
  const matches = filePattern(pattern);
  return matches === undefined || matches(text);
}
