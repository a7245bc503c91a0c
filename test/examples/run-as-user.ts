import * as ts from 'typescript';
import * as library from '../../src';

/** Runs a TypeScript program of a page. It can import karpenter-constructs and cdk8s, as a user's program does. */
export function runAsUser(program: string): void {
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } });
  const modules: Readonly<Record<string, unknown>> = { 'karpenter-constructs': library, 'cdk8s': jest.requireActual('cdk8s') };
  new Function('require', 'exports', outputText)((name: string) => modules[name], {});
}
