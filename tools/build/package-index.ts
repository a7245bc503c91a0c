/**
 * The text of lib/index.js. Each submodule is loaded on first use, so that a cdk8s user never loads aws-cdk-lib, an
 * optional peer dependency.
 *
 * @param submodules what src/index.ts exports
 */
export function packageIndex(submodules: readonly string[]): string {
  return [
    '"use strict";',
    'Object.defineProperty(exports, "__esModule", { value: true });',
    // Node.js finds names for `import { x }` in assignments of this shape.
    `${submodules.map((name) => `exports.${name} = `).join('')}void 0;`,
    '// The first read replaces the getter with the module.',
    'function lazily(name) {',
    '  const property = { enumerable: true, configurable: true };',
    '  const define = (value) => Object.defineProperty(exports, name, { ...property, value });',
    '  Object.defineProperty(exports, name, {',
    '    ...property,',
    '    get() { const value = require("./bundle")[name]; define(value); return value; },',
    '  });',
    '}',
    ...submodules.map((name) => `lazily("${name}");`),
    // cdk8s-cli looks for the class of a validation plugin at the top of its package. jsii must not see it.
    'Object.defineProperty(exports, "Cdk8sValidation", { get: () => require("./bundle").Cdk8sValidation });',
    '',
  ].join('\n');
}

/**
 * The submodules that lib/index.d.ts exports.
 *
 * @throws Error if it exports anything else, which lib/index.js would lack
 */
export function submodulesOf(declarations: string): string[] {
  const lines = declarations.split('\n').filter((line) => line !== '' && !/^(\/\*\*| \*|\/\/)/.test(line));
  return lines.map((line) => {
    const [, name] = /^export \* as (\w+) from '\.\/\1';$/.exec(line) ?? [];
    if (name === undefined)
      throw new Error(`src/index.ts must have only lines \`export * as x from './x'\`, got ${line}`);
    return name;
  });
}
