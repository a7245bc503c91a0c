import { isMap, isScalar, isSeq, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { Expression, Path, Slot, slotsOf } from './expression';

/** Lines of comment, and the field that they are about. */
export interface Comment {
  readonly path: Path;
  readonly lines: readonly string[];
}

/** All comments inside an object in normal form. */
export function commentsOf(node: Node | null | undefined, path: Path = []): Comment[] {
  const here = [node?.commentBefore, isScalar(node) || isSeq(node) || isMap(node) ? node.comment : undefined];
  const own = here.flatMap((comment) => comment ? [{ path, lines: linesOf(comment) }] : []);
  if (isSeq(node)) return [...own, ...node.items.flatMap((item, i) => commentsOf(item as Node, [...path, i]))];
  if (!isMap(node)) return own;
  return [...own, ...(node as YAMLMap<Scalar<string>, Node>).items.flatMap((pair) => commentsOfPair(pair, path))];
}

function commentsOfPair({ key, value }: Pair<Scalar<string>, Node>, path: Path): Comment[] {
  const inner = [...path, key.value];
  const atKey = [key.commentBefore, key.comment].flatMap((comment) => comment ? [{ path: inner, lines: linesOf(comment) }] : []);
  return [...atKey, ...commentsOf(value, inner)];
}

/** The lines without blank ones, and without the space that follows a `#`. */
export function linesOf(comment: string): string[] {
  return comment.split('\n').map((line) => line.replace(/^ /, '').trimEnd()).filter((line) => line !== '');
}

/**
 * Puts each comment where its field is written, or the nearest field around it.
 *
 * @returns comments about fields that nothing in the expression comes from
 */
export function placeComments(comments: readonly Comment[], expression: Expression): string[] {
  const slots = slotsOf(expression);
  return comments.flatMap(({ path, lines }) => {
    const slot = nearest(slots, path);
    slot?.comments.push(...lines);
    return slot ? [] : lines;
  });
}

function nearest(slots: readonly Slot[], path: Path): Slot | undefined {
  let found: Slot | undefined;
  for (const slot of slots) {
    if (slot.from && slot.from.length > (found?.from?.length ?? 0) && slot.from.every((step, i) => step === path[i])) found = slot;
  }
  return found;
}
