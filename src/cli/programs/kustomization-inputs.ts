import { statSync } from 'fs';
import { basename, isAbsolute, join, normalize } from 'path';
import { problemOfHelmCharts } from './kustomization-charts';
import { asRecord } from '../../contract';
import { leadsInto, readRegularText } from '../../model';
import { lazy } from '../lazy';
import { quoted } from '../options/choice-option';
import type { RootFlags } from '../options/root-options';

const NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const MOST_BYTES = 1024 * 1024;
const MOST_FOLDERS = 1_000;

/** Lists of folders or files, in lower case: kustomize takes keys in any case. */
const BASES = ['resources', 'bases', 'components', 'crds'];
/** Lists whose files and folders configure plugins, which may name further files. */
const PLUGINS = ['generators', 'transformers', 'validators'];
/** Fields that hold texts of the user, which kustomize takes for no path. */
const FREE_TEXT = [
  'commonlabels',
  'commonannotations',
  'labels',
  'images',
  'literals',
  'options',
  'generatoroptions',
  'buildmetadata',
  'metadata',
  'target',
  'patch',
  'valuesinline',
];

interface Kustomization {
  /** As the user has written the path. */
  readonly folder: string;
  /** With keys in lower case. */
  readonly content: Readonly<Record<string, unknown>>;
}

/**
 * Why kustomize must not build a folder: it would use the network, or read outside of the repository. kustomize itself
 * confines files to the folder of a kustomization, but not folders. Undefined if it may.
 *
 * @param root the repository of the folder
 */
export function problemOfKustomization(folder: string, root: string, flags: RootFlags): string | undefined {
  try {
    return new Inputs(root, flags).problemOfFolder(folder, false);
  } catch (error) {
    return `its files cannot be read, ${(error as Error).message}`;
  }
}

class Inputs {
  private readonly seen = new Set<string>();

  public constructor(
    private readonly root: string,
    private readonly flags: RootFlags,
  ) {}

  /** @param isPlugin whether the objects of the folder configure generators or transformers */
  public problemOfFolder(given: string, isPlugin: boolean): string | undefined {
    const folder = normalize(given);
    const key = `${isPlugin} ${folder}`;
    if (this.seen.has(key)) return undefined;
    if (this.seen.size === MOST_FOLDERS) return `it has more than ${MOST_FOLDERS} folders`;
    this.seen.add(key);
    const kustomization = readKustomization(folder, this.root);
    if (typeof kustomization === 'string') return kustomization;
    const { content } = kustomization;
    return (
      (this.flags.allowNetwork ? undefined : remoteProblem(kustomization)) ??
      (this.flags.enableHelm ? problemOfHelmCharts(content, folder, this.root, this.flags) : undefined) ??
      firstProblem(pathsOf(content, BASES), (name) => this.problemOfBase(folder, name, isPlugin)) ??
      firstProblem(pathsOf(content, PLUGINS), (name) => this.problemOfBase(folder, name, true)) ??
      firstProblem(inlinePluginsOf(content), (text) => problemOfPlugin(folder, documentsOf(text), this.flags))
    );
  }

  private problemOfBase(folder: string, name: string, isPlugin: boolean): string | undefined {
    if (isRemoteBase(name)) return undefined; // With --allow-network.
    const path = isAbsolute(name) ? name : join(folder, name);
    if (!leadsInto(path, this.root)) return `${folder} names ${quoted(name)}, which is outside of the repository`;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return `${folder} names ${quoted(name)}, which does not exist`;
    if (stats.isDirectory()) return this.problemOfFolder(path, isPlugin);
    if (!stats.isFile()) return `${folder} names ${quoted(name)}, which is not a regular file`;
    return isPlugin ? problemOfPlugin(path, documentsOf(readRegularText(path, MOST_BYTES)), this.flags) : undefined;
  }
}

/** Configurations of generators or transformers: nothing in them may be remote, nor render charts. */
function problemOfPlugin(
  place: string,
  documents: readonly unknown[] | undefined,
  { allowNetwork, enableHelm }: RootFlags,
): string | undefined {
  if (documents === undefined) return `a generator or transformer of ${place} is not YAML`;
  const remote = allowNetwork ? undefined : remoteText(documents, isRemoteBase);
  if (remote !== undefined) return needsNetwork(place, remote);
  const isChart = enableHelm === true && JSON.stringify(documents).includes('HelmChartInflationGenerator');
  return isChart ? `${place} has a generator that renders charts; write them as helmCharts` : undefined;
}

function remoteProblem({ folder, content }: Kustomization): string | undefined {
  const base = pathsOf(content, [...BASES, ...PLUGINS]).find(isRemoteBase);
  const remote = base ?? remoteText(content, isRemoteFile);
  return remote === undefined ? undefined : needsNetwork(folder, remote);
}

function needsNetwork(folder: string, name: string): string {
  return `${folder} names ${quoted(name.slice(0, 200))}, which needs the network; pass --allow-network`;
}

/** The first text at any depth that names something remote. Texts of several lines are no paths. */
function remoteText(value: unknown, isRemote: (text: string) => boolean): string | undefined {
  if (typeof value === 'string') return !value.includes('\n') && isRemote(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = Array.isArray(value)
    ? value
    : Object.entries(value)
        .filter(([key]) => !FREE_TEXT.includes(key.toLowerCase()))
        .map(([, part]) => part);
  return firstProblem(parts, (part) => remoteText(part, isRemote));
}

function pathsOf(content: Kustomization['content'], keys: readonly string[]): string[] {
  return keys.flatMap((key) => textsIn(content[key])).filter((text) => !text.includes('\n'));
}

function inlinePluginsOf(content: Kustomization['content']): string[] {
  return PLUGINS.flatMap((key) => textsIn(content[key])).filter((text) => text.includes('\n'));
}

function textsIn(value: unknown): string[] {
  return [value].flat().filter((text): text is string => typeof text === 'string');
}

/** The kustomization of a folder, or why there is none. */
function readKustomization(folder: string, root: string): Kustomization | string {
  const paths = NAMES.map((name) => join(folder, name)).filter((path) => statSync(path, { throwIfNoEntry: false }));
  if (paths.length !== 1) return `${folder} has ${paths.length === 0 ? 'no kustomization' : 'several kustomizations'}`;
  const [path] = paths;
  if (!leadsInto(path, root)) return `${path} is outside of the repository`;
  try {
    const documents = documentsOf(readRegularText(path, MOST_BYTES)) ?? [];
    const record = documents.length === 1 ? asRecord(documents[0]) : undefined;
    if (record === undefined) return `${path} is not one YAML object`;
    const entries = Object.entries(record).map(([key, value]) => [key.toLowerCase(), value] as const);
    const content = Object.fromEntries(entries);
    return entries.length === Object.keys(content).length ? { folder, content } : `${path} has a key twice`;
  } catch (error) {
    return `${basename(path)} of ${folder} cannot be read, ${(error as Error).message.split('\n')[0]}`;
  }
}

/** All documents with merge keys, which kustomize follows. Undefined if it is not YAML. */
function documentsOf(text: string): unknown[] | undefined {
  const documents = lazy.yaml.parseAllDocuments(text, { merge: true, logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  return documents.some(({ errors }) => errors.length > 0)
    ? undefined
    : documents.map((document): unknown => document.toJS());
}

function firstProblem<Part>(parts: readonly Part[], problemOf: (part: Part) => string | undefined): string | undefined {
  for (const part of parts) {
    const problem = problemOf(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * What kustomize takes for a repository of git even if a folder has this name: a scheme, a user or host before a colon,
 * and paths that begin with GitHub's host.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/git/repospec.go
 */
const REMOTE_BASE = /^\s*(?:git::|[\w+.-]+:|[\w.-]+@|(?:www\.)?github\.com[/:])|:\/\//i;
/** What kustomize downloads as a file. Generators write `key=path`. */
const REMOTE_FILE = /^\s*(?:[^=]*=)?\s*https?:/i;

function isRemoteBase(name: string): boolean {
  return REMOTE_BASE.test(name) || isRemoteFile(name);
}

function isRemoteFile(name: string): boolean {
  return REMOTE_FILE.test(name);
}
