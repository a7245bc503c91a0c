import { isAutoMode } from './auto-mode';
import { CapacityBufferManifest, ManifestModel, ManifestObject, NodeClassManifest, NodeOverlayManifest, NodePoolManifest, SourceFile } from './manifest';
import { CheckOptions } from './options';
import { podMakers } from './pod-makers';
import { readScene } from './scene';
import { NESTED_STACK, TemplateResource } from './template';
import { NODE_POOL_API } from '../contract';

export interface Unjudged {
  /** One for each object that was left out, with the reason. */
  readonly sentences: readonly string[];
  /** NodePools that might launch something, had their values been known: why a pod without a node cannot be called unschedulable. */
  readonly unknownPools: readonly string[];
  /** By name: NodePools with a spec of which it is not known what they launch. */
  readonly poolsWithoutTypes: ReadonlySet<string>;
  /** Where not one NodePool, or not one EC2NodeClass, is left to judge pods by: those that there are. */
  readonly leftOut: readonly string[];
}

/**
 * A sentence for each NodePool, class and workload of the files that cannot be judged.
 *
 * @throws Error if an option has a value that it cannot have
 */
export function notJudged(sources: readonly SourceFile[], given: CheckOptions): readonly string[] {
  return unjudgedObjects(readScene(sources, given).model).sentences;
}

/** What the verdict says nothing of, although it was in the input. */
export function unjudgedObjects(model: ManifestModel): Unjudged {
  const unknownClasses = new Set(model.nodeClasses.filter(hasTokens).map(({ object }) => object.name));
  const inCluster = (model.cluster?.nodePools ?? []).filter(hasTokens);
  const unknownPools = [...model.nodePools, ...inCluster].filter((pool) => hasTokens(pool) || (pool.spec && unknownClasses.has(pool.spec.nodeClass)));
  const ofAutoMode = [...model.nodePools, ...model.cluster?.nodePools ?? []].filter((pool) => pool.spec && isAutoMode(pool));
  const classless = withoutAnyClass(model);
  return {
    sentences: [
      ...ofAutoMode.map(({ object: { name } }) => `NodePool ${name} is not judged: EKS Auto Mode launches its nodes, and these are not known here`),
      ...classless.map(({ object: { name }, spec }) => `NodePool ${name} is not judged: its EC2NodeClass ${spec?.nodeClass} is not in the input`),
      ...[...model.nodePools, ...inCluster].filter(({ spec }) => !spec).map((pool) => sentence('NodePool', pool)),
      ...model.nodeClasses.filter(({ facts }) => !facts).map((nodeClass) => sentence('EC2NodeClass', nodeClass)),
      ...model.nodeOverlays.filter(({ spec }) => !spec).map((nodeOverlay) => sentence('NodeOverlay', nodeOverlay)),
      ...model.capacityBuffers.flatMap(bufferSentences),
      ...model.aws.opaque.map(opaqueSentence),
      ...model.workloads.flatMap(({ kind, namespace, name, shape }) => {
        if (!shape) return [`${kind} ${namespace}/${name} is not judged: the API server would refuse it`];
        if (kind !== 'DaemonSet' || shape.notEvaluated.length === 0) return [];
        return [`DaemonSet ${namespace}/${name} is counted without ${shape.notEvaluated.join(' and ')}`];
      }),
      ...podMakers(model).map(({ kind, namespace = 'default', name }) => `the pods of ${kind} ${namespace}/${name} are not counted: only its controller knows which it makes`),
    ],
    unknownPools: [...unknownPools.map(describe), ...ofAutoMode.map(({ object: { name } }) => `NodePool ${name}, whose nodes EKS Auto Mode launches`)],
    poolsWithoutTypes: new Set([...ofAutoMode, ...classless].map(({ object: { name } }) => name)),
    leftOut: [
      ...[model.nodePools, model.nodeClasses].flatMap((all) => all.some(isJudged) ? [] : all.map(describe)),
      ...model.nodePools.length > 0 ? [] : model.objects.filter(isEarlierPool).map(({ apiVersion, kind, name }) => `${kind} ${name} of ${apiVersion}, which is not served`),
    ],
  };
}

/** NodePools of an input without any EC2NodeClass: theirs may be elsewhere. */
function withoutAnyClass({ nodePools, nodeClasses, cluster }: ManifestModel): NodePoolManifest[] {
  if (nodeClasses.length + (cluster?.nodeClasses.length ?? 0) > 0) return [];
  return [...nodePools, ...cluster?.nodePools ?? []].filter((pool) => pool.spec?.nodeClass && !isAutoMode(pool));
}

function isEarlierPool({ apiVersion, kind }: ManifestObject): boolean {
  return apiVersion.startsWith(`${NODE_POOL_API.group}/`) && ['NodePool', 'Provisioner'].includes(kind);
}

function isJudged(manifest: NodePoolManifest | NodeClassManifest): boolean {
  return ('spec' in manifest && manifest.spec !== undefined) || ('facts' in manifest && manifest.facts !== undefined);
}

function describe(manifest: NodePoolManifest | NodeClassManifest): string {
  const { kind, name } = manifest.object;
  return hasTokens(manifest) || isJudged(manifest) ? `${kind} ${name}, whose values are known only at deployment` : `${kind} ${name}, which Karpenter would refuse`;
}

function hasTokens({ tokens }: NodePoolManifest | NodeClassManifest): boolean {
  return tokens !== undefined && tokens.length > 0;
}

function bufferSentences(manifest: CapacityBufferManifest): string[] {
  const { namespace, name, pods } = manifest;
  if (!pods) return [sentence('CapacityBuffer', manifest)];
  return pods.missing === undefined ? [] : [`no room is kept for CapacityBuffer ${namespace}/${name}: it is for pods of ${pods.missing}`];
}

function opaqueSentence({ type, object: { name } }: TemplateResource): string {
  if (type === NESTED_STACK) return `what is in the nested stack ${name} is not judged: its template is not among the files`;
  return `what ${name} applies to the cluster is not judged: its manifest is known only at deployment`;
}

function sentence(kind: string, manifest: NodePoolManifest | NodeClassManifest | NodeOverlayManifest | CapacityBufferManifest): string {
  const { object, tokens = [] } = manifest;
  if (tokens.length === 0) return `${kind} ${object.name} is not judged: Karpenter would refuse it`;
  return `${kind} ${object.name} is not judged: ${tokens.join(', ')} ${tokens.length === 1 ? 'is' : 'are'} known only at deployment`;
}
