import { parse } from 'yaml';

/**
 * The value that a YAML text means. Unlike the function of the library, it writes no warnings: they would bring text of
 * the input to stderr.
 *
 * @throws Error if the text is no YAML
 */
export function parseYaml(text: string): unknown {
  return parse(text, { logLevel: 'error' });
}
