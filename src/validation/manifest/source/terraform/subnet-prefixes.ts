import { Evaluator, Scope } from './hcl/evaluate';
import { HclExpression } from './hcl/syntax';

const LITERAL = /^\d{1,3}(?:\.\d{1,3}){3}\/(\d{1,2})$/;
/**
 * A call of `cidrsubnet`, whose number of the subnet does not matter, or of `cidrsubnets` with equal sizes. Blanks are
 * bounded, because unbounded ones would take quadratic time.
 */
const SUBNET =
  /\bcidrsubnet(?:\(\s{0,80}(?:"([\d./]+)"|([\w.]+))\s{0,80},\s{0,80}(\d{1,2})\s{0,80},|s\(\s{0,80}(?:"([\d./]+)"|([\w.]+))\s{0,80},\s{0,80}(\d{1,2})\s{0,80}(?:,\s{0,80}\6\s{0,80})*,?\s{0,80}\))/;

/**
 * The lengths of the prefixes of IPv4 blocks, such as 28 for `10.0.1.0/28` and for `cidrsubnet("10.0.0.0/16", 12, 3)`.
 * One for each block of a list, if the list is written out; otherwise one for all of them.
 */
export function prefixLengths(expression: HclExpression, text: string, scope: Scope): number[] {
  const value = new Evaluator(scope).valueOf({ expression, text });
  const written = Array.isArray(value) ? value : [value];
  const own = expression.kind === 'list' ? expression.items : [expression];
  const lengths = written.map((block, index) => {
    const { start, end } = own[own.length === written.length ? index : 0] ?? expression;
    return literalLength(block) ?? computedLength(text.slice(start, end), scope);
  });
  return lengths.every((length) => length !== undefined) ? lengths : [];
}

function literalLength(value: unknown): number | undefined {
  const [, length] = (typeof value === 'string' ? LITERAL.exec(value) : null) ?? [];
  return length === undefined ? undefined : Number(length);
}

function computedLength(written: string, scope: Scope): number | undefined {
  const [, ...parts] = SUBNET.exec(written) ?? [];
  const [block, name, bits] = parts[2] === undefined ? parts.slice(3) : parts;
  if (bits === undefined) return undefined;
  const found = name === undefined ? undefined : scope.lookUp(name.split('.'));
  const base = literalLength(block ?? (found && new Evaluator(scope).valueOf(found)));
  return base === undefined ? undefined : base + Number(bits);
}
