import { Scope, Written, Evaluator, isPlaceholder } from './hcl/evaluate';
import { TemplateCall } from './terraform-calls';
import { expressionOf } from './terraform-folder';
import { SourceFile } from '../../model';
import { PlainRecord } from '../../records';
import { parseExpression } from './hcl/parser';
import { Scanner } from './hcl/scanner';
import { valueText } from '../../../../model';

/**
 * A template once for each call with other values. Expressions without a literal value, and directives such as
 * `%{ for }`, stay as they are.
 *
 * @param calls what each call gives to the names of the template
 */
export function filledTemplates(file: SourceFile, calls: readonly TemplateCall[]): SourceFile[] {
  const byText = new Map<string, TemplateCall>();
  for (const call of calls) {
    const text = filledText(file.text, call.values);
    if (text !== file.text && !byText.has(text)) byText.set(text, call);
  }
  if (byText.size === 0) return [file];
  return [...byText].map(([text, { places }]) => ({
    ...file,
    text,
    written: file.text,
    isGenerated: true,
    filledFrom: places,
  }));
}

/** The text of a template with the values of its names. */
export function filledText(text: string, values: PlainRecord): string {
  const scope = scopeOf(values);
  return text
    .split('\n')
    .map((line) => filledIn(line, scope, true))
    .join('\n');
}

/** An attribute of a module or a resource that a call gives to a template. */
const GIVEN = /^\$\{(?:module|aws_\w+|data)\.[\w.-]+\}$/;

function scopeOf(values: PlainRecord): Scope {
  return {
    lookUp: ([name, ...members]): Written | undefined => {
      const value = members.reduce<unknown>(memberOf, memberOf(values, name));
      return value === undefined ? undefined : { expression: expressionOf(value), text: '' };
    },
  };
}

function memberOf(value: unknown, name: string): unknown {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord && Object.hasOwn(value, name) ? (value as PlainRecord)[name] : undefined;
}

/**
 * A line of a here-document or a template with the values of expressions that are known. Others stay as they are.
 *
 * @param isTemplate whether names of the template become the expressions that a call gives to them. @default false
 */
export function filledIn(line: string, scope: Scope, isTemplate = false): string {
  if (!line.includes('${')) return line;
  const scanner = new Scanner(line);
  let result = '';
  let at = 0;
  for (let begin = line.indexOf('${'); begin >= 0; begin = line.indexOf('${', at)) {
    const end = line[begin - 1] === '$' ? undefined : endOf(scanner, begin);
    const value = end === undefined ? undefined : textOf(line.slice(begin + 2, end - 1), scope, isTemplate);
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
function textOf(text: string, scope: Scope, isTemplate: boolean): string | undefined {
  const expression = parseExpression(text);
  const value = expression && new Evaluator(scope).valueOf({ expression, text });
  // The result of a module or a resource says more than the name of the template.
  if (isTemplate && expression?.kind === 'reference' && typeof value === 'string' && GIVEN.test(value)) return value;
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar && !isPlaceholder(value) && !valueText(value).includes('\n') ? valueText(value) : undefined;
}
