/** A node that is another, that is gone, or that has come. */
export interface NodeChange<Node> {
  readonly was?: Node;
  readonly is?: Node;
}

interface Named {
  readonly name: string;
}

/** Nodes that stay are taken to stand in the same order; where they do not the answer is only longer. */
export function changesBetween<Node extends Named>(before: readonly Node[], after: readonly Node[]): Array<NodeChange<Node>> {
  const changes: Array<NodeChange<Node>> = [];
  const hasCome = others(before);
  const isGone = others(after);
  let at = 0;
  // Most often nearly all are the same: what stands before the first that is another needs no second look.
  while (at < before.length && before[at] === after[at]) at++;
  for (let place = at; place < before.length; place++) {
    const was = before[place];
    if (after[at] === was) {
      at++;
      continue;
    }
    // Where one is gone and nothing else, the next is the same: then nobody has to be looked for.
    const isNextSame = at >= after.length || after[at] === before[place + 1];
    if (!isNextSame && after[at].name !== was.name && (after[at + 1] === was || !isGone(was))) {
      while (at < after.length && after[at] !== was && hasCome(after[at])) changes.push({ is: after[at++] });
    }
    const is = after[at];
    if (is?.name !== was.name) {
      changes.push({ was });
      continue;
    }
    at++;
    if (is !== was) changes.push({ was, is });
  }
  for (; at < after.length; at++) changes.push({ is: after[at] });
  return changes;
}

/** Whether a node is none of these. Most often nobody asks. */
function others(nodes: readonly Named[]): (node: Named) => boolean {
  let names: ReadonlySet<string> | undefined;
  return ({ name }) => !(names ??= new Set(nodes.map((node) => node.name))).has(name);
}
