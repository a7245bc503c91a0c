import { jsonPatch } from './json-patch';
import { strategicMerge } from './strategic-merge';
import { asRecord, isClusterScoped, isValidatedKind } from '../../../../contract';
import { PlainRecord, recordsOf } from '../../records';

/** Changes an object as a kustomization does. Returns undefined if it removes the object. */
export type Edit = (object: PlainRecord) => PlainRecord | undefined;

const CLUSTER_KINDS = new RegExp(
  '^(Namespace|Node|PersistentVolume|StorageClass|PriorityClass|CustomResourceDefinition|APIService|CSIDriver|RuntimeClass|' +
    'IngressClass|Cluster.*|.*WebhookConfiguration)$',
);
const SCALED_KINDS = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'];

/**
 * The edits of one kustomization, in the order in which kustomize applies them. Images and annotations are left out:
 * they decide nothing here.
 *
 * @param readPatch the documents of a patch file
 * @see https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/
 */
export function editsOf(
  kustomization: PlainRecord,
  readPatch: (path: string) => readonly unknown[],
  parse: (text: string) => readonly unknown[],
): Edit[] {
  const documents = (patch: unknown, path: unknown) =>
    typeof patch === 'string' ? parse(patch) : typeof path === 'string' ? readPatch(path) : [];
  const inline = (entry: unknown) =>
    typeof entry !== 'string' ? [] : entry.includes('\n') ? parse(entry) : readPatch(entry);
  const patches = [...recordsOf(kustomization.patches), ...recordsOf(kustomization.patchesJson6902)];
  const merges = Array.isArray(kustomization.patchesStrategicMerge)
    ? kustomization.patchesStrategicMerge.flatMap(inline)
    : [];
  return [
    ...merges.flatMap((document) => mergeEdit(document, undefined)),
    ...patches.flatMap(({ patch, path, target }) => patchEdits(documents(patch, path), asRecord(target))),
    ...namespaceEdit(kustomization.namespace),
    ...nameEdit(kustomization.namePrefix, kustomization.nameSuffix),
    ...labelEdits(kustomization),
    ...recordsOf(kustomization.replicas).flatMap(replicaEdit),
  ];
}

function patchEdits(documents: readonly unknown[], target: PlainRecord | undefined): Edit[] {
  return documents.flatMap((document) => {
    if (!Array.isArray(document)) return mergeEdit(document, target);
    return target === undefined
      ? []
      : [(object: PlainRecord) => (isTarget(object, target) ? jsonPatch(object, document) : object)];
  });
}

function mergeEdit(document: unknown, target: PlainRecord | undefined): Edit[] {
  const patch = asRecord(document);
  if (!patch) return [];
  const { kind, metadata } = patch;
  const { name, namespace } = asRecord(metadata) ?? {};
  const matches = target
    ? (object: PlainRecord) => isTarget(object, target)
    : (object: PlainRecord) =>
        object.kind === kind &&
        metadataOf(object).name === name &&
        (namespace === undefined || metadataOf(object).namespace === namespace);
  return [
    (object) => {
      if (!matches(object)) return object;
      const isCustom = isValidatedKind(String(object.apiVersion), String(object.kind));
      // A patch with a target may have another name, which is ignored.
      const named = target
        ? { ...patch, kind: object.kind, metadata: { ...asRecord(metadata), name: metadataOf(object).name } }
        : patch;
      return strategicMerge(object, named, isCustom);
    },
  ];
}

/** Each field of a target is a regular expression for the whole value. */
function isTarget(object: PlainRecord, target: PlainRecord): boolean {
  const [version = '', group = ''] = String(object.apiVersion).split('/').reverse();
  const { name, namespace, labels, annotations } = metadataOf(object);
  const values: PlainRecord = { group, version, kind: object.kind, name, namespace: namespace ?? 'default' };
  return (
    Object.entries(values).every(
      ([field, value]) => target[field] === undefined || matchesWhole(String(target[field]), String(value)),
    ) &&
    hasAll(target.labelSelector, labels) &&
    hasAll(target.annotationSelector, annotations)
  );
}

function matchesWhole(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(value);
  } catch {
    return pattern === value;
  }
}

/** Only selectors of the form `key=value,…` are understood; others match nothing. */
function hasAll(selector: unknown, values: unknown): boolean {
  if (typeof selector !== 'string') return true;
  const present = asRecord(values) ?? {};
  return selector.split(',').every((term) => {
    const [key, value] = term.split(/==?/);
    return value !== undefined && present[key.trim()] === value.trim();
  });
}

function namespaceEdit(namespace: unknown): Edit[] {
  if (typeof namespace !== 'string' || namespace === '') return [];
  return [
    (object) => (hasNoNamespace(object) ? object : { ...object, metadata: { ...metadataOf(object), namespace } }),
  ];
}

/** Sets the namespace of objects that write none, as Argo CD does. */
export function defaultNamespaceEdit(namespace: unknown): Edit[] {
  return namespaceEdit(namespace).map(
    (edit) => (object) => (metadataOf(object).namespace === undefined ? edit(object) : object),
  );
}

function hasNoNamespace({ apiVersion, kind }: PlainRecord): boolean {
  return isClusterScoped(String(apiVersion)) || CLUSTER_KINDS.test(String(kind));
}

/** One edit that makes all edits in order. */
export function chained(edits: readonly Edit[]): Edit {
  return (object) => edits.reduce<PlainRecord | undefined>((edited, edit) => edited && edit(edited), object);
}

function nameEdit(prefix: unknown, suffix: unknown): Edit[] {
  const [before, after] = [prefix, suffix].map((text) => (typeof text === 'string' ? text : ''));
  if (before === '' && after === '') return [];
  return [
    (object) =>
      /^(Namespace|CustomResourceDefinition|APIService)$/.test(String(object.kind))
        ? object
        : {
            ...object,
            metadata: { ...metadataOf(object), name: `${before}${String(metadataOf(object).name)}${after}` },
          },
  ];
}

function labelEdits({ commonLabels, labels }: PlainRecord): Edit[] {
  const entries = [
    ...(asRecord(commonLabels) ? [{ pairs: commonLabels, includeSelectors: true, includeTemplates: true }] : []),
    ...recordsOf(labels),
  ];
  return entries.map(({ pairs, includeSelectors, includeTemplates }) => (object: PlainRecord) => {
    const added = asRecord(pairs) ?? {};
    const labelled = withLabels(object, ['metadata', 'labels'], added);
    const inTemplate =
      includeSelectors === true || includeTemplates === true ? withTemplateLabels(labelled, added) : labelled;
    return includeSelectors === true ? withSelectorLabels(inTemplate, added) : inTemplate;
  });
}

function withTemplateLabels(object: PlainRecord, labels: PlainRecord): PlainRecord {
  const path = object.kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template'] : ['spec', 'template'];
  const isCustom = isValidatedKind(String(object.apiVersion), String(object.kind));
  return valueAt(object, path) && !isCustom ? withLabels(object, [...path, 'metadata', 'labels'], labels) : object;
}

/** Adds labels to the selectors of the object and of its pods' spread and affinity. Makes missing selectors. */
function withSelectorLabels(object: PlainRecord, labels: PlainRecord): PlainRecord {
  const controllers = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];
  const isSelecting =
    controllers.includes(String(object.kind)) ||
    (object.kind === 'PodDisruptionBudget' && valueAt(object, ['spec', 'selector']) !== undefined);
  if (!isSelecting) return object;
  const selecting = withLabels(object, ['spec', 'selector', 'matchLabels'], labels);
  const spec = asRecord(selecting.spec)!;
  const template = asRecord(spec.template);
  const podSpec = asRecord(template?.spec);
  if (!template || !podSpec) return selecting;
  const { affinity, topologySpreadConstraints } = podSpec;
  const widened = {
    ...podSpec,
    ...(affinity === undefined ? {} : { affinity: withSelectedLabels(affinity, labels) }),
    ...(topologySpreadConstraints === undefined
      ? {}
      : { topologySpreadConstraints: withSelectedLabels(topologySpreadConstraints, labels) }),
  };
  return { ...selecting, spec: { ...spec, template: { ...template, spec: widened } } };
}

/** Adds the labels to every `labelSelector.matchLabels` below the value. */
function withSelectedLabels(value: unknown, labels: PlainRecord): unknown {
  if (Array.isArray(value)) return value.map((item) => withSelectedLabels(item, labels));
  const record = asRecord(value);
  if (!record) return value;
  return Object.fromEntries(
    Object.entries(record).map(([key, inner]) => {
      const selector = key === 'labelSelector' ? asRecord(inner) : undefined;
      return [
        key,
        selector?.matchLabels ? withLabels(selector, ['matchLabels'], labels) : withSelectedLabels(inner, labels),
      ];
    }),
  );
}

function withLabels(record: PlainRecord, [step, ...rest]: readonly string[], labels: PlainRecord): PlainRecord {
  const inner = asRecord(record[step]) ?? {};
  return { ...record, [step]: rest.length === 0 ? { ...inner, ...labels } : withLabels(inner, rest, labels) };
}

function replicaEdit({ name, count }: PlainRecord): Edit[] {
  return [
    (object) =>
      SCALED_KINDS.includes(String(object.kind)) && metadataOf(object).name === name
        ? { ...object, spec: { ...asRecord(object.spec), replicas: count } }
        : object,
  ];
}

function valueAt(record: PlainRecord, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => asRecord(value)?.[step], record);
}

function metadataOf(object: PlainRecord): PlainRecord {
  return asRecord(object.metadata) ?? {};
}
