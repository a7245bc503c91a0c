import { Scope, Written } from './hcl/evaluate';
import { filledIn } from './hcl/interpolation';
import { expressionOf } from './terraform-folder';
import { SourceFile } from '../../model';
import { PlainRecord } from '../../records';

/**
 * A template once for each call with other values. Expressions without a literal value, and directives such as
 * `%{ for }`, stay as they are.
 *
 * @param values those that each call gives to the names of the template
 */
export function filledTemplates(file: SourceFile, values: readonly PlainRecord[]): SourceFile[] {
  const lines = file.text.split('\n');
  const texts = new Set(
    values.map((given) => {
      const scope = scopeOf(given);
      return lines.map((line) => filledIn(line, scope)).join('\n');
    }),
  );
  const filled = [...texts].filter((text) => text !== file.text);
  if (filled.length === 0) return [file];
  return filled.map((text) => ({ ...file, text, written: file.text, isGenerated: true }));
}

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
