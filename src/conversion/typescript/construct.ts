import type { ApiObject, JsonPatch } from 'cdk8s';
import { Comment, placeComments } from './comments';
import { Cursor, json, Writer, flag, listOf, struct, text, textMap } from './cursor';
import { isObject, sameJson } from './equality';
import { evaluateExpression, Variables } from './evaluate';
import { create, entry, Expression, literal, name, object, Path } from './expression';
import { patchesBetween } from './json-patches';
import { valueText } from '../../model';

/** One object of a manifest with its comments. */
export interface Manifest {
  readonly object: Readonly<Record<string, unknown>>;
  readonly comments: readonly Comment[];
  /** Start of its YAML document. */
  readonly location: { readonly file: string; readonly line: number; readonly column: number };
}

/** How objects of one kind are written as constructs. */
export interface ConstructKind {
  /** Class as the program imports it: `nodes.NodePool`. */
  readonly className: string;
  /** Writes all properties except `metadata` from the whole object. */
  readonly props: Writer;
  /**
   * Path of a map of quantities. The construct writes them as strings, and the API reads an integer as the same
   * quantity.
   */
  readonly quantities?: Path;
  /** @default true */
  readonly hasMetadata?: boolean;
}

/** The expression of a construct, and the construct that it evaluates to. */
export interface Construct {
  readonly expression: Expression;
  readonly patches: readonly Expression[];
  /** Comments for which the expression has no slot. */
  readonly comments: readonly string[];
  readonly instance: unknown;
}

/** An `ApiObject` with all fields of the manifest. */
export const PLAIN_OBJECT: ConstructKind = {
  className: 'ApiObject',
  props: (cursor) =>
    object(
      Object.keys(cursor.fields)
        .filter((key) => key !== 'metadata')
        .map((key) => entry(key, json(cursor.at(key)!)!, cursor.at(key)!.path)),
    ),
};

/**
 * An `ApiObject` without other fields, for keys that cdk8s drops, such as `constructor`: JSON patches add all fields.
 */
export const PATCHED_OBJECT: ConstructKind = {
  className: 'ApiObject',
  props: (cursor) => object(['apiVersion', 'kind'].map((key) => entry(key, json(cursor.at(key)!)!, [key]))),
  hasMetadata: false,
};

/**
 * Writes a construct, evaluates it and compares its object with the manifest: differences become JSON patches.
 *
 * @throws Error if the construct rejects the manifest, or cannot reproduce it
 */
export function writeConstruct(
  { object: original, comments }: Manifest,
  kind: ConstructKind,
  id: string,
  variables: Variables,
): Construct {
  const manifest = kind.quantities === undefined ? original : withTextQuantities(original, kind.quantities);
  const cursor = new Cursor(manifest, []);
  const props = kind.props(cursor);
  if (props?.kind !== 'object')
    throw new Error(
      `${id}: a required field of ${kind.className} is missing or invalid, or two fields exclude each other`,
    );
  const metadataCursor = kind.hasMetadata === false ? undefined : cursor.at('metadata');
  const meta = metadataCursor && metadata(metadataCursor);
  const own = props.entries.filter(({ key }) => key === 'apiVersion' || key === 'kind');
  const rest = props.entries.filter((property) => !own.includes(property));
  const all = object([...own, ...(meta ? [entry('metadata', meta, ['metadata'])] : []), ...rest]);
  const expression = create(kind.className, name('this'), literal(id), all);
  const instance = evaluateExpression(expression, variables);
  const apiObject = apiObjectOf(instance);
  const patches = patchesBetween(apiObject.toJson(), manifest);
  apiObject.addJsonPatch(...patches.map((patch) => evaluateExpression(patch) as JsonPatch));
  if (!sameJson(apiObject.toJson(), manifest)) throw new Error('the construct cannot reproduce the object');
  return { expression, patches, comments: placeComments(comments, all), instance };
}

/** Writes the integers of the map at a path as strings. */
function withTextQuantities(
  value: Readonly<Record<string, unknown>>,
  [step, ...rest]: Path,
): Readonly<Record<string, unknown>> {
  if (step === undefined) {
    return Object.fromEntries(
      Object.entries(value).map(([key, amount]) => [key, Number.isSafeInteger(amount) ? valueText(amount) : amount]),
    );
  }
  const child = value[step];
  return isObject(child) ? { ...value, [step]: withTextQuantities(child, rest) } : value;
}

function apiObjectOf(instance: unknown): ApiObject {
  return (instance as { apiObject?: ApiObject }).apiObject ?? (instance as ApiObject);
}

const PROPERTIES = {
  name: ['name', text],
  namespace: ['namespace', text],
  labels: ['labels', textMap],
  annotations: ['annotations', textMap],
  finalizers: ['finalizers', listOf(text)],
  ownerReferences: [
    'ownerReferences',
    listOf(
      struct(
        {
          apiVersion: ['apiVersion', text],
          kind: ['kind', text],
          name: ['name', text],
          uid: ['uid', text],
          controller: ['controller', flag],
          blockOwnerDeletion: ['blockOwnerDeletion', flag],
        },
        ['apiVersion', 'kind', 'name', 'uid'],
      ),
    ),
  ],
} as const satisfies Record<string, readonly [string, Writer]>;

const properties = struct(PROPERTIES);

/** Metadata of any object. Fields without a property in cdk8s can have any value. */
const metadata: Writer = (cursor) => {
  const fields = properties(cursor);
  if (fields?.kind !== 'object' || !isObject(cursor.value)) return undefined;
  const other = Object.keys(cursor.value)
    .filter((key) => !Object.hasOwn(PROPERTIES, key))
    .map((key) => {
      const field: Cursor = cursor.at(key)!;
      return entry(key, json(field)!, field.path);
    });
  return object([...fields.entries, ...other]);
};
