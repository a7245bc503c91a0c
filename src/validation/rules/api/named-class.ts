import { setField, unsafeFix } from '../../../contract';
import { nearestName, shortListText } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { podSpecOf } from '../common/pod-constraints';
import { Judgement, NOT_APPLICABLE, unknown } from '../define-rule';

/** A class that a pod names, and without which the API server refuses the pod. */
export interface NamedClass {
  readonly kind: 'PriorityClass' | 'RuntimeClass';
  readonly field: 'priorityClassName' | 'runtimeClassName';
  /** Names of classes that exist in the cluster. */
  readonly existing: (model: ManifestModel) => readonly string[];
  /** What the API server says of a name. */
  readonly refusal: (name: string) => string;
  /** The severity if only the cluster may have the class. @default info */
  readonly severityIfUnknown?: (name: string) => 'warning' | 'info';
  /** How to say that the cluster has the class. @default - only with its manifest */
  readonly declaredWith?: string;
}

/** Whether the class that a workload names exists. */
export function judgeNamedClass(workload: WorkloadManifest, model: ManifestModel, named: NamedClass): Judgement {
  const name: unknown = podSpecOf(workload)?.[named.field];
  if (typeof name !== 'string' || name === '') return NOT_APPLICABLE;
  if (findUnresolved(name) !== undefined) return unknown(`its ${CLASS_TEXT[named.kind]} is known only at deployment`);
  const classes = named.existing(model);
  if (classes.includes(name)) return undefined;
  // A dump of the cluster without any class of this kind was made without them.
  const isComplete = (model.cluster?.objects ?? []).some(({ kind }) => kind === named.kind);
  const nearest = nearestName(name, classes);
  return missing(workload, name, nearest, nearest !== undefined || isComplete, named);
}

/** Objects of the input and of the cluster of this kind. */
export function classesOfKind(
  { objects, cluster }: ManifestModel,
  { kind }: Pick<NamedClass, 'kind'>,
): ManifestObject[] {
  return [...objects, ...(cluster?.objects ?? [])].filter(
    (object) => object.kind === kind && object.apiVersion.startsWith(`${GROUP[kind]}/`),
  );
}

const CLASS_TEXT = { PriorityClass: 'priority class', RuntimeClass: 'runtime class' };
const GROUP = { PriorityClass: 'scheduling.k8s.io', RuntimeClass: 'node.k8s.io' };

/** @param isCertain whether the class is missing in the cluster, too; otherwise this is a note */
function missing(
  { podPath }: WorkloadManifest,
  name: string,
  nearest: string | undefined,
  isCertain: boolean,
  { kind, field, refusal, declaredWith, severityIfUnknown = () => 'info' }: NamedClass,
): Judgement {
  const refused = `the API server refuses its pods (${refusal(name)})`;
  return {
    path: [...podPath, field],
    message:
      `names ${kind} ${name}, which is not in the input${nearest === undefined ? '' : ` (it has ${shortListText([nearest])})`}: ` +
      `${isCertain ? refused : `if the cluster does not have it either, ${refused}`}`,
    remedy:
      nearest === undefined
        ? `add the manifest of ${kind} ${name} to the input${declaredWith === undefined ? '' : `, or declare it with ${declaredWith} ${name}`}`
        : `write ${nearest} instead of ${name}`,
    evidence: { [field]: name, nearest: nearest ?? null },
    ...(nearest === undefined ? {} : { fix: unsafeFix(setField([...podPath, field], nearest)), isTypo: true }),
    ...(isCertain ? {} : { severity: severityIfUnknown(name) }),
  };
}
