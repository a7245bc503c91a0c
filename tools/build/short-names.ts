/** Shorter names for what no stack trace shows, so that the package stays below its limit. */
import { transform } from 'esbuild';

/**
 * Shortens the names of parameters and local variables. The functions and classes of a module, and methods, keep their
 * names, which a stack trace shows.
 */
export async function withShortLocals(text: string): Promise<string> {
  const { code } = await transform(text, { minifyIdentifiers: true, minifySyntax: true, target: 'node20' });
  return code;
}

/** Shortens the names that TypeScript gives to imported modules. No stack trace shows them, and they are everywhere. */
export function withShortImports(text: string): string {
  const names = [...text.matchAll(/^const (\w+_\d+) = require\(/gm)].map(([, name]) => name);
  if (names.length === 0) return text;
  return text.replace(new RegExp(`\\b(?:${names.join('|')})\\b`, 'g'), (name) => `m$${names.indexOf(name)}`);
}

const LOADER = /\bvar\s(require_[\w$]+)\s?=\s?__commonJS\(/g;
const LOADER_USED = /\brequire_[\w$]+(?=\s?(?:\(\)|=\s?__commonJS\())/g;

/**
 * Shortens the names that esbuild gives to the functions that load a module. A stack trace shows the path of the module
 * instead.
 *
 * @param bundled the output of esbuild, in which some white space may be a line end
 * @throws Error if the bundle itself uses such a short name
 */
export function withShortLoaders(bundled: string): string {
  if (/\bl\$\w/.test(bundled)) throw new Error('a name in the bundle begins with l$, as the short names do');
  const names = [...bundled.matchAll(LOADER)].map(([, name]) => name);
  const short = new Map(names.map((name, index) => [name, `l$${index.toString(36)}`]));
  return bundled.replace(LOADER_USED, (name) => short.get(name) ?? name);
}
