import { Evaluator, isPlaceholder, Scope } from './evaluate';
import { parseExpression } from './parser';
import { Scanner } from './scanner';
import { valueText } from '../../../../../model';

/** A line of a here-document or a template with the values of expressions that are known. Others stay as they are. */
export function filledIn(line: string, scope: Scope): string {
  if (!line.includes('${')) return line;
  const scanner = new Scanner(line);
  let result = '';
  let at = 0;
  for (let begin = line.indexOf('${'); begin >= 0; begin = line.indexOf('${', at)) {
    const end = line[begin - 1] === '$' ? undefined : endOf(scanner, begin);
    const value = end === undefined ? undefined : textOf(line.slice(begin + 2, end - 1), scope);
    const next = end ?? begin + 2;
    result += line.slice(at, begin) + (value ?? line.slice(begin, next));
    at = next;
  }
  return result + line.slice(at);
}

function endOf(scanner: Scanner, begin: number): number | undefined {
  try {
    return scanner.endOfBrackets(begin + 1);
  } catch {
    // A brace without end, which is no expression.
    return undefined;
  }
}

/** The value of an expression as it stands in a line; undefined if only Terraform knows it. */
function textOf(text: string, scope: Scope): string | undefined {
  const expression = parseExpression(text);
  const value = expression && new Evaluator(scope).valueOf({ expression, text });
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar && !isPlaceholder(value) && !valueText(value).includes('\n') ? valueText(value) : undefined;
}
