/**
 * One difference between two lists of nodes: a node was removed, added, or replaced by a new object of the same name.
 */
export interface NodeChange<Node> {
  /** Absent for an added node. */
  readonly previous?: Node;
  /** Absent for a removed node. */
  readonly current?: Node;
}

interface Named {
  readonly name: string;
}

/**
 * The changes that lead from one list of nodes to another. Objects are compared by identity.
 *
 * Nodes that stay are expected to keep their relative order. If they do not, the result is still correct, but longer
 * than necessary.
 */
export function nodeChanges<Node extends Named>(
  before: readonly Node[],
  after: readonly Node[],
): Array<NodeChange<Node>> {
  const changes: Array<NodeChange<Node>> = [];
  const isAdded = isMissingFrom(before);
  const isRemoved = isMissingFrom(after);
  let position = 0;
  // Fast path: most lists share a long prefix.
  while (position < before.length && before[position] === after[position]) position++;
  for (let index = position; index < before.length; index++) {
    const previous = before[index];
    if (after[position] === previous) {
      position++;
      continue;
    }
    // Fast path: if only this node was removed, the next one matches again, and no name has to be looked up.
    const isNextSame = position >= after.length || after[position] === before[index + 1];
    if (
      !isNextSame &&
      after[position].name !== previous.name &&
      (after[position + 1] === previous || !isRemoved(previous))
    ) {
      while (position < after.length && after[position] !== previous && isAdded(after[position]))
        changes.push({ current: after[position++] });
    }
    const current = after[position];
    if (current?.name !== previous.name) {
      changes.push({ previous });
      continue;
    }
    position++;
    if (current !== previous) changes.push({ previous, current });
  }
  for (; position < after.length; position++) changes.push({ current: after[position] });
  return changes;
}

/**
 * Tests whether no node of the list has a node's name. The names are collected on the first call, which most
 * comparisons never make.
 */
function isMissingFrom(nodes: readonly Named[]): (node: Named) => boolean {
  let names: ReadonlySet<string> | undefined;
  return ({ name }) => !(names ??= new Set(nodes.map((node) => node.name))).has(name);
}
