import { asRecord, FieldPath, FieldProblem, rejected } from './field-problem';
import { isQualifiedName, LABEL_KEY_REMEDY } from './label-syntax';

/** A topology spread constraint for pods without their own. Karpenter derives the label selector from each pod. */
export interface DefaultSpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
}

/** The part of the Kubernetes scheduler's configuration that Karpenter follows. */
export interface SchedulerConfig {
  readonly defaultConstraints: readonly DefaultSpreadConstraint[];
}

/** The first release with the flag `--scheduler-config`. */
export const SCHEDULER_CONFIG_SINCE = '1.15.0';

const CONSTRAINTS_PATH: FieldPath = ['podTopologySpread', 'defaultConstraints'];
const MAX_INT32 = 2 ** 31 - 1;
const FIELDS = ['maxSkew', 'minDomains', 'nodeAffinityPolicy', 'nodeTaintsPolicy', 'topologyKey', 'whenUnsatisfiable'];
/** Fields of a spread constraint that Karpenter rejects here, with the reason. */
const REJECTED_FIELDS: Readonly<Record<string, string>> = {
  labelSelector: 'must not be set, because Karpenter derives the selector from each pod',
  matchLabelKeys: 'must not be set, because it has no effect on default constraints',
};

/**
 * Parses the file of Karpenter's flag `--scheduler-config` as strictly as Karpenter, which exits if the file is
 * invalid.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/operator/options/options.go
 */
export function readSchedulerConfig(document: unknown): {
  readonly config?: SchedulerConfig;
  readonly problems: readonly FieldProblem[];
} {
  const problems: FieldProblem[] = [];
  const root = recordAt([], document ?? {}, ['podTopologySpread'], problems);
  const spread = recordAt(['podTopologySpread'], root?.podTopologySpread ?? {}, ['defaultConstraints'], problems);
  const listed = spread?.defaultConstraints ?? [];
  if (!Array.isArray(listed))
    problems.push(rejected(CONSTRAINTS_PATH, 'must be a list', listed, 'write items that begin with "-"'));
  const items = Array.isArray(listed) ? listed : [];
  const defaultConstraints = items.flatMap((item, i) => readConstraint([...CONSTRAINTS_PATH, i], item, problems) ?? []);
  if (problems.length === 0) problems.push(...duplicates(defaultConstraints));
  return problems.length > 0 ? { problems } : { config: { defaultConstraints }, problems };
}

function readConstraint(path: FieldPath, raw: unknown, problems: FieldProblem[]): DefaultSpreadConstraint | undefined {
  const item = recordAt(path, raw, [...FIELDS, ...Object.keys(REJECTED_FIELDS)], problems);
  if (!item) return undefined;
  const problemsBefore = problems.length;
  for (const [field, problem] of Object.entries(REJECTED_FIELDS)) {
    if (item[field] !== undefined) problems.push(rejected([...path, field], problem, item[field], 'remove it'));
  }
  const { maxSkew, minDomains, topologyKey, whenUnsatisfiable } = item;
  if (!isCount(maxSkew))
    problems.push(rejected([...path, 'maxSkew'], 'must be an integer of 1 or more', maxSkew, 'write 1'));
  if (minDomains !== undefined && !isCount(minDomains)) {
    problems.push(
      rejected(
        [...path, 'minDomains'],
        'must be an integer of 1 or more',
        minDomains,
        'write the number of domains, or remove it',
      ),
    );
  }
  if (typeof topologyKey !== 'string' || !isQualifiedName(topologyKey)) {
    problems.push(rejected([...path, 'topologyKey'], 'must be a label key', topologyKey, LABEL_KEY_REMEDY));
  }
  if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway') {
    problems.push(
      rejected(
        [...path, 'whenUnsatisfiable'],
        'must be one of DoNotSchedule, ScheduleAnyway',
        whenUnsatisfiable,
        'write ScheduleAnyway',
      ),
    );
  }
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
    const policy = item[field];
    if (policy !== undefined && policy !== 'Honor' && policy !== 'Ignore')
      problems.push(rejected([...path, field], 'must be one of Honor, Ignore', policy, 'write Honor or Ignore'));
  }
  // The checks above have verified the type of each field.
  return problems.length > problemsBefore ? undefined : (item as unknown as DefaultSpreadConstraint);
}

function recordAt(
  path: FieldPath,
  raw: unknown,
  allowedFields: readonly string[],
  problems: FieldProblem[],
): Readonly<Record<string, unknown>> | undefined {
  const record = asRecord(raw);
  if (!record) {
    problems.push(rejected(path, 'must be an object', raw, `write an object with ${allowedFields[0]}`));
    return undefined;
  }
  for (const key of Object.keys(record).filter((name) => !allowedFields.includes(name))) {
    problems.push(
      rejected(
        [...path, key],
        'is not a field that Karpenter knows here',
        record[key],
        `write ${allowedFields.join(', ')}`,
      ),
    );
  }
  return record;
}

function duplicates(constraints: readonly DefaultSpreadConstraint[]): FieldProblem[] {
  const seen = new Map<string, number>();
  return constraints.flatMap(({ topologyKey, whenUnsatisfiable }, i) => {
    const first = seen.get(`${whenUnsatisfiable} ${topologyKey}`);
    seen.set(`${whenUnsatisfiable} ${topologyKey}`, i);
    return first === undefined
      ? []
      : [
          rejected(
            [...CONSTRAINTS_PATH, i],
            `is a duplicate of [${first}]`,
            { topologyKey, whenUnsatisfiable },
            'remove one of them',
          ),
        ];
  });
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_INT32;
}
