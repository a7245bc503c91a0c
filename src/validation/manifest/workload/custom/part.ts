import { asRecord } from '../../../../contract';
import { isCount } from '../../field-reader';
import { FieldPath, ManifestObject } from '../../object';
import { PlainRecord } from '../../records';

/** What stands for a part of the pods of a custom object. */
export interface PartProps {
  readonly kind: 'Deployment' | 'StatefulSet' | 'Job' | 'CronJob';
  readonly name: string;
  /** The spec, as the API of the kind has it. */
  readonly spec: PlainRecord;
  /** Where the custom object has the pod template. */
  readonly place: FieldPath;
  /** Where a field of the pod template is written, below `place`. @default - the same path */
  readonly locateInTemplate?: (path: FieldPath) => FieldPath;
}

const TEMPLATE: FieldPath = ['spec', 'template'];
const JOB_TEMPLATE: FieldPath = ['spec', 'jobTemplate', ...TEMPLATE];

/** The object that a controller makes of a part of `owner`, or one with the same pods. */
export function partOf(
  owner: ManifestObject,
  { kind, name, spec, place, locateInTemplate }: PartProps,
): ManifestObject {
  const apiVersion = kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1';
  const template = kind === 'CronJob' ? JOB_TEMPLATE : TEMPLATE;
  const pathOf = (path: FieldPath): FieldPath => {
    const inTemplate = template.every((step, index) => path[index] === step) ? path.slice(template.length) : [];
    return [...place, ...(locateInTemplate?.(inTemplate) ?? inTemplate)];
  };
  return {
    apiVersion,
    kind,
    name,
    namespace: owner.namespace,
    raw: { apiVersion, kind, metadata: { name, namespace: owner.namespace }, spec },
    madeBy: owner,
    locate: (path) => owner.locate(pathOf(path)),
  };
}

/** A part of pods that run to completion. No pods run if the count is 0. */
export function jobPart(
  owner: ManifestObject,
  name: string,
  pods: number,
  template: unknown,
  props: Pick<PartProps, 'place' | 'locateInTemplate'>,
): ManifestObject {
  const spec = { parallelism: pods, completions: pods, suspend: pods === 0, template };
  return partOf(owner, { kind: 'Job', name, spec, ...props });
}

/** A count with a default; undefined if it is no whole number, such as a placeholder. */
export function countOr(value: unknown, standard: number): number | undefined {
  const count = value ?? standard;
  return isCount(count) ? count : undefined;
}

/** All parts; undefined if there are none, and if the pods of one part are not known. */
export function allParts(parts: ReadonlyArray<ManifestObject | undefined>): ManifestObject[] | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 || known.length < parts.length ? undefined : known;
}

/** A pod template with more labels. */
export function withLabels(template: unknown, labels: Readonly<Record<string, string>>): PlainRecord {
  const record = asRecord(template) ?? {};
  const metadata = asRecord(record.metadata) ?? {};
  return { ...record, metadata: { ...metadata, labels: { ...asRecord(metadata.labels), ...labels } } };
}

/** A pod template whose containers are never restarted in place, as an operator sets it. */
export function withRestartPolicy(template: unknown): PlainRecord {
  const record = asRecord(template) ?? {};
  return { ...record, spec: { ...asRecord(record.spec), restartPolicy: 'Never' } };
}
