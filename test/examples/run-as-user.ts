import * as ts from 'typescript';
import * as library from '../../src';

/** Runs a TypeScript program that a page shows, as a user of the package and of cdk8s would. */
export function runAsUser(program: string): void {
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } });
  const modules: Readonly<Record<string, unknown>> = { 'karpenter-constructs': library, 'cdk8s': jest.requireActual('cdk8s') };
  new Function('require', 'exports', outputText)((name: string) => modules[name], {});
}
