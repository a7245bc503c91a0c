import { FieldPath, FieldProblem } from './field-problem';
import { isQualifiedName, LABEL_KEY_REMEDY } from './label-rule';
import { asRecord, rejected } from './value-rule';

/**
 * A spread that Karpenter gives each pod that has none of its own; by which pods it counts is worked out for each pod.
 */
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

const AT: FieldPath = ['podTopologySpread', 'defaultConstraints'];
const INT32_MAX = 2 ** 31 - 1;
const FIELDS = ['maxSkew', 'minDomains', 'nodeAffinityPolicy', 'nodeTaintsPolicy', 'topologyKey', 'whenUnsatisfiable'];
/** Fields of a spread that Karpenter refuses here, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  labelSelector: 'must not be set, since selectors are worked out for each pod',
  matchLabelKeys: 'must not be set, since it has no effect on default constraints',
};

/**
 * Reads the document of Karpenter's flag `--scheduler-config` as strictly as Karpenter does, which ends where it is
 * wrong.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/operator/options/options.go
 */
export function readSchedulerConfig(document: unknown): { readonly config?: SchedulerConfig; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const root = recordAt([], document ?? {}, ['podTopologySpread'], problems);
  const spread = recordAt(['podTopologySpread'], root?.podTopologySpread ?? {}, ['defaultConstraints'], problems);
  const listed = spread?.defaultConstraints ?? [];
  if (!Array.isArray(listed)) problems.push(rejected(AT, 'must be a list', listed, 'write items that begin with "-"'));
  const items = Array.isArray(listed) ? listed : [];
  const defaultConstraints = items.flatMap((item, i) => readConstraint([...AT, i], item, problems) ?? []);
  if (problems.length === 0) problems.push(...repeated(defaultConstraints));
  return problems.length > 0 ? { problems } : { config: { defaultConstraints }, problems };
}

function readConstraint(path: FieldPath, raw: unknown, problems: FieldProblem[]): DefaultSpreadConstraint | undefined {
  const item = recordAt(path, raw, [...FIELDS, ...Object.keys(REFUSED)], problems);
  if (!item) return undefined;
  const before = problems.length;
  for (const [field, problem] of Object.entries(REFUSED)) {
    if (item[field] !== undefined) problems.push(rejected([...path, field], problem, item[field], 'remove it'));
  }
  const { maxSkew, minDomains, topologyKey, whenUnsatisfiable } = item;
  if (!isCount(maxSkew)) problems.push(rejected([...path, 'maxSkew'], 'must be an integer of 1 or more', maxSkew, 'write 1'));
  if (minDomains !== undefined && !isCount(minDomains)) {
    problems.push(rejected([...path, 'minDomains'], 'must be an integer of 1 or more', minDomains, 'write the number of domains wanted, or remove it'));
  }
  if (typeof topologyKey !== 'string' || !isQualifiedName(topologyKey)) {
    problems.push(rejected([...path, 'topologyKey'], 'must be a label key', topologyKey, LABEL_KEY_REMEDY));
  }
  if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway') {
    problems.push(rejected([...path, 'whenUnsatisfiable'], 'must be one of DoNotSchedule, ScheduleAnyway', whenUnsatisfiable, 'write ScheduleAnyway'));
  }
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
    const policy = item[field];
    if (policy !== undefined && policy !== 'Honor' && policy !== 'Ignore') problems.push(rejected([...path, field], 'must be one of Honor, Ignore', policy, 'write Honor or Ignore'));
  }
  // Each field has just been held to its type.
  return problems.length > before ? undefined : item as unknown as DefaultSpreadConstraint;
}

function recordAt(path: FieldPath, raw: unknown, known: readonly string[], problems: FieldProblem[]): Readonly<Record<string, unknown>> | undefined {
  const record = asRecord(raw);
  if (!record) {
    problems.push(rejected(path, 'must be an object', raw, `write ${known[0]} in it`));
    return undefined;
  }
  for (const key of Object.keys(record).filter((name) => !known.includes(name))) {
    problems.push(rejected([...path, key], 'is no field that Karpenter knows here', record[key], `write ${known.join(', ')}`));
  }
  return record;
}

function repeated(constraints: readonly DefaultSpreadConstraint[]): FieldProblem[] {
  const seen = new Map<string, number>();
  return constraints.flatMap(({ topologyKey, whenUnsatisfiable }, i) => {
    const first = seen.get(`${whenUnsatisfiable} ${topologyKey}`);
    seen.set(`${whenUnsatisfiable} ${topologyKey}`, i);
    return first === undefined ? [] : [rejected([...AT, i], `is a duplicate of [${first}]`, { topologyKey, whenUnsatisfiable }, 'remove one of them')];
  });
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= INT32_MAX;
}
