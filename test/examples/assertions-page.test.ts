import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import * as library from '../../src';

const PAGE = readFileSync(join(__dirname, '../../docs/assertions.md'), 'utf8');
const [PROGRAM] = [...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
const HARDENED = 'web.with(new workloads.Resilience({ nodePool }));\n';

/** As a user's test would run it. */
function run(program: string): void {
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } });
  const modules: Readonly<Record<string, unknown>> = { 'karpenter-constructs': library, 'cdk8s': jest.requireActual('cdk8s') };
  new Function('require', 'exports', outputText)((name: string) => modules[name], {});
}

test('the assertions of the page hold', () => {
  expect(PROGRAM.match(/^karpenter\./gm)).toHaveLength(9);
  expect(() => run(PROGRAM)).not.toThrow();
});

test('without the line that it names, one fails with the message that it shows, word for word', () => {
  const [, message] = /throws an error with this message:\n\n```text\n(.*?)```/s.exec(PAGE) ?? [];
  const [before] = PROGRAM.split('karpenter.hasAllPodsScheduled();');
  expect(before).toContain(HARDENED);
  expect(() => run(`${before.replace(HARDENED, '')}karpenter.keepsReady('web', 1, plugins.Scenario.DRIFT);`)).toThrow(message.trim());
});
