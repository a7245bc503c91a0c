import { nodesProtectedFromOthers, protectionFromOthers } from './other-programs';
import { isBatch, podAnnotations, podAnnotationsPath } from './pod-protection';
import {
  asRecord,
  compareKarpenterVersions,
  DO_NOT_DISRUPT,
  DO_NOT_DISRUPT_DURATIONS_SINCE,
  FieldFix,
  LEGACY_ANNOTATIONS,
  parseDoNotDisrupt,
  removeField,
  renameField,
  setField,
  unsafeFix,
} from '../../../../contract';
import { countText, nearestName, valueText } from '../../../../model';
import { valueAt } from '../../../manifest/edit/edited-value';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { disruptionsByName } from '../../../manifest/karpenter/pool-disruption';
import { FieldPath, ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { placementsOf, poolNamesOf } from '../../common/placements';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

const REMEDY = `write ${DO_NOT_DISRUPT} in the annotations of the pod template: "true", or a duration such as "1h"`;

const PROTECTION = DO_NOT_DISRUPT.split('/')[1];
const OTHER_WORDS = /^do-?not-?(disrupt(ion|able|ed)?|disturb|drain|terminate|delete|remove)$/i;

interface Mistake {
  readonly path: FieldPath;
  readonly message: string;
  readonly remedy: string;
  readonly fix?: FieldFix;
}

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export const doNotDisruptPermanent: Rule = {
  id: 'KARP-409',
  name: 'do-not-disrupt-permanent',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'Long-running pods or all nodes of a NodePool are protected from disruption forever, or the annotation that should protect pods has no effect.',
  check(context: RuleContext): Outcome[] {
    return [
      ...context.model.nodePools.flatMap(({ object }) => [
        ...protectedNodes(object),
        ...nodesProtectedFromOthers(object),
      ]),
      ...context.model.objects.flatMap(withoutEffect),
      ...checkWorkloads(context),
    ];
  },
};

function checkWorkloads(context: RuleContext): Outcome[] {
  return context.model.workloads.flatMap((workload) => {
    const value = podAnnotations(workload)[DO_NOT_DISRUPT];
    const mistake =
      legacyAnnotation(workload) ??
      misspeltAnnotation(workload, value) ??
      misplacedAnnotation(workload, value) ??
      labelOfPods(workload, value) ??
      ineffectiveValue(context, workload, value);
    if (mistake)
      return [fail({ object: workload.object, severity: 'error', evidence: { value: value ?? null }, ...mistake })];
    if (value === undefined) return protectionFromOthers(context, workload);
    // The API server refuses a value without quotes, which KARP-100 reports.
    if (typeof value === 'boolean' || typeof value === 'number') return [];
    const unknown = findUnresolved(value);
    if (unknown !== undefined)
      return [notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
    return [checkDuration(context, workload, value)];
  });
}

/** With a terminationGracePeriod, drift and expiry end the node in spite of the annotation. */
function checkDuration(context: RuleContext, workload: WorkloadManifest, value: unknown): Outcome {
  const pools = poolNamesOf(context, workload);
  const disruptions = disruptionsByName(context);
  const endless = pools.filter((name) => disruptions.get(name)?.terminationGracePeriod === undefined);
  if (parseDoNotDisrupt(value).kind !== 'always' || isBatch(workload) || (pools.length > 0 && endless.length === 0))
    return pass(workload.object);
  const nodes = placementsOf(context, workload).length;
  const blocked = nodes === 0 ? 'each node with one of its pods' : countText(nodes, 'node');
  return fail({
    object: workload.object,
    path: [...podAnnotationsPath(workload), DO_NOT_DISRUPT],
    message: `${DO_NOT_DISRUPT} protects its long-running pods forever: ${blocked} can neither be consolidated nor get a new AMI`,
    remedy:
      'write a duration, such as "4h", or set a terminationGracePeriod in the NodePool, so that drift and expiry can finish',
    evidence: { value, nodes },
  });
}

/** Karpenter copies the annotations of the template to the nodes, and a protected node can only expire. */
function protectedNodes(object: ManifestObject): Outcome[] {
  const spec = asRecord(object.raw.spec?.template);
  if (asRecord(asRecord(spec?.metadata)?.annotations)?.[DO_NOT_DISRUPT] !== 'true') return [];
  const never = asRecord(spec?.spec)?.expireAfter === 'Never';
  return [
    fail({
      object,
      path: ['spec', 'template', 'metadata', 'annotations', DO_NOT_DISRUPT],
      message:
        `${DO_NOT_DISRUPT} in the template protects each of its nodes: none is ever consolidated, ` +
        (never ? 'and none ever gets a new AMI' : 'and new AMIs reach them only when they expire'),
      remedy:
        'remove it; to limit disruption, write disruption budgets, and to protect certain pods, annotate these pods',
      evidence: { value: 'true', nodes: null },
    }),
  ];
}

/** Objects from which no controller copies annotations to nodes or pods. */
const NOT_READ: readonly string[] = [
  ...['NodePool', 'EC2NodeClass', 'Namespace', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'],
  ...['Service', 'ServiceAccount', 'PriorityClass', 'PersistentVolumeClaim', 'ConfigMap'],
];

/** Karpenter reads the annotation of pods, Nodes and NodeClaims only. */
function withoutEffect(object: ManifestObject): Outcome[] {
  const written = asRecord(asRecord(object.raw.metadata)?.annotations)?.[DO_NOT_DISRUPT];
  if (!NOT_READ.includes(object.kind) || written === undefined || written === 'false') return [];
  const path = ['metadata', 'annotations', DO_NOT_DISRUPT];
  const isPool = object.kind === 'NodePool';
  return [
    fail({
      object,
      path,
      message: `${DO_NOT_DISRUPT} is on the ${object.kind} itself, where Karpenter does not read it: ${isPool ? 'its nodes are disrupted as if it were absent' : 'it protects no pod and no node'}`,
      remedy: isPool
        ? 'remove it, and annotate the templates of the pods that need protection; to keep all nodes, write a disruption budget with nodes: "0" for certain hours'
        : 'remove it, and annotate the templates of the pods that need protection',
      evidence: { value: valueText(written), nodes: null },
      fix: unsafeFix(removeField(path)),
    }),
  ];
}

function legacyAnnotation(workload: WorkloadManifest): Mistake | undefined {
  const annotations = workload.object.raw?.metadata?.annotations;
  const key = [...LEGACY_ANNOTATIONS.keys()].find(
    (legacy) => podAnnotations(workload)[legacy] !== undefined || annotations?.[legacy] !== undefined,
  );
  if (key === undefined) return undefined;
  const inPod = podAnnotations(workload)[key] !== undefined;
  const path = inPod ? [...podAnnotationsPath(workload), key] : ['metadata', 'annotations', key];
  return {
    path,
    message: `Karpenter ignores ${key} since 1.0: its pods are not protected`,
    remedy: REMEDY,
    fix: inPod ? unsafeFix(renameField(path, DO_NOT_DISRUPT)) : undefined,
  };
}

/** A key of another domain or in other words, which no program reads. */
function misspeltAnnotation(workload: WorkloadManifest, value: unknown): Mistake | undefined {
  if (value !== undefined) return undefined;
  const key = Object.keys(podAnnotations(workload)).find(isMeantAsProtection);
  if (key === undefined) return undefined;
  const path = [...podAnnotationsPath(workload), key];
  return {
    path,
    message: `Karpenter does not know ${key}: its pods are not protected`,
    remedy: REMEDY,
    fix: unsafeFix(renameField(path, DO_NOT_DISRUPT)),
  };
}

function isMeantAsProtection(key: string): boolean {
  const [name, domain = ''] = key.split('/').reverse();
  const isOfKarpenter =
    domain === '' || nearestName(domain, ['karpenter.sh']) !== undefined || /karpenter/.test(domain);
  return (
    isOfKarpenter && (name === PROTECTION || OTHER_WORDS.test(name) || nearestName(name, [PROTECTION]) !== undefined)
  );
}

function misplacedAnnotation(workload: WorkloadManifest, value: unknown): Mistake | undefined {
  const { kind, object } = workload;
  const places = [
    ['metadata', 'annotations'],
    ...(kind === 'CronJob' ? [['spec', 'jobTemplate', 'metadata', 'annotations']] : []),
  ];
  const isProtection = (written: unknown) => written !== undefined && written !== 'false';
  const place = places.find((path) => isProtection(asRecord(valueAt(object.raw, path))?.[DO_NOT_DISRUPT]));
  if (kind === 'Pod' || value !== undefined || place === undefined) return undefined;
  const written = asRecord(valueAt(object.raw, place))?.[DO_NOT_DISRUPT];
  return {
    path: [...place, DO_NOT_DISRUPT],
    message: `${DO_NOT_DISRUPT} is on the ${place.length > 2 ? 'template of Jobs' : `${kind} itself`}, where Karpenter does not read it: its pods are not protected`,
    remedy: REMEDY,
    // Pods that get protection are disrupted less than today.
    fix: unsafeFix(setField([...podAnnotationsPath(workload), DO_NOT_DISRUPT], written)),
  };
}

/** A label of the pods, as `commonLabels` of a kustomization writes it. */
function labelOfPods(workload: WorkloadManifest, value: unknown): Mistake | undefined {
  const written = workload.podLabels[DO_NOT_DISRUPT];
  if (value !== undefined || written === undefined || written === 'false') return undefined;
  return {
    path: [...podAnnotationsPath(workload).slice(0, -1), 'labels', DO_NOT_DISRUPT],
    message: `${DO_NOT_DISRUPT} is a label, and Karpenter reads an annotation: its pods are not protected`,
    remedy: REMEDY,
    // Pods that get protection are disrupted less than today.
    fix: unsafeFix(setField([...podAnnotationsPath(workload), DO_NOT_DISRUPT], written)),
  };
}

/** The value `false` is valid and means no protection. */
function ineffectiveValue({ options }: RuleContext, workload: WorkloadManifest, value: unknown): Mistake | undefined {
  if (typeof value !== 'string' || value === 'false' || findUnresolved(value) !== undefined) return undefined;
  const path = [...podAnnotationsPath(workload), DO_NOT_DISRUPT];
  const { kind } = parseDoNotDisrupt(value);
  if (kind === 'none')
    return {
      path,
      message: `invalid value ${JSON.stringify(value)}: Karpenter ignores the annotation, so its pods are not protected`,
      remedy: REMEDY,
    };
  const version = options.karpenterVersion ?? options.servingVersion;
  if (
    kind === 'always' ||
    version === undefined ||
    compareKarpenterVersions(version, DO_NOT_DISRUPT_DURATIONS_SINCE) >= 0
  )
    return undefined;
  return {
    path,
    message: `Karpenter ${version} supports no duration here, got ${JSON.stringify(value)}: it ignores the annotation, so its pods are not protected`,
    remedy: `write "true", or use Karpenter ${DO_NOT_DISRUPT_DURATIONS_SINCE} or later`,
  };
}
