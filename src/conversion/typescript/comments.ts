import { isMap, isScalar, isSeq, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { Expression, Path, Slot, slotsOf } from './expression';

/** Comment lines with the path of the field that they belong to. */
export interface Comment {
  readonly path: Path;
  readonly lines: readonly string[];
}

/** All comments inside a normalized object. */
export function commentsOf(node: Node | null | undefined, path: Path = []): Comment[] {
  const comments = [node?.commentBefore, isScalar(node) || isSeq(node) || isMap(node) ? node.comment : undefined];
  const own = comments.flatMap((comment) => (comment ? [{ path, lines: commentLines(comment) }] : []));
  if (isSeq(node)) return [...own, ...node.items.flatMap((item, i) => commentsOf(item as Node, [...path, i]))];
  if (!isMap(node)) return own;
  return [...own, ...(node as YAMLMap<Scalar<string>, Node>).items.flatMap((pair) => commentsOfPair(pair, path))];
}

function commentsOfPair({ key, value }: Pair<Scalar<string>, Node>, path: Path): Comment[] {
  const inner = [...path, key.value];
  const atKey = [key.commentBefore, key.comment].flatMap((comment) =>
    comment ? [{ path: inner, lines: commentLines(comment) }] : [],
  );
  return [...atKey, ...commentsOf(value, inner)];
}

/** The lines of a comment without blank lines and without the space after `#`. */
export function commentLines(comment: string): string[] {
  return comment
    .split('\n')
    .map((line) => line.replace(/^ /, '').trimEnd())
    .filter((line) => line !== '');
}

/**
 * Attaches each comment to the slot of its field, or to the nearest slot around it.
 *
 * @returns lines of the comments for which the expression has no slot
 */
export function placeComments(comments: readonly Comment[], expression: Expression): string[] {
  const slots = slotsOf(expression);
  return comments.flatMap(({ path, lines }) => {
    const slot = innermostSlot(slots, path);
    slot?.comments.push(...lines);
    return slot ? [] : lines;
  });
}

function innermostSlot(slots: readonly Slot[], path: Path): Slot | undefined {
  let innermost: Slot | undefined;
  for (const slot of slots) {
    if (
      slot.from &&
      slot.from.length > (innermost?.from?.length ?? 0) &&
      slot.from.every((step, i) => step === path[i])
    )
      innermost = slot;
  }
  return innermost;
}
