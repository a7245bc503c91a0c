import * as ts from 'typescript';
import * as library from '../../src';

/**
 * Runs a TypeScript program of a page. It can import karpenter-constructs and the packages of its peers, as a user's
 * program does. Returns what the program exports.
 */
export function runAsUser(program: string): Record<string, unknown> {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const require = (name: string): unknown => (name === 'karpenter-constructs' ? library : jest.requireActual(name));
  const exported: Record<string, unknown> = {};
  new Function('require', 'exports', outputText)(require, exported);
  return exported;
}

/** What the program prints, with the error that it throws. */
export function printedBy(program: string): string {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const log = jest.spyOn(console, 'log').mockImplementation();
  try {
    runAsUser(program);
    return write.mock.calls.join('');
  } catch (error) {
    return `${write.mock.calls.join('')}${(error as Error).message}\n`;
  } finally {
    write.mockRestore();
    log.mockRestore();
  }
}
