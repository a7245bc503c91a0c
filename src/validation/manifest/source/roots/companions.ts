/** Objects of other roots about the cluster of the NodePools: releases of Karpenter, the CNI, agents; aws-auth. */
import { environmentOfRoot, pathsOf } from './environments';
import { Root } from './root';
import { definedIn, editedObjectsIn } from './root-objects';
import { asRecord, CHARTS_OF_NODES } from '../../../../contract';
import { memoizeByIdentity, valueText } from '../../../../model';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf } from '../../records';

/** Kinds that install charts, or that a HelmRelease refers to, with their groups. */
const RELEASE_KINDS = [
  'HelmRelease.helm.toolkit.fluxcd.io',
  'HelmChart.source.toolkit.fluxcd.io',
  'OCIRepository.source.toolkit.fluxcd.io',
  'Application.argoproj.io',
  'helm_release.terraform',
];
const CLUSTER_KINDS = ['ClusterConfig.eksctl.io', 'ENIConfig.crd.k8s.amazonaws.com'];
const CONFIG_MAPS = ['aws-auth', 'amazon-vpc-cni'];

/** Charts whose settings are judged together with NodePools. */
const CHART = new RegExp(`(?:^|/)(${CHARTS_OF_NODES.join('|')})/*$`);

/** Whether the object says something about Karpenter or about the nodes of its cluster, and is not judged by itself. */
export function isCompanion(object: PlainRecord): boolean {
  const kind = `${valueText(object.kind ?? '')}.${valueText(object.apiVersion ?? '').split('/')[0]}`;
  if (CLUSTER_KINDS.includes(kind)) return true;
  if (RELEASE_KINDS.includes(kind)) return namesChart(object);
  const { name, namespace } = asRecord(object.metadata) ?? {};
  return object.kind === 'ConfigMap' && namespace === 'kube-system' && CONFIG_MAPS.includes(valueText(name ?? ''));
}

function namesChart(object: PlainRecord): boolean {
  return chartsOf(object).length > 0;
}

/** The charts of the list that the object names. */
function chartsOf({ kind, spec: raw, metadata, chart: ofTerraform }: PlainRecord): string[] {
  const spec = asRecord(raw) ?? {};
  const chart = asRecord(asRecord(spec.chart)?.spec) ?? asRecord(spec.chartRef) ?? spec;
  const sources = [chart, asRecord(spec.source) ?? {}, ...recordsOf(spec.sources)];
  const named = [ofTerraform, ...sources.flatMap((source) => [source.chart ?? source.url ?? source.repoURL])];
  const texts = kind === 'HelmRelease' && spec.chart === undefined ? [chart.name, asRecord(metadata)?.name] : named;
  const charts = texts.flatMap((text) => (typeof text === 'string' ? (CHART.exec(text)?.[1] ?? []) : []));
  return [...new Set(charts)].sort();
}

/** Whether the files of a root have such objects. */
export function hasCompanions({ sources }: Pick<Root, 'sources'>): boolean {
  return sources.some((file) => editedObjectsIn(file).some(isCompanion));
}

/**
 * Adds what other roots say about the cluster to the roots that have NodePools or node classes: what is in the same
 * environment, otherwise what is in none. If several objects can be meant, none is added.
 */
export function withCompanions<R extends Root & { readonly skipped?: string }>(roots: readonly R[]): R[] {
  const placesOf = memoizeByIdentity((companions: readonly Root[]) => companions.flatMap(placed));
  const pathOf = pathsOf([...roots, ...roots.flatMap(({ companions = [] }) => placesOf(companions))]);
  const hasAnyNodes = roots.some(hasNodes);
  return roots.map((root) => {
    const { companions = [], hasPoolsOfOther = false, skipped } = root;
    if (skipped !== undefined || companions.length === 0) return root;
    const isOfNodes = !hasPoolsOfOther && (!hasAnyNodes || hasNodes(root));
    if (!isOfNodes && !hasPodSecurityGroups(root)) return root;
    const isWantedHere = isOfNodes ? isCompanion : isOfCni;
    const near = nearCompanions(root, placesOf(companions), pathOf);
    const found = near.flatMap(({ sources }) =>
      sources.flatMap((file) =>
        editedObjectsIn(file)
          .filter(isWantedHere)
          .map((object) => ({ file, object })),
      ),
    );
    const isWhole = isOfNodes || found.some(({ object }) => chartsOf(object).includes('karpenter'));
    if (!isWhole && found.some(({ object }) => JSON.stringify(object).includes(RESERVING))) return root;
    const own = new Set(root.sources.flatMap((file) => editedObjectsIn(file).filter(isCompanion).map(keyOf)));
    const isWanted = (object: PlainRecord) =>
      !own.has(keyOf(object)) && found.filter((other) => keyOf(other.object) === keyOf(object)).length === 1;
    const keys = new Set(found.filter(({ object }) => isWanted(object)).map(({ object }) => keyOf(object)));
    const files = [...new Set(found.filter(({ object }) => isWanted(object)).map(({ file }) => file))];
    return files.length === 0
      ? root
      : { ...root, sources: [...root.sources, ...files.map((file) => onlyObjects(file, keys))] };
  });
}

/** Whether the VPC CNI decides about pods of the root, wherever their nodes are. */
function hasPodSecurityGroups(root: Root): boolean {
  return definedIn(root, ['SecurityGroupPolicy.vpcresources.k8s.aws']).length > 0;
}

/** The settings of Karpenter say how many interfaces it counts, so that they belong to those of the CNI. */
function isOfCni(object: PlainRecord): boolean {
  const isCluster = object.kind === 'ClusterConfig' && JSON.stringify(object).includes('vpc-cni');
  return isCompanion(object) && (isCluster || chartsOf(object).some((chart) => CNI_CHARTS.includes(chart)));
}

/** With this setting, Karpenter has to count an interface less. */
const RESERVING = 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG';
const CNI_CHARTS = ['aws-vpc-cni', 'karpenter'];

/** Files outside of kustomizations are one root, but may be of several environments. */
function placed(root: Root): Root[] {
  if (root.kind !== 'files') return [root];
  return root.sources.map((file) => ({ ...root, name: file.path, sources: [file] }));
}

function nearCompanions(root: Root, companions: readonly Root[], pathOf: (root: Root) => string): readonly Root[] {
  const environment = environmentOfRoot(root, pathOf);
  const of = (wanted: string | undefined) =>
    companions.filter((other) => other.cluster === root.cluster && environmentOfRoot(other, pathOf) === wanted);
  return environment === undefined ? of(undefined) : [...of(environment), ...of(undefined)];
}

function hasNodes(root: Root): boolean {
  return definedIn(root, ['NodePool', 'Provisioner', 'EC2NodeClass', 'AWSNodeTemplate']).length > 0;
}

/** Releases of one chart are alike, whatever their names: several of them belong to several clusters. */
function keyOf(object: PlainRecord): string {
  const { name, namespace } = asRecord(object.metadata) ?? {};
  const isRelease = ['HelmRelease', 'Application', 'helm_release'].includes(valueText(object.kind));
  return JSON.stringify(isRelease ? chartsOf(object) : [object.kind, namespace ?? 'default', name]);
}

function onlyObjects(file: SourceFile, keys: ReadonlySet<string>): SourceFile {
  const { edit } = file;
  return {
    ...file,
    edit: (object) => {
      const edited = edit ? edit(object) : object;
      return edited && isCompanion(edited) && keys.has(keyOf(edited)) ? edited : undefined;
    },
  };
}
