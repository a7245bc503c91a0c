import { compiledRule } from '../cel';
import { patternOf } from '../regexp';
import { Schema } from './schema';

/** A rule in CEL, or a pattern, of a schema that cannot be read. */
export function findBrokenRule(schema: Schema): string | undefined {
  const rule = schema['x-kubernetes-validations']?.map((each) => each.rule).find((text) => !isReadable(() => compiledRule(text)));
  if (rule !== undefined) return rule;
  const { pattern } = schema;
  if (pattern !== undefined && !isReadable(() => patternOf(pattern))) return pattern;
  for (const child of childrenOf(schema)) {
    const found = findBrokenRule(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function childrenOf({ properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [], not }: Schema): Schema[] {
  const single = [items, additionalProperties, not].filter((child): child is Schema => typeof child === 'object');
  return [...Object.values(properties), ...single, ...allOf, ...anyOf, ...oneOf];
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
