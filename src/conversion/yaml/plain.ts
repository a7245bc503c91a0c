import { Document, isMap, isScalar, isSeq, Node, Pair, Scalar, visit } from 'yaml';
import { WrittenNumber } from './written-number';
import { scalarValue } from '../../validation';

/** The JSON value of a node in normal form; objects have no prototype, so that no key means more than the file says. */
export function plainOf(node: unknown): unknown {
  if (isMap(node)) {
    const object: Record<string, unknown> = Object.create(null);
    for (const pair of node.items as Pair<Scalar, Node>[]) object[String(pair.key.value)] = plainOf(pair.value);
    return object;
  }
  if (isSeq(node)) return node.items.map(plainOf);
  if (!isScalar(node)) return null;
  if (node.value instanceof WrittenNumber) return node.value.value;
  // It is written as JavaScript writes it, however large it is.
  return typeof node.value === 'number' ? node.value : scalarValue(node);
}

/** Texts that YAML 1.1, which kubectl reads, takes for something else, and YAML 1.2 does not. */
const AMBIGUOUS = /^(?:y|yes|n|no|on|off|[-+]?\.?[0-9][0-9a-fx_.:+-]*)$/i;

/** Whether a text has to stand in quotes. */
export function isAmbiguous(text: string): boolean {
  return AMBIGUOUS.test(text);
}

/** A node for a value that is not in the input. Lists of texts stand in one line. */
export function nodeOf(value: unknown): Node {
  const node = new Document().createNode(value) as Node;
  visit(node, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && isAmbiguous(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
    Seq: (_, seq) => {
      seq.flow = seq.items.every((item) => isScalar(item));
    },
  });
  return node;
}
