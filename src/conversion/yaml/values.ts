import { Document, isMap, isScalar, isSeq, Node, Pair, Scalar, ScalarTag, visit, YAMLMap } from 'yaml';
import { valueText } from '../../model';
import { scalarValue } from '../../validation';

/** The JSON value of a normalized node. Objects have no prototype, so keys such as `__proto__` are ordinary keys. */
export function jsonOf(node: unknown): unknown {
  if (isMap(node)) {
    const object: Record<string, unknown> = Object.create(null);
    for (const pair of node.items as Pair<Scalar, Node>[]) object[valueText(pair.key.value)] = jsonOf(pair.value);
    return object;
  }
  if (isSeq(node)) return node.items.map(jsonOf);
  if (!isScalar(node)) return null;
  if (node.value instanceof SourceNumber) return node.value.value;
  // JavaScript prints this number as the source has it, so it stays a number even if it is large.
  return typeof node.value === 'number' ? node.value : scalarValue(node);
}

/** Strings that YAML 1.1, which kubectl reads, parses as booleans or numbers, and YAML 1.2 as strings. */
const AMBIGUOUS = /^(?:y|yes|n|no|on|off|[-+]?\.?[0-9][0-9a-fx_.:+-]*)$/i;

/** Whether a string must be quoted. */
export function isAmbiguous(text: string): boolean {
  return AMBIGUOUS.test(text);
}

/** A YAML node for a new value. Lists of scalars are written on one line. */
export function yamlNodeOf(value: unknown): Node {
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

/** YAML text of a node, without a document marker, with a line break at the end. */
export function render(node: Node): string {
  const document = new Document(null, { customTags: [SOURCE_NUMBER_TAG] });
  document.contents = node as never;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Comment lines, without the `#`, with the YAML text of fields. */
export function renderAsComment(fields: YAMLMap): string[] {
  return render(fields)
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : ` ${line}`));
}

/** A number that JavaScript would print differently: `0123`, `1e3`, or one too large to be exact. */
export class SourceNumber {
  /**
   * @param value as kubectl reads it: `0123` is octal, and a number too large to be exact is a string
   * @param source text in the file
   */
  public constructor(
    public readonly value: unknown,
    public readonly source: string,
  ) {}
}

/** Prints a SourceNumber as it was written. */
export const SOURCE_NUMBER_TAG: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /(?!)/,
  identify: (value) => value instanceof SourceNumber,
  resolve: (text) => text,
  stringify: ({ value }) => (value as SourceNumber).source,
};
