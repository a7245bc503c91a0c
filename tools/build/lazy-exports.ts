/**
 * Rewrites the compiled lib/index.js so that each `export * as x` is loaded on first use, from lib/bundle.js: a cdk8s
 * user never loads aws-cdk-lib, which is an optional peer dependency. Run after `jsii` as
 * `tsx tools/build/lazy-exports.ts lib/index.js`.
 * It accepts one shape of compiled file and fails on any other, so that a new compiler cannot silently make the exports
 * eager.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const MARKER = '// Submodules are loaded on first use (tools/build/lazy-exports.ts).';
/** The first read replaces the getter with the module. */
const HELPER =
  'function lazily(name, load) { const property = { enumerable: true, configurable: true }; ' +
  'Object.defineProperty(exports, name, { ...property, get() { const value = load(); Object.defineProperty(exports, name, { ...property, value }); return value; } }); }';
/** cdk8s-cli looks for the class of a validation plugin at the top of its package. jsii must not see it. */
const CDK8S_PLUGIN =
  'Object.defineProperty(exports, "Cdk8sValidation", { get: () => require("./bundle").Cdk8sValidation });';
const NAMES = /^(?:exports\.\w+ = )+void 0;$/;
const EAGER = /^exports\.(\w+) = __importStar\(require\("\.\/\1"\)\);$/;

/** @throws Error if the text does not have the expected shape */
export function makeExportsLazy(file: string, text: string): string {
  if (text.includes(MARKER)) {
    return text;
  }
  const lines = text.split('\n');
  const declared = lines
    .filter((line) => NAMES.test(line))
    .flatMap((line) => [...line.matchAll(/exports\.(\w+) = /g)].map((match) => match[1]));
  const submodules: string[] = [];
  const rewritten = lines.map((line) => {
    const eager = EAGER.exec(line);
    if (!eager) {
      return line;
    }
    submodules.push(eager[1]);
    return lazyProperty(eager[1]);
  });
  if (submodules.length === 0) {
    throw new Error(
      `${file}: no \`exports.x = __importStar(require("./x"))\` found; src/index.ts must hold \`export * as x\` lines only`,
    );
  }
  const left = rewritten.filter((line) => /\brequire\(/.test(line) && !line.startsWith('lazily("'));
  if (left.length > 0) {
    throw new Error(
      `${file}: an eager require is left, got ${left[0].trim()}; teach tools/build/lazy-exports.ts its shape`,
    );
  }
  if (declared.slice().sort().join() !== submodules.slice().sort().join()) {
    throw new Error(
      `${file}: the exports declared differ from those loaded, got [${declared}] and [${submodules}]; src/index.ts must hold \`export * as x\` lines only`,
    );
  }
  if (lines[0] !== '"use strict";') {
    throw new Error(
      `${file}: the first line is not "use strict";, got ${lines[0]}; teach tools/build/lazy-exports.ts its shape`,
    );
  }
  // On the line of "use strict", so that the line numbers of the source map stay right.
  return [`${lines[0]} ${HELPER} ${CDK8S_PLUGIN} ${MARKER}`, ...rewritten.slice(1)].join('\n');
}

/** Calls a helper instead of an inline getter, so that Node.js detects the export name for `import { x }`. */
function lazyProperty(name: string): string {
  return `lazily("${name}", () => require("./bundle").${name});`;
}

function main(file: string | undefined): void {
  if (file === undefined) {
    throw new Error('arguments: a file is missing, got none; write tsx tools/build/lazy-exports.ts lib/index.js');
  }
  const text = readFileSync(file, 'utf8');
  const lazy = makeExportsLazy(file, text);
  if (lazy !== text) {
    writeFileSync(file, lazy);
  }
}

if (require.main === module) {
  try {
    main(process.argv[2]);
  } catch (error) {
    console.error(`lazy-exports: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
