import { asRecord } from '../../../contract';
import { FieldPath, SourceFile, SourceLocation } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { unknownToken } from '../token';

/** What `terraform show -json` prints of a plan or of a state. */
export interface TerraformFile {
  readonly file: string;
  /** The name in ids: the file's name without its suffix. */
  readonly name: string;
  readonly raw: PlainRecord;
  /** The region of the options, for resources that name none. */
  readonly region?: string;
  /** The file belongs to another root: only its manifests are read. */
  readonly edit?: SourceFile['edit'];
  /** Whether the resources are those of `.tf` files: their ARNs are references. @default false */
  readonly isWritten?: boolean;
  locate(path: FieldPath): SourceLocation;
}

/** A resource of a plan or a state. Values that are known only at deployment are tokens. */
export interface TerraformResource {
  /** Such as `module.karpenter.aws_iam_role.node[0]`. */
  readonly address: string;
  /** The address of its module; empty for the root module. */
  readonly module: string;
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly values: PlainRecord;
  /** Where its values are in the document. */
  readonly path: FieldPath;
  /** Addresses that the state lists. @default - a plan, whose configuration has the references */
  readonly dependsOn?: readonly string[];
}

/** A deeper nesting is no real module, and no real value. */
const MAX_DEPTH = 60;
/** A longer address is no real one, and would take long to read. */
const MOST_CHARACTERS = 1000;

/** The part with the resources: those that a plan leads to, or those of a state. */
function valuesKeyOf(document: PlainRecord): 'planned_values' | 'values' | undefined {
  return (['planned_values', 'values'] as const).find((key) => asRecord(asRecord(document[key])?.root_module));
}

/** All resources, and the data sources that were read or will be, each once. */
export function resourcesIn(raw: PlainRecord): TerraformResource[] {
  const key = valuesKeyOf(raw);
  if (key === undefined) return [];
  const unknown = unknownValuesOf(raw);
  const own = [...modulesIn(asRecord(raw[key])!.root_module, [key, 'root_module'])].flatMap((module) =>
    resourcesOfModule(module, unknown),
  );
  const known = new Set(own.map(({ address }) => address));
  const prior = asRecord(asRecord(raw.prior_state)?.values)?.root_module;
  const data = [...modulesIn(prior, ['prior_state', 'values', 'root_module'])].flatMap((module) =>
    resourcesOfModule(module, new Map()).filter(({ mode, address }) => mode === 'data' && !known.has(address)),
  );
  return [...own, ...data];
}

interface Module {
  readonly raw: PlainRecord;
  readonly path: FieldPath;
}

function* modulesIn(raw: unknown, path: FieldPath, depth = 0): Generator<Module> {
  const module = asRecord(raw);
  if (!module || depth > MAX_DEPTH) return;
  yield { raw: module, path };
  for (const [index, child] of listOf(module.child_modules).entries())
    yield* modulesIn(child, [...path, 'child_modules', index], depth + 1);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function resourcesOfModule({ raw, path }: Module, unknown: ReadonlyMap<string, unknown>): TerraformResource[] {
  return listOf(raw.resources).flatMap((item, position): TerraformResource[] => {
    const { address, mode, type, name, index, values, depends_on: dependsOn } = asRecord(item) ?? {};
    if (typeof address !== 'string' || address.length > MOST_CHARACTERS) return [];
    if (typeof type !== 'string' || typeof name !== 'string') return [];
    return [
      {
        address,
        module: typeof raw.address === 'string' ? raw.address : '',
        mode: mode === 'data' ? 'data' : 'managed',
        type,
        name,
        ...(typeof index === 'string' || typeof index === 'number' ? { index } : {}),
        values: asRecord(withUnknown(values, unknown.get(address), address)) ?? {},
        path: [...path, 'resources', position, 'values'],
        ...(Array.isArray(dependsOn) ? { dependsOn: dependsOn.filter((one) => typeof one === 'string') } : {}),
      },
    ];
  });
}

/** The `after_unknown` of each resource, by address. */
function unknownValuesOf({ resource_changes: changes }: PlainRecord): ReadonlyMap<string, unknown> {
  return new Map(
    recordsOf(changes).flatMap(({ address, change }) =>
      typeof address === 'string' ? [[address, asRecord(change)?.after_unknown] as const] : [],
    ),
  );
}

/** The value without nulls and prototypes, and with a token for each part that is known only after the apply. */
function withUnknown(value: unknown, unknown: unknown, place: string, depth = 0): unknown {
  if (unknown === true || depth > MAX_DEPTH) return unknownToken(place);
  if (Array.isArray(value) || (Array.isArray(unknown) && value === undefined)) {
    const [items, unknownItems] = [listOf(value), listOf(unknown)];
    const length = Math.max(items.length, unknownItems.length);
    return Array.from({ length }, (_, i) => withUnknown(items[i], unknownItems[i], `${place}[${i}]`, depth + 1)).filter(
      (item) => item !== undefined,
    );
  }
  const [record, unknownRecord] = [asRecord(value), asRecord(unknown)];
  if (!record && (!unknownRecord || value !== undefined)) return value === null ? undefined : value;
  const result: Record<string, unknown> = Object.create(null);
  for (const key of new Set([...Object.keys(record ?? {}), ...Object.keys(unknownRecord ?? {})])) {
    const item = withUnknown(record?.[key], unknownRecord?.[key], `${place}.${key}`, depth + 1);
    if (item !== undefined && !isEmptyUnknown(item, record?.[key])) result[key] = item;
  }
  return result;
}

/** `after_unknown` has empty objects and lists for values that are known to be absent. */
function isEmptyUnknown(item: unknown, known: unknown): boolean {
  if ((known !== undefined && known !== null) || typeof item !== 'object' || item === null) return false;
  return Object.keys(item).length === 0;
}
