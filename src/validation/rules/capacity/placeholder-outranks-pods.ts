import { unusableRoom } from './placeholder-room';
import { setField, unsafeFix } from '../../../contract';
import { listText, shortListText } from '../../../model';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { onlyPauses } from '../common/brief-pods';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, Judgement, SubjectFinding } from '../define-rule';
import { subjectsWith } from '../subjects';

/** A priority that Cluster Autoscaler still launches nodes for, so that both autoscalers agree. */
const PLACEHOLDER_PRIORITY = -10;
/** The priority of pods without a PriorityClass if none is the default of the cluster. */
const DEFAULT_PRIORITY = 0;

/** A PriorityClass with the workloads that only hold room with it. */
interface PlaceholderClass {
  readonly priorityClass: ManifestObject;
  readonly placeholders: readonly string[];
  readonly workloads: readonly WorkloadManifest[];
}

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ */
export const placeholderOutranksPods = defineRule({
  id: 'KARP-325',
  name: 'placeholder-outranks-pods',
  severity: 'warning',
  summary:
    'Pods that only hold room never give way: other pods have no higher priority, preempt nothing, or cannot run on their nodes.',
  subjects: subjectsWith<PlaceholderClass>(
    ({ priorityClass }) => priorityClass,
    ({ model }) => placeholderClasses(model),
  ),
  judge({ priorityClass, placeholders, workloads }, context): Judgement {
    const { model } = context;
    const value = priorityOf(priorityClass);
    const standard = standardPriority(model);
    // Pods below the standard priority may be meant to leave the room to others.
    if (value === undefined) return undefined;
    const others = model.workloads.filter((workload) => workload.kind !== 'DaemonSet' && !onlyPauses(workload));
    if (value < standard)
      return (
        nonPreempting(model, others, placeholders) ??
        workloads.flatMap((each) => unusableRoom(context, each, others) ?? [])
      );
    const needed = Math.min(PLACEHOLDER_PRIORITY, standard - 1);
    const blocked = others.filter((workload) => isOutranked(model, workload, value));
    if (blocked.length === 0) return undefined;
    const names = blocked.map(({ kind, name }) => `${kind} ${name}`);
    return {
      path: ['value'],
      message:
        `is ${value}: pods of ${listText(placeholders)}, which only hold room, never give way to those of ${shortListText(names, 3)}, ` +
        'whose priority is not higher: the room is paid and never used',
      remedy: `write value: ${needed}; the value cannot be changed, so delete PriorityClass ${priorityClass.name} and create it again`,
      evidence: { value, workloads: names },
      fix: unsafeFix(setField(['value'], needed)),
    };
  },
});

function placeholderClasses(model: ManifestModel): PlaceholderClass[] {
  return classesOf(model).flatMap((priorityClass) => {
    const workloads = model.workloads.filter(
      (workload) => onlyPauses(workload) && podSpecOf(workload)?.priorityClassName === priorityClass.name,
    );
    const placeholders = workloads.map(({ kind, name }) => `${kind} ${name}`);
    return placeholders.length === 0 ? [] : [{ priorityClass, placeholders, workloads }];
  });
}

/** Pods with `preemptionPolicy: Never` wait for room instead of taking it. */
function nonPreempting(
  model: ManifestModel,
  others: readonly WorkloadManifest[],
  placeholders: readonly string[],
): SubjectFinding | undefined {
  const classes = others.map((workload) => {
    const name: unknown = podSpecOf(workload)?.priorityClassName;
    return classesOf(model).find((each) => (name === undefined ? each.raw.globalDefault === true : each.name === name));
  });
  const [first] = classes;
  if (first === undefined || classes.some((each) => each?.raw.preemptionPolicy !== 'Never')) return undefined;
  const path = ['preemptionPolicy'];
  return {
    object: first,
    path,
    message: `is Never: pods of this class never take the room that ${listText(placeholders)} holds, which is paid and never used`,
    remedy: `write preemptionPolicy: PreemptLowerPriority; the field cannot be changed, so delete PriorityClass ${first.name} and create it again`,
    evidence: { preemptionPolicy: 'Never', placeholders },
    fix: unsafeFix(setField(path, 'PreemptLowerPriority')),
  };
}

/** The priority of pods without a PriorityClass. */
function standardPriority(model: ManifestModel): number {
  const standard = classesOf(model).find(({ raw }) => raw.globalDefault === true);
  return (standard && priorityOf(standard)) ?? DEFAULT_PRIORITY;
}

/** Whether the workload's pods cannot preempt pods of that priority. A PriorityClass of the cluster is not known. */
function isOutranked(model: ManifestModel, workload: WorkloadManifest, value: number): boolean {
  const name: unknown = podSpecOf(workload)?.priorityClassName;
  const classes = classesOf(model);
  const found = classes.find((candidate) => candidate.name === name);
  const priority = name === undefined ? standardPriority(model) : found && priorityOf(found);
  return priority !== undefined && priority <= value;
}

function classesOf({ objects }: ManifestModel): ManifestObject[] {
  return objects.filter(
    ({ kind, apiVersion }) => kind === 'PriorityClass' && apiVersion.startsWith('scheduling.k8s.io/'),
  );
}

function priorityOf({ raw }: ManifestObject): number | undefined {
  const value: unknown = raw.value ?? 0;
  return typeof value === 'number' ? value : undefined;
}
