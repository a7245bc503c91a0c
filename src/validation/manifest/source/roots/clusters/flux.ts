import { dirname, join, normalize } from 'path';
import { DefinedObject, DeployedPath, DeployedPaths } from './deployed-path';
import { FillBudget, FluxVariables, fluxVariables, substitutionEdit } from './flux-variables';
import { Deployment } from './folder-content';
import { fluxInlineFields } from './inline-kustomization';
import { RepositoryFolders } from './repository-folders';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord } from '../../../records';
import { deployerOf } from '../inline-build';
import { commonMetadataEdit } from '../kustomization-edits';
import { objectsIn } from '../root-objects';

const KUSTOMIZE = 'kustomize.toolkit.fluxcd.io/';
const HELM = 'helm.toolkit.fluxcd.io/';
const SOURCE = 'source.toolkit.fluxcd.io/';
/** The folder that `flux bootstrap` writes into the folder of a cluster. */
const BOOTSTRAP_FOLDER = /\/flux-system$/;

interface FluxKustomization {
  readonly file: string;
  readonly spec: PlainRecord;
  /** Absent if the object does not write it. */
  readonly namespace?: string;
  /** What it changes, without its variables. */
  readonly deployment: Deployment;
  /** Absent if the path is not in the input. */
  readonly folder?: string;
  readonly sources: readonly SourceFile[];
  /** The paths of the sources. */
  readonly content: ReadonlySet<string>;
}

/** The values that a Kustomization fills in to what its folder deploys. */
export interface Substitution {
  readonly folder: string;
  /** Paths of files. */
  readonly content: ReadonlySet<string>;
  readonly variables: FluxVariables;
}

/** What a Kustomization of Flux deploys to which clusters. */
export interface FluxDeployment {
  readonly definition: DefinedObject;
  readonly clusters: readonly string[];
  /** Absent if the path is not in the input. */
  readonly folder?: string;
  readonly sources: readonly SourceFile[];
}

export interface FluxPaths extends DeployedPaths {
  readonly substitutions: readonly Substitution[];
  readonly deployments: readonly FluxDeployment[];
}

/**
 * What the Kustomizations and HelmReleases of Flux deploy, and where: to the cluster of `spec.kubeConfig`, otherwise to
 * the cluster whose folder has the Kustomization that leads to them.
 *
 * @param contentOf the files that a folder deploys, with the changes of their kustomization and of the parameter
 */
export function fluxPaths(
  objects: readonly DefinedObject[],
  folders: RepositoryFolders,
  contentOf: (folder: string, deployment: Deployment) => readonly SourceFile[],
): FluxPaths {
  const gitRepositories = gitRepositoriesIn(objects);
  const kustomizations = objects
    .filter(({ object }) => valueText(object.apiVersion).startsWith(KUSTOMIZE) && object.kind === 'Kustomization')
    .map((definition): FluxKustomization => {
      const { file, object } = definition;
      const spec = asRecord(object.spec) ?? {};
      const { namespace, name } = asRecord(object.metadata) ?? {};
      const folder = isOwn(spec.sourceRef, gitRepositories, folders)
        ? folders.find(file.path, typeof spec.path === 'string' ? spec.path : '.')
        : undefined;
      const hasFolder = (path: string) => folder !== undefined && folders.has(join(folder, path));
      const deployment: Deployment = {
        by: { definition, ...(typeof name === 'string' ? { name } : {}) },
        inline: fluxInlineFields(spec, hasFolder),
        edits: commonMetadataEdit(spec.commonMetadata),
      };
      const sources = folder === undefined ? [] : contentOf(folder, deployment);
      return {
        file: normalize(file.path),
        spec,
        deployment,
        folder,
        sources,
        ...(typeof namespace === 'string' ? { namespace } : {}),
        content: new Set(sources.map(({ path }) => normalize(path))),
      };
    });
  const clusters = new Clusters(kustomizations);
  const budget = new FillBudget();
  const values = new ValueSources(objects, kustomizations, clusters);
  const deployed = kustomizations.flatMap((kustomization) => {
    const {
      folder,
      content,
      deployment,
      deployment: { inline, edits },
      spec,
    } = kustomization;
    if (folder === undefined) return [];
    return clusters.of(kustomization).map((cluster) => {
      const variables = fluxVariables(
        spec,
        deployerOf(deployment.by.definition),
        (kind, name) => values.find(kind, name, kustomization.namespace, cluster),
        budget,
      );
      const variant = JSON.stringify([inline, spec.commonMetadata, variables && [...variables.values]]);
      const path: DeployedPath = {
        ...deployment,
        cluster,
        folder,
        edits: variables ? [...edits, substitutionEdit(variables)] : edits,
        variant,
        isRecursive: true,
      };
      return { path, substitution: variables && { folder, content, variables } };
    });
  });
  const releases = objects.filter(
    ({ object }) => valueText(object.apiVersion).startsWith(HELM) && object.kind === 'HelmRelease',
  );
  const remote = releases.filter(
    ({ file, object }) => !isLocalChart(asRecord(object.spec) ?? {}, file.path, gitRepositories, folders),
  ).length;
  return {
    paths: deployed.map(({ path }) => path),
    substitutions: deployed.flatMap(({ substitution }) => substitution ?? []),
    deployments: kustomizations.map((one) => ({
      definition: one.deployment.by.definition,
      clusters: clusters.of(one),
      sources: one.sources,
      ...(one.folder === undefined ? {} : { folder: one.folder }),
    })),
    elsewhere: kustomizations.filter(({ folder }) => folder === undefined).length + remote,
    written: kustomizations.map(({ spec, deployment }) => {
      const source = sourceOf(spec.sourceRef, gitRepositories);
      return {
        definition: deployment.by.definition,
        url: source?.url,
        revision: source && revisionOf(source),
        path: spec.path,
        field: ['spec', 'path'],
      };
    }),
  };
}

/** Which clusters a Kustomization deploys to. One in a shared folder may deploy to several. */
class Clusters {
  private readonly entryFolders: readonly string[];
  private readonly parents: ReadonlyMap<FluxKustomization, readonly FluxKustomization[]>;

  public constructor(kustomizations: readonly FluxKustomization[]) {
    this.parents = new Map(
      kustomizations.map((one) => [
        one,
        kustomizations.filter((other) => other !== one && other.content.has(one.file)),
      ]),
    );
    const folders = kustomizations.filter((one) => this.parentsOf(one).length === 0).map(entryFolder);
    // A folder inside the folder of a cluster belongs to it.
    this.entryFolders = outermost(folders);
  }

  /** The clusters of the outermost Kustomizations that lead to this one. Each is visited once. */
  public of(kustomization: FluxKustomization): string[] {
    const visited = new Set([kustomization]);
    const clusters = new Set<string>();
    for (const one of visited) {
      const secret = asRecord(asRecord(one.spec.kubeConfig)?.secretRef)?.name;
      if (typeof secret === 'string') clusters.add(`kubeConfig ${secret}`);
      else if (this.parentsOf(one).length === 0) clusters.add(this.clusterOf(entryFolder(one)));
      else for (const parent of this.parentsOf(one)) visited.add(parent);
    }
    if (clusters.size > 0) return [...clusters];
    // Kustomizations that contain each other have no outermost one, but an outermost folder.
    return [...new Set(outermost([...visited].map(entryFolder)).map((folder) => this.clusterOf(folder)))];
  }

  private clusterOf(folder: string): string {
    return this.entryFolders.find((entry) => folder === entry || folder.startsWith(`${entry}/`)) ?? folder;
  }

  private parentsOf(kustomization: FluxKustomization): readonly FluxKustomization[] {
    return this.parents.get(kustomization) ?? [];
  }
}

/** The folders that are in no other one of them. */
function outermost(folders: readonly string[]): string[] {
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
}

/** The ConfigMaps and Secrets of the input, by the clusters that get them. */
class ValueSources {
  private readonly byCluster = new Map<string, PlainRecord[]>();
  private readonly undeployed: readonly PlainRecord[];

  public constructor(
    definitions: readonly DefinedObject[],
    kustomizations: readonly FluxKustomization[],
    clusters: Clusters,
  ) {
    for (const kustomization of kustomizations) {
      const found = kustomization.sources.flatMap((source) =>
        objectsIn(source)
          .filter(hasValues)
          .flatMap((object): PlainRecord[] => {
            const edited = source.edit ? source.edit(object) : object;
            return edited ? [edited] : [];
          }),
      );
      for (const cluster of clusters.of(kustomization))
        this.byCluster.set(cluster, [...(this.byCluster.get(cluster) ?? []), ...found]);
    }
    const isDeployed = ({ file }: DefinedObject) =>
      kustomizations.some(({ content }) => content.has(normalize(file.path)));
    this.undeployed = definitions
      .filter((definition) => hasValues(definition.object) && !isDeployed(definition))
      .map(({ object }) => object);
  }

  /** The object of that name in the cluster. One that nobody deploys may be meant, if there is only one. */
  public find(kind: string, name: string, namespace: string | undefined, cluster: string): PlainRecord | undefined {
    const isMeant = (object: PlainRecord) => {
      const metadata = asRecord(object.metadata) ?? {};
      return (
        object.kind === kind &&
        metadata.name === name &&
        (namespace === undefined || (metadata.namespace ?? namespace) === namespace)
      );
    };
    const own = new Map(
      (this.byCluster.get(cluster) ?? []).filter(isMeant).map((object) => [JSON.stringify(object), object]),
    );
    const [found, ...others] = own.size > 0 ? own.values() : this.undeployed.filter(isMeant);
    return others.length > 0 || found?.sops !== undefined ? undefined : found;
  }
}

function hasValues({ kind }: PlainRecord): boolean {
  return kind === 'ConfigMap' || kind === 'Secret';
}

/** The folder of the cluster: what a Kustomization deploys that includes itself, as `flux bootstrap` writes it. */
function entryFolder({ file, folder, content }: FluxKustomization): string {
  return folder !== undefined && content.has(file) ? folder : dirname(file).replace(BOOTSTRAP_FOLDER, '');
}

/** The specs of GitRepositories, by name. Two of one name may be for different clusters. */
type GitRepositories = ReadonlyMap<string, readonly PlainRecord[]>;

function gitRepositoriesIn(objects: readonly DefinedObject[]): GitRepositories {
  const specs = new Map<string, PlainRecord[]>();
  for (const { object } of objects) {
    if (!valueText(object.apiVersion).startsWith(SOURCE) || object.kind !== 'GitRepository') continue;
    const name = valueText(asRecord(object.metadata)?.name);
    specs.set(name, [...(specs.get(name) ?? []), asRecord(object.spec) ?? {}]);
  }
  return specs;
}

/** Undefined if the source is none of Git, or is not in the input, or differs by cluster. */
function sourceOf(sourceRef: unknown, repositories: GitRepositories): PlainRecord | undefined {
  const { kind, name } = asRecord(sourceRef) ?? {};
  const found = kind === 'GitRepository' ? (repositories.get(valueText(name)) ?? []) : [];
  const different = new Map(found.map((spec) => [JSON.stringify([spec.url, spec.ref, spec.include]), spec]));
  return different.size === 1 ? [...different.values()][0] : undefined;
}

/** The branch, or something that is no default branch. */
function revisionOf({ ref, include }: PlainRecord): unknown {
  const { branch, ...others } = asRecord(ref) ?? {};
  return Object.keys(others).length > 0 || include !== undefined ? 'other' : branch;
}

function isOwn(sourceRef: unknown, repositories: GitRepositories, folders: RepositoryFolders): boolean {
  const { kind, name } = asRecord(sourceRef) ?? {};
  return kind === 'GitRepository' && folders.isOwn(repositories.get(valueText(name))?.at(-1)?.url);
}

function isLocalChart(
  spec: PlainRecord,
  file: string,
  gitRepositories: GitRepositories,
  folders: RepositoryFolders,
): boolean {
  const { chart, sourceRef } = asRecord(asRecord(spec.chart)?.spec) ?? {};
  return (
    typeof chart === 'string' && isOwn(sourceRef, gitRepositories, folders) && folders.find(file, chart) !== undefined
  );
}
