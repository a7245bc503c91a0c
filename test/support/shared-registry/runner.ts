import type { JestEnvironment } from '@jest/environment';
import type { TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import circus from 'jest-circus/runner';
import type Runtime from 'jest-runtime';
import { compileTypeScript } from './compile-typescript';
import SharedEnvironment from './environment';
import { changesOfProcess, copyOfProcess } from './process-state';

type Arguments = [Config.GlobalConfig, Config.ProjectConfig, JestEnvironment, Runtime, string, unknown];

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS'); // of jest-circus

/**
 * A test runner that loads modules with Node's own `require`, once for a worker. Only the suite and the state of
 * jest-circus are new. Suites that begin with `@jest-environment node` run as in jest, each with modules of its own.
 */
export default async function run(...args: Arguments): Promise<TestResult> {
  const [, config, environment, runtime, suite] = args;
  if (!(environment instanceof SharedEnvironment)) return circus(...args);
  await compileTypeScript(config, runtime.getSourceMaps() as Map<string, string>);
  Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
  let before = copyOfProcess();
  Object.assign(runtime, {
    requireInternalModule: requireAnew, // jest-circus, whose state is in its module
    requireModule: (file: string) => {
      before = copyOfProcess(); // with the globals of jest-circus
      return requireAnew(file);
    },
    unstable_shouldLoadAsEsm: () => false,
  });
  try {
    const result = await circus(...args);
    const changes = changesOfProcess(before);
    if (changes.length > 0) throw new Error(LEAK(changes));
    return result;
  } finally {
    forget(suite);
  }
}

const LEAK = (changes: readonly string[]) =>
  `This suite leaves the process changed: ${changes.join(', ')}. Other suites run in the same process: restore it, or begin the file with "/** @jest-environment node */".`;

function requireAnew(file: string): unknown {
  forget(file);
  return module.require(file);
}

/** Node keeps loaded modules in two places. */
function forget(file: string) {
  delete require.cache[file];
  module.children = module.children.filter(({ filename }) => filename !== file);
}
