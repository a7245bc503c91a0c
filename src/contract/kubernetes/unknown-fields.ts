import { readDataFile, valueText } from '../../model';
import { FieldFix, removeField, setField, setFirstField, unsafeFix } from '../field-edit';
import { FieldPath, FieldProblem, formatFieldPath, rejected } from '../field-problem';
import { likelyFieldName, renameFix } from '../schema';

/**
 * Types by the name of the field: `''` for a value of any kind, `core.Probe` for an object or an enumeration, `s`, `i`,
 * `b` and `is` for a text, an integer, a boolean, and an integer or text. `[]` before it is a list, `{}` a map.
 */
type Fields = Readonly<Record<string, string>>;

interface FieldData {
  /** Names of types by `apps/v1 Deployment`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, Fields>>;
  /** The values of enumerations, by the name of the type. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

/** An object on the way to a field. */
interface Ancestor {
  readonly path: FieldPath;
  readonly fields: Fields;
}

/** Other keys, such as `$patch`, `Fn::If` or `{{ .name }}`, belong to the program that renders the manifest. */
const FIELD_NAME = /^[A-Za-z][\w-]*$/;
/** A label or annotation, such as `app.kubernetes.io/name`, that is not in its map. */
const LABEL_KEY = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+(?:\/[A-Za-z0-9][\w.-]*)?$/;
const MAX_REPORTED = 20;
const MAX_INNER_DEPTH = 2;

let data: FieldData | undefined;

export function kubernetesFieldData(): FieldData {
  return (data ??= readDataFile<FieldData>('kubernetes-fields.json'));
}

/**
 * The fields of a Kubernetes object that no release of its API has. `kubectl apply` rejects the object; other clients
 * drop the field. Empty for kinds without a list of fields.
 */
export function unknownKubernetesFields(apiVersion: string, kind: string, raw: unknown): FieldProblem[] {
  const { kinds, types } = kubernetesFieldData();
  const name = `${apiVersion} ${kind}`;
  if (!Object.hasOwn(kinds, name)) return [];
  const problems: FieldProblem[] = [];
  const visit = (value: unknown, type: string, path: FieldPath, ancestors: readonly Ancestor[]): void => {
    if (problems.length >= MAX_REPORTED || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      if (type.startsWith('[]')) value.forEach((item, i) => visit(item, type.slice(2), [...path, i], ancestors));
      return;
    }
    const fields = types[type];
    // A value of another type than the field's is reported elsewhere.
    if (fields === undefined) return;
    if (isMisnestedTerm(type, value)) return;
    const line = [...ancestors, { path, fields }];
    for (const [key, item] of Object.entries(value)) {
      if (Object.hasOwn(fields, key)) visit(item, fields[key], [...path, key], line);
      else if ((FIELD_NAME.test(key) || LABEL_KEY.test(key)) && !isAnchorHolder(key, line))
        problems.push(unknownField([...path, key], item, line, raw));
    }
  };
  visit(raw, kinds[name], [], []);
  return problems;
}

/** YAML anchors are often defined in a field of their own beside `spec`. */
function isAnchorHolder(key: string, ancestors: readonly Ancestor[]): boolean {
  return ancestors.length === 1 && likelyFieldName(key, Object.keys(ancestors[0].fields)) === undefined;
}

/**
 * Types of terms: the field that a term has around its own fields, and one of these. The reader of affinities reports
 * terms without it.
 */
const WRAPPERS: Readonly<Record<string, readonly [wrapper: string, inner: string]>> = {
  'core.WeightedPodAffinityTerm': ['podAffinityTerm', 'topologyKey'],
  'core.PreferredSchedulingTerm': ['preference', 'matchExpressions'],
  'core.NodeSelector': ['nodeSelectorTerms', 'matchExpressions'],
};

function isMisnestedTerm(type: string, value: object): boolean {
  const [wrapper, inner] = WRAPPERS[type] ?? [];
  return inner !== undefined && Object.hasOwn(value, inner) && !Object.hasOwn(value, wrapper!);
}

function unknownField(path: FieldPath, value: unknown, ancestors: readonly Ancestor[], root: unknown): FieldProblem {
  const problem = 'is no field of the API, and is dropped by clients that do not refuse it';
  const { remedy, fix } = remedyFor(path, value, ancestors, root);
  return {
    ...rejected(path, problem, value, remedy, fix),
    apiServer: `unknown field "${formatFieldPath(path)}"`,
  };
}

function remedyFor(
  path: FieldPath,
  value: unknown,
  ancestors: readonly Ancestor[],
  root: unknown,
): { remedy: string; fix?: FieldFix } {
  const name = String(path[path.length - 1]);
  if (name === CPU_TARGET) return cpuMetric(path, value, ancestors[ancestors.length - 1]);
  const known = Object.keys(ancestors[ancestors.length - 1].fields);
  const elsewhere = placeFor(name, ancestors);
  if (elsewhere !== undefined) return moveTo([...elsewhere, name], path, value, root);
  const meant = likelyFieldName(name, known);
  if (meant !== undefined) return { remedy: `write ${meant}`, fix: renameFix(path, known) };
  const inner = innerPlaceFor(name, ancestors[ancestors.length - 1]);
  return inner === undefined ? { remedy: 'remove it' } : moveTo([...inner, name], path, value, root);
}

/** A field of `autoscaling/v1`. Later versions have a list of metrics instead. */
const CPU_TARGET = 'targetCPUUtilizationPercentage';

function cpuMetric(path: FieldPath, value: unknown, { path: specPath }: Ancestor): { remedy: string; fix?: FieldFix } {
  const target = { type: 'Utilization', averageUtilization: value };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  return {
    remedy: `write averageUtilization: ${valueText(value)} in a metric of type Resource, or apiVersion: autoscaling/v1`,
    fix: unsafeFix(setField([...specPath, 'metrics'], metrics), removeField(path)),
  };
}

function moveTo(target: FieldPath, path: FieldPath, value: unknown, root: unknown): { remedy: string; fix?: FieldFix } {
  const written = target.reduce<unknown>((parent, step) => (parent as WrittenParent | undefined)?.[step], root);
  return {
    remedy: `move it to ${formatFieldPath(target)}`,
    ...(written === undefined ? { fix: unsafeFix(setFirstField(target, value), removeField(path)) } : {}),
  };
}

type WrittenParent = Readonly<Record<string | number, unknown>>;

/** The nearest object around the field that has a field of this name, or else the pod template below it. */
function placeFor(name: string, ancestors: readonly Ancestor[]): FieldPath | undefined {
  const outer = ancestors.slice(0, -1).reverse();
  const above = outer.find(({ path, fields }) => path.length > 0 && Object.hasOwn(fields, name));
  return above?.path ?? templatePlaceFor(name, ancestors[ancestors.length - 1]);
}

/** A field of a pod that is written beside its template, such as `spec.nodeSelector` of a Deployment. */
function templatePlaceFor(name: string, { path, fields }: Ancestor): FieldPath | undefined {
  const { types } = kubernetesFieldData();
  const steps = ['jobTemplate', 'spec', 'template', 'spec'];
  let [current, place] = [fields, path];
  for (const step of steps) {
    if (!Object.hasOwn(current, step) || types[current[step]] === undefined) continue;
    [current, place] = [types[current[step]], [...place, step]];
    if (current === types['core.PodSpec']) return Object.hasOwn(current, name) ? place : undefined;
  }
  return undefined;
}

/** The only object inside this one, or inside one of its objects, that has a field of this name. */
function innerPlaceFor(name: string, { path, fields }: Ancestor): FieldPath | undefined {
  const { types } = kubernetesFieldData();
  let places = [{ path, fields }];
  for (let depth = 1; depth <= MAX_INNER_DEPTH; depth += 1) {
    places = places.flatMap((place) =>
      Object.entries(place.fields).flatMap(([field, type]) => {
        const inner = types[type];
        return inner === undefined ? [] : [{ path: [...place.path, field], fields: inner }];
      }),
    );
    const found = places.filter((place) => Object.hasOwn(place.fields, name));
    if (found.length > 0) return found.length === 1 ? found[0].path : undefined;
  }
  return undefined;
}
