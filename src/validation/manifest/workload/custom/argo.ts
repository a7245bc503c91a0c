import { allParts, countOr, jobPart, withRestartPolicy } from './part';
import { asRecord } from '../../../../contract';
import { isCount } from '../../field-reader';
import { findUnresolved } from '../../find-unresolved';
import { FieldPath, ManifestObject, SourceLocation } from '../../object';
import { PlainRecord, recordsOf } from '../../records';

/** Fields of a workflow that its pods have if their template lacks them. */
const POD_FIELDS = ['nodeSelector', 'affinity', 'tolerations', 'schedulerName'];
/** Fields that change pods in ways that are not read. */
const UNREAD = ['podSpecPatch', 'templateDefaults', 'volumeClaimTemplates'];
/** Templates that call each other more deeply are not counted. */
const MAX_DEPTH = 64;

/** A workflow, with the object that has its templates. */
interface Run {
  readonly object: ManifestObject;
  /** The path of the workflow in the object. */
  readonly path: FieldPath;
  readonly spec: PlainRecord;
}

/** Pods of a template that run at a time. */
interface Use {
  /** The workflow that has the template. */
  readonly owner: Run;
  readonly index: number;
  readonly template: PlainRecord;
  readonly pods: number;
}

/** The pods by what decides their nodes. Undefined if their number is not written. */
type Uses = ReadonlyMap<string, Use> | undefined;

/**
 * A Job for each kind of pods of a run. Of steps that follow each other, the one with the most pods counts.
 *
 * @see https://argo-workflows.readthedocs.io/en/latest/fields/
 */
export function argoParts(
  object: ManifestObject,
  path: FieldPath,
  objects: readonly ManifestObject[],
): ManifestObject[] | undefined {
  const run = runOf(object, path, objects);
  if (run === undefined || UNREAD.some((field) => run.spec[field] !== undefined)) return undefined;
  const { entrypoint, onExit = [], suspend, parallelism } = run.spec;
  const uses = combined([entrypoint, onExit].flat().map(usesOf(run, objects)), Math.max);
  const isSuspended = suspend === true || object.raw.spec?.suspend === true;
  const parts = [...(uses?.values() ?? [])].map(({ owner, index, template, pods }) => {
    const pod = podOf(run.spec, template);
    const most = isCount(parallelism) && parallelism > 0 ? Math.min(pods, parallelism) : pods;
    if (pod === undefined || !isCount(most)) return undefined;
    const name = `${object.name}-${String(template.name).toLowerCase()}`;
    const part = jobPart(object, name, isSuspended ? 0 : most, pod, { place: [] });
    return { ...part, locate: (field: FieldPath) => locateInPod(run, owner, index, field.slice(2)) };
  });
  return uses && allParts(parts);
}

/** Fields of the workflow replace those of the WorkflowTemplate that it refers to. */
function runOf(object: ManifestObject, path: FieldPath, objects: readonly ManifestObject[]): Run | undefined {
  const spec = path.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), object.raw);
  const reference = asRecord(spec?.workflowTemplateRef);
  if (spec === undefined || reference === undefined) return spec && { object, path, spec };
  const found = referencedBy(reference, object, objects);
  return found && { ...found, spec: { ...found.spec, ...spec } };
}

/** The WorkflowTemplate of a reference, in the namespace of the object. */
function referencedBy(
  { name, clusterScope }: PlainRecord,
  object: ManifestObject,
  objects: readonly ManifestObject[],
): Run | undefined {
  const wanted = clusterScope === true ? 'ClusterWorkflowTemplate' : 'WorkflowTemplate';
  const found = objects.find(
    (other) =>
      other.kind === wanted && other.name === name && (clusterScope === true || other.namespace === object.namespace),
  );
  const spec = asRecord(found?.raw.spec);
  return found && spec && { object: found, path: ['spec'], spec };
}

/** The pods of a template with all that it calls. */
function usesOf(run: Run, objects: readonly ManifestObject[]): (name: unknown) => Uses {
  const known = new Map<unknown, Uses>();
  const find = (owner: Run, name: unknown, depth: number): Uses => {
    const index = recordsOf(owner.spec.templates).findIndex((template) => template.name === name);
    const key = JSON.stringify([owner.object.kind, owner.object.name, index]);
    if (!known.has(key)) {
      // A template that calls itself is not counted.
      known.set(key, undefined);
      if (index >= 0 && depth > 0) known.set(key, pods(owner, index, depth));
    }
    return known.get(key);
  };
  const called = (owner: Run, { template, templateRef }: PlainRecord, depth: number): Uses => {
    const reference = asRecord(templateRef);
    const other = reference && referencedBy(reference, run.object, objects);
    return reference ? other && find(other, reference.template, depth) : find(owner, template, depth);
  };
  const pods = (owner: Run, index: number, depth: number): Uses => {
    const template = recordsOf(owner.spec.templates)[index];
    const groups = callsOf(template)?.map((group) =>
      combined(
        group.map((call) => repeated(called(owner, call, depth - 1), repetitionsOf(call))),
        (sum, more) => sum + more,
      ),
    );
    if (groups !== undefined) return combined(groups, Math.max);
    if (containersOf(template).length === 0) return new Map();
    const { containers, ...fields } = asRecord(podOf(run.spec, template)?.spec) ?? {};
    const key = JSON.stringify([fields, recordsOf(containers).map(({ resources }) => resources)]);
    return template.podSpecPatch === undefined ? new Map([[key, { owner, index, template, pods: 1 }]]) : undefined;
  };
  return (name) => find(run, name, MAX_DEPTH);
}

/** Groups of steps or tasks that run one after the other. Undefined if the template calls none. */
function callsOf({ steps, dag }: PlainRecord): PlainRecord[][] | undefined {
  if (Array.isArray(steps)) return steps.map((group) => recordsOf(Array.isArray(group) ? group : [group]));
  if (asRecord(dag) === undefined) return undefined;
  const groups: PlainRecord[][] = [];
  for (let left = recordsOf(asRecord(dag)?.tasks); left.length > 0; ) {
    const waiting = left.filter((task) => left.some(({ name }) => name !== task.name && dependsOn(task, name)));
    // Argo refuses tasks that wait for each other.
    groups.push(waiting.length === left.length ? left : left.filter((task) => !waiting.includes(task)));
    left = waiting.length === left.length ? [] : waiting;
  }
  return groups;
}

function dependsOn({ dependencies, depends }: PlainRecord, name: unknown): boolean {
  const words: readonly unknown[] = JSON.stringify([dependencies, depends]).match(/[\w-]+/g) ?? [];
  return words.includes(name);
}

/** How often a call runs at a time. Undefined if another step decides it. */
function repetitionsOf({ withItems, withSequence, withParam, inline }: PlainRecord): number | undefined {
  if (withParam !== undefined || inline !== undefined) return undefined;
  if (withItems !== undefined) return Array.isArray(withItems) ? withItems.length : undefined;
  return withSequence === undefined ? 1 : countOr(Number(asRecord(withSequence)?.count), 1);
}

function repeated(uses: Uses, times: number | undefined): Uses {
  return uses && times === undefined ? undefined : combined([uses], (_, pods) => pods * times!);
}

function combined(all: readonly Uses[], combine: (pods: number, more: number) => number): Uses {
  const sum = new Map<string, Use>();
  for (const uses of all) {
    if (uses === undefined) return undefined;
    for (const [key, use] of uses)
      sum.set(key, { ...use, ...sum.get(key), pods: combine(sum.get(key)?.pods ?? 0, use.pods) });
  }
  return sum;
}

function containersOf({ container, script, containerSet }: PlainRecord): PlainRecord[] {
  return [...recordsOf([container ?? script]), ...recordsOf(asRecord(containerSet)?.containers)];
}

/** The pod of a template. Undefined if parameters decide its node. */
function podOf(spec: PlainRecord, template: PlainRecord): PlainRecord | undefined {
  const written = POD_FIELDS.map((field) => [field, template[field] ?? spec[field]] as const);
  const priority = ['priorityClassName', template.priorityClassName ?? spec.podPriorityClassName] as const;
  const fields = Object.fromEntries([...written, priority].filter(([, value]) => value !== undefined));
  const containers = [...containersOf(template), ...recordsOf(template.sidecars)];
  if (findUnresolved([fields, containers.map(({ resources }) => resources)]) !== undefined) return undefined;
  const metadata = (field: string) => ({
    ...asRecord(asRecord(spec.podMetadata)?.[field]),
    ...asRecord(asRecord(template.metadata)?.[field]),
  });
  return withRestartPolicy({
    metadata: { labels: metadata('labels'), annotations: metadata('annotations') },
    spec: {
      ...fields,
      containers: containers.map(({ name = 'main', image, resources }) => ({ name, image, resources })),
    },
  });
}

/** Where a field of a pod is written: below its template, or in the workflow. */
function locateInPod(run: Run, owner: Run, index: number, [first, field, ...rest]: FieldPath): SourceLocation {
  const place = [...owner.path, 'templates', index];
  const template = recordsOf(owner.spec.templates)[index];
  if (field === undefined || first !== 'spec')
    return owner.object.locate(first === 'metadata' && field !== undefined ? [...place, first, field, ...rest] : place);
  if (field !== 'containers') {
    const { object, path } = template[field] === undefined ? run : { object: owner.object, path: place };
    return object.locate([...path, field, ...rest]);
  }
  const single = ['container', 'script'].find((name) => template[name] !== undefined);
  const path = single === undefined ? ['containerSet', field, ...rest] : [single, ...rest.slice(1)];
  return owner.object.locate([...place, ...path]);
}
