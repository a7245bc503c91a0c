/**
 * A CEL expression that is parsed already. A text, a number and a boolean stand for themselves; a list is an operation:
 * its name, and then what it works on. Operations that bind a variable are `[operation, what is gone through, the
 * variable, what is asked of each item]`.
 */
export type CelNode = string | number | boolean | CelOperation;

// An interface, because a type may not lead to itself through a ReadonlyArray.
export interface CelOperation extends ReadonlyArray<CelNode> {
  readonly 0: string;
}

/** `data/karpenter-cel.json`: the text of each rule that Karpenter's CRDs have, and what it says. */
export type CelTable = Readonly<Record<string, CelNode>>;

/** Whether an expression has the variable. */
export function mentions(node: CelNode, variable: string): boolean {
  if (typeof node !== 'object') return false;
  return (node[0] === 'var' && node[1] === variable) || node.slice(1).some((operand) => mentions(operand, variable));
}
