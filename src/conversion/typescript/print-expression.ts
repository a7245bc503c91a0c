import { Entry, Expression, hasComment, Slot } from './expression';
import { jsonText, valueText } from '../../model';

/** Maximum length of a line, in characters. */
const MAX_WIDTH = 120;
const INDENT = '  ';

/**
 * Prints an expression that starts somewhere in a line.
 *
 * @param indent indent of the line
 * @param used number of other characters in the line, before and after the expression
 */
export function print(expression: Expression, indent: string, used: number): string {
  const line = hasComment(expression) ? undefined : oneLine(expression);
  if (line !== undefined && indent.length + used + line.length <= MAX_WIDTH) return line;
  switch (expression.kind) {
    case 'object':
      return block('{', expression.entries, '}', indent, printEntry(expression.entries));
    case 'list':
      return block('[', expression.items, ']', indent, ({ value }, inner) => print(value, inner, 1));
    case 'call':
      return printCall(`${print(expression.target, indent, used)}.${expression.method}`, expression.args, indent);
    case 'new':
      return printCall(`new ${expression.path.join('.')}`, expression.args, indent);
    default:
      return line!;
  }
}

/** Line terminators of TypeScript. YAML treats some of them as ordinary characters. */
const LINE_END = /\r\n?|[\n\u2028\u2029]/;

export function printComments(comments: readonly string[], indent: string): string {
  return comments
    .flatMap((comment) => comment.split(LINE_END))
    .map((comment) => `${indent}//${comment === '' ? '' : ` ${comment}`}\n`)
    .join('');
}

/** If the last argument is an object or list, it starts on the line of the call; otherwise each argument has a line. */
function printCall(head: string, args: readonly Expression[], indent: string): string {
  const last = args[args.length - 1];
  if (
    last &&
    (last.kind === 'object' || last.kind === 'list') &&
    args.slice(0, -1).every((arg) => arg.kind !== 'object')
  ) {
    const before = args
      .slice(0, -1)
      .map((arg) => `${oneLine(arg)}, `)
      .join('');
    return `${head}(${before}${print(last, indent, MAX_WIDTH)})`;
  }
  return `${head}(\n${args.map((arg) => `${indent}${INDENT}${print(arg, indent + INDENT, 1)},\n`).join('')}${indent})`;
}

function block<S extends Slot>(
  open: string,
  slots: readonly S[],
  close: string,
  indent: string,
  printSlot: (slot: S, indent: string) => string,
): string {
  const inner = indent + INDENT;
  if (slots.length === 0) return open + close;
  return `${open}\n${slots.map((slot) => `${printComments(slot.comments, inner)}${inner}${printSlot(slot, inner)},\n`).join('')}${indent}${close}`;
}

function printEntry(entries: readonly Entry[]): (entry: Entry, indent: string) => string {
  return (entry, indent) => {
    const key = printKey(entry.key, entries);
    return entry.value.kind === 'name' && entry.value.path.join() === key
      ? key
      : `${key}: ${print(entry.value, indent, key.length + 3)}`;
  };
}

function oneLine(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'string' ? printText(expression.value) : valueText(expression.value);
    case 'name':
      return expression.path.join('.');
    case 'call':
      return `${oneLine(expression.target)}.${expression.method}(${expression.args.map(oneLine).join(', ')})`;
    case 'new':
      return `new ${expression.path.join('.')}(${expression.args.map(oneLine).join(', ')})`;
    case 'list':
      return `[${expression.items.map(({ value }) => oneLine(value)).join(', ')}]`;
    case 'object': {
      const { entries } = expression;
      return entries.length === 0
        ? '{}'
        : `{ ${entries.map(({ key, value }) => `${printKey(key, entries)}: ${oneLine(value)}`).join(', ')} }`;
    }
  }
}

/** Quotes all keys of an object if one of them needs quotes. */
function printKey(key: string, entries: readonly Entry[]): string {
  // A plain or quoted `__proto__` would set the prototype.
  if (key === '__proto__') return "['__proto__']";
  return entries.some((property) => needsQuotes(property.key)) ? printText(key) : key;
}

function needsQuotes(key: string): boolean {
  return !/^[A-Za-z_$][\w$]*$/.test(key) && !/^(?:0|[1-9]\d{0,8})$/.test(key);
}

function printText(text: string): string {
  const json = jsonText(text).trimEnd();
  if (text.includes("'") && !text.includes('"')) return json;
  return `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}
