import { asRecord, NODE_POOL_API } from '../../contract';
import { listText } from '../../model';
import { isAutoMode } from '../eks-auto-mode';
import {
  CapacityBufferManifest,
  hasExclusiveTopology,
  isCustomWorkload,
  isSparkTemplate,
  ManifestModel,
  ManifestObject,
  NodeClassManifest,
  NodeOverlayManifest,
  NodePoolManifest,
} from '../manifest';
import { poolsWithoutAnyClass, stockNodeClasses } from './stock-node-class';
import { NESTED_STACK, TemplateResource } from '../template';

export interface NotEvaluatedObjects {
  /** One sentence for each object that is left out, with the reason. */
  readonly sentences: readonly string[];
  /**
   * NodePools that might launch a node if their values were known. While there are any, a pod without a node is not
   * called unschedulable.
   */
  readonly unknownPools: readonly string[];
  /** Names of NodePools with a readable spec whose instance types are unknown. */
  readonly poolsWithoutTypes: ReadonlySet<string>;
  /** If no NodePool, or no EC2NodeClass, can be evaluated: the ones in the input, with the reason. Empty otherwise. */
  readonly leftOut: readonly string[];
}

/** The objects of the input that the verdict leaves out. */
export function objectsNotEvaluated(model: ManifestModel): NotEvaluatedObjects {
  const unknownClasses = new Set(model.nodeClasses.filter(hasUnknowns).map(({ object }) => object.name));
  const inCluster = (model.cluster?.nodePools ?? []).filter(hasUnknowns);
  const unknownPools = [...model.nodePools, ...inCluster].filter(
    (pool) => hasUnknowns(pool) || (pool.spec && unknownClasses.has(pool.spec.nodeClass)),
  );
  const ofAutoMode = [...model.nodePools, ...(model.cluster?.nodePools ?? [])].filter(
    (pool) => pool.spec && isAutoMode(pool),
  );
  const stockClasses = stockNodeClasses(model).map(({ name }) => name);
  const classless = poolsWithoutAnyClass(model).filter(({ spec }) => !stockClasses.includes(spec!.nodeClass));
  return {
    sentences: [
      ...ofAutoMode.map(
        ({ object: { name } }) =>
          `NodePool ${name} is not evaluated: EKS Auto Mode launches its nodes, and their instance types are unknown`,
      ),
      ...classless.map(
        ({ object: { name }, spec }) =>
          `NodePool ${name} is not evaluated: its EC2NodeClass ${spec?.nodeClass} is not in the input`,
      ),
      ...[...model.nodePools, ...inCluster].filter(({ spec }) => !spec).map((pool) => sentence('NodePool', pool)),
      ...model.nodeClasses.filter(({ facts }) => !facts).map((nodeClass) => sentence('EC2NodeClass', nodeClass)),
      ...model.nodeOverlays.filter(({ spec }) => !spec).map((nodeOverlay) => sentence('NodeOverlay', nodeOverlay)),
      ...model.capacityBuffers.flatMap(bufferSentences),
      ...model.aws.opaque.map(opaqueSentence),
      ...model.workloads.flatMap(({ kind, namespace, name, shape }) => {
        if (!shape)
          return [`${kind} ${namespace}/${name} is not evaluated: the API server would reject it or its pods`];
        if (kind !== 'DaemonSet' || shape.notEvaluated.length === 0) return [];
        return [`DaemonSet ${namespace}/${name} is counted without ${listText(shape.notEvaluated)}`];
      }),
      ...objectsWithPodTemplates(model).map(
        (object) =>
          `the pods of ${object.kind} ${object.namespace ?? 'default'}/${object.name} are not counted: ${whyNotCounted(object, model)}`,
      ),
      ...sparkSentences(model),
    ],
    unknownPools: [
      ...unknownPools.map(describe),
      ...ofAutoMode.map(({ object: { name } }) => `NodePool ${name}, whose nodes EKS Auto Mode launches`),
    ],
    poolsWithoutTypes: new Set([...ofAutoMode, ...classless].map(({ object: { name } }) => name)),
    leftOut: [
      ...[model.nodePools, model.nodeClasses].flatMap((manifests) =>
        manifests.some(isEvaluated) ? [] : manifests.map(describe),
      ),
      ...(model.nodePools.length > 0
        ? []
        : model.objects
            .filter(isEarlierPool)
            .map(
              ({ apiVersion, kind, name }) => `${kind} ${name} of ${apiVersion}, an API version that is not served`,
            )),
    ],
  };
}

function sparkSentences({ objects }: ManifestModel): string[] {
  const names = objects
    .filter(isSparkTemplate)
    .map(({ namespace = 'default', name, locate }) =>
      name === '' ? locate([]).file.split('/').pop()! : `${namespace}/${name}`,
    );
  if (names.length === 0) return [];
  return [
    `the pods of ${names.length === 1 ? 'the Spark pod template' : 'the Spark pod templates'} ${listText(names)} are not counted: Spark fills in their requests`,
  ];
}

function isEarlierPool({ apiVersion, kind }: ManifestObject): boolean {
  return apiVersion.startsWith(`${NODE_POOL_API.group}/`) && ['NodePool', 'Provisioner'].includes(kind);
}

function isEvaluated(manifest: NodePoolManifest | NodeClassManifest): boolean {
  return ('spec' in manifest && manifest.spec !== undefined) || ('facts' in manifest && manifest.facts !== undefined);
}

function describe(manifest: NodePoolManifest | NodeClassManifest): string {
  const { kind, name } = manifest.object;
  const missing = missingFactsText(manifest);
  if (missing !== undefined) return `${kind} ${name}, because ${missing}`;
  return hasUnknowns(manifest) || isEvaluated(manifest)
    ? `${kind} ${name}, whose values are known only at deployment`
    : `${kind} ${name}, which Karpenter would reject`;
}

/** What is unknown about an object. */
type Unknowns = Pick<NodePoolManifest, 'tokens' | 'missingFacts'>;

function hasUnknowns({ tokens = [], missingFacts = [] }: Unknowns): boolean {
  return tokens.length + missingFacts.length > 0;
}

/** Such as `the zone of each zone ID that it selects (pass --zones …) is unknown`. Undefined if no fact is missing. */
function missingFactsText({ missingFacts = [] }: Unknowns): string | undefined {
  return missingFacts.length === 0
    ? undefined
    : `${listText(missingFacts)} ${missingFacts.length === 1 ? 'is' : 'are'} unknown`;
}

function bufferSentences(manifest: CapacityBufferManifest): string[] {
  const { namespace, name, pods } = manifest;
  if (!pods) return [sentence('CapacityBuffer', manifest)];
  return pods.missing === undefined
    ? []
    : [`CapacityBuffer ${namespace}/${name} reserves nothing: it is for pods of ${pods.missing}`];
}

function opaqueSentence({ type, object: { name } }: TemplateResource): string {
  if (type === NESTED_STACK) return `the nested stack ${name} is not evaluated: its template is not among the files`;
  return `the manifest that ${name} applies is not evaluated: it is known only at deployment`;
}

function sentence(
  kind: string,
  manifest: NodePoolManifest | NodeClassManifest | NodeOverlayManifest | CapacityBufferManifest,
): string {
  const { object, tokens = [] } = manifest;
  const missing = missingFactsText(manifest);
  if (missing !== undefined) return `${kind} ${object.name} is not evaluated: ${missing}`;
  if (tokens.length === 0) return `${kind} ${object.name} is not evaluated: Karpenter would reject it`;
  return `${kind} ${object.name} is not evaluated: ${listText(tokens)} ${tokens.length === 1 ? 'is' : 'are'} known only at deployment`;
}

/** The kinds of these API groups are known to the manifest reader. */
const KNOWN_API_VERSIONS = ['v1', 'apps/v1', 'batch/v1'];
/** Pods in objects of these groups are patterns, schemas and values of charts, or are read elsewhere. */
const PATTERNS =
  /^(?:[\w.]*kyverno\.io|apiextensions\.k8s\.io|[\w.]*gatekeeper\.sh|helm\.(?:toolkit\.fluxcd|cattle)\.io|karpenter\.[\w.]+|[\w.]*crossplane\.io|kueue\.x-k8s\.io|autoscaling[\w.]*|kustomize\.config\.k8s\.io|argoproj\.io\/\w+\/App\w+|.*Runtime)\//;
/** Kinds whose pods need no template and no requests. */
const POD_MAKERS =
  /^(?:InferenceService|LLMInferenceService|TrainJob|FlinkDeployment|TaskRun|PipelineRun|(?:Cluster)?WorkflowTemplate)$/;
const RESOURCES = /^(?:resources?|computeResources|resourcesPerNode)$/;
const TEMPLATE = /[tT]emplate$/;
const MAX_DEPTH = 8;

function whyNotCounted(object: ManifestObject, { cluster }: ManifestModel): string {
  if (object.kind.endsWith('WorkflowTemplate')) return 'a Workflow makes them';
  if (!isCustomWorkload(object)) return 'only its controller knows them';
  if (hasExclusiveTopology(object)) return 'the domains that its controller chooses for its groups are not simulated';
  return cluster
    ? 'which running pods belong to it is not known'
    : 'its fields do not decide their number and requests';
}

/** Objects of other kinds with pod templates, and of known ones whose manifest does not decide their pods. */
export function objectsWithPodTemplates({ objects, workloads }: ManifestModel): ManifestObject[] {
  const counted = new Set(workloads.map(({ object }) => object.madeBy));
  return objects.filter((object) => !counted.has(object) && (isCustomWorkload(object) || mayHavePods(object)));
}

function mayHavePods({ apiVersion, kind, raw }: ManifestObject): boolean {
  if (KNOWN_API_VERSIONS.includes(apiVersion) || PATTERNS.test(`${apiVersion}/${kind}/`)) return false;
  return POD_MAKERS.test(kind) || holdsPods(raw.spec, MAX_DEPTH);
}

/** Whether a pod template, or the requests of a container, is in the value. */
function holdsPods(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.some((item) => holdsPods(item, depth - 1));
  return Object.entries(asRecord(value) ?? {}).some(
    ([key, inner]) =>
      (TEMPLATE.test(key) && isPodTemplate(inner)) ||
      (RESOURCES.test(key) && isRequests(inner)) ||
      holdsPods(inner, depth - 1),
  );
}

function isPodTemplate(value: unknown): boolean {
  return Array.isArray(asRecord(asRecord(value)?.spec)?.containers);
}

function isRequests(value: unknown): boolean {
  const { requests, limits, ...others } = asRecord(value) ?? {};
  return [requests, limits, others].some((list) => ['cpu', 'memory'].some((name) => name in (asRecord(list) ?? {})));
}
