/** A node that is another, that is gone, or that has come. */
export interface NodeChange<Node> {
  readonly was?: Node;
  readonly is?: Node;
}

/** Nodes that stay are taken to stand in the same order; where they do not the answer is only longer. */
export function changesBetween<Node extends { readonly name: string }>(before: readonly Node[], after: readonly Node[]): Array<NodeChange<Node>> {
  const changes: Array<NodeChange<Node>> = [];
  let at = 0;
  for (const was of before) {
    const is = after[at];
    if (is === was) {
      at++;
      continue;
    }
    if (is?.name !== was.name) {
      changes.push({ was });
      continue;
    }
    at++;
    changes.push({ was, is });
  }
  for (; at < after.length; at++) changes.push({ is: after[at] });
  return changes;
}
