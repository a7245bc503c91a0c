import type { ApiObject, JsonPatch } from 'cdk8s';
import { Comment, placeComments } from './comments';
import { Cursor, json, Writer } from './cursor';
import { patchesBetween } from './difference';
import { sameJson } from './equality';
import { create, entry, Expression, literal, name, object } from './expression';
import { metadata } from './metadata';
import { run, Variables } from './run';

/** One object of a manifest, with the comments in it. */
export interface Manifest {
  readonly plain: Readonly<Record<string, unknown>>;
  readonly comments: readonly Comment[];
  /** Where its document begins. */
  readonly location: { readonly file: string; readonly line: number; readonly column: number };
}

/** How objects of one kind are written. */
export interface ConstructKind {
  /** With the name that the program knows it by: `nodes.NodePool`. */
  readonly className: string;
  /** Properties other than `metadata`, from the whole object. */
  readonly props: Writer;
  /** @default true */
  readonly hasMetadata?: boolean;
}

/** What is written, and what it made when it was run. */
export interface Construct {
  readonly expression: Expression;
  readonly patches: readonly Expression[];
  /** Comments that have no place inside the expression. */
  readonly comments: readonly string[];
  readonly made: unknown;
}

/** A construct that makes any object as it is. */
export const PLAIN_OBJECT: ConstructKind = {
  className: 'ApiObject',
  props: (at) => object(Object.keys(at.fields).filter((key) => key !== 'metadata').map((key) => entry(key, json(at.at(key)!)!, at.at(key)!.path))),
};

/** For keys that cdk8s itself cannot carry, such as `constructor`: patches come after it. */
export const PATCHED_OBJECT: ConstructKind = {
  className: 'ApiObject',
  props: (at) => object(['apiVersion', 'kind'].map((key) => entry(key, json(at.at(key)!)!, [key]))),
  hasMetadata: false,
};

/**
 * Writes a construct, makes it, and sees what is not as the manifest has it: that becomes a patch.
 *
 * @throws Error if the construct does not take what is in the manifest, or does not give it back
 */
export function writeConstruct({ plain, comments }: Manifest, kind: ConstructKind, id: string, variables: Variables): Construct {
  const at = new Cursor(plain, []);
  const props = kind.props(at);
  if (props?.kind !== 'object') throw new Error(`${id}: a field that ${kind.className} needs is missing, or no value that it takes`);
  const head = kind.hasMetadata === false ? undefined : at.at('metadata');
  const meta = head && metadata(head);
  const own = props.entries.filter(({ key }) => key === 'apiVersion' || key === 'kind');
  const rest = props.entries.filter((one) => !own.includes(one));
  const all = object([...own, ...meta ? [entry('metadata', meta, ['metadata'])] : [], ...rest]);
  const expression = create(kind.className, name('this'), literal(id), all);
  const made = run(expression, variables);
  const apiObject = apiObjectOf(made);
  const patches = patchesBetween(apiObject.toJson(), plain);
  apiObject.addJsonPatch(...patches.map((patch) => run(patch) as JsonPatch));
  if (!sameJson(apiObject.toJson(), plain)) throw new Error('it cannot be made again as it is');
  return { expression, patches, comments: placeComments(comments, all), made };
}

function apiObjectOf(made: unknown): ApiObject {
  return (made as { apiObject?: ApiObject }).apiObject ?? made as ApiObject;
}
