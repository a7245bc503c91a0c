import { version } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import type { Circus } from '@jest/types';
import { ModuleMocker } from 'jest-mock';

/** The part of `jest` that suites of a shared registry may use. */
export type SharedJest = Pick<typeof jest, 'fn' | 'spyOn' | 'setTimeout' | 'clearAllMocks' | 'restoreAllMocks'>;

// Most code of a suite runs a few times: V8's default, a fifteenth of these bytes of bytecode, optimizes functions that
// are not called again. This saves a fifth of the CPU time. Later versions of Node.js do not have this setting.
if (version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=1000000');

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL'); // where jest-circus reads it

/**
 * A test environment without a V8 context: suites run in the worker's own one, with the modules that earlier suites
 * have loaded.
 */
export default class SharedEnvironment implements JestEnvironment {
  global = globalThis as unknown as JestEnvironment['global'];
  moduleMocker = new ModuleMocker(globalThis) as unknown as JestEnvironment['moduleMocker'];
  fakeTimers = null;
  fakeTimersModern = null;
  private readonly console = globalThis.console;
  private readonly exit = process.exit;
  private startOfTest = process.cpuUsage();

  constructor({ globalConfig }: JestEnvironmentConfig) {
    if (globalConfig.collectCoverage) throw new Error('Coverage is measured by modules of jest: add --env node.');
    Object.assign(globalThis, { jest: this.jest() });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }

  /**
   * Fails a test that has used more CPU time than its timeout. jest itself cannot: its timer does not fire while
   * synchronous code runs. Wall-clock time would fail tests on a busy machine.
   */
  handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent, state: Circus.State) {
    if (event.name === 'test_fn_start') this.startOfTest = process.cpuUsage();
    if (event.name !== 'test_fn_success') return;
    const { user, system } = process.cpuUsage(this.startOfTest);
    const [used, allowed] = [(user + system) / 1000, event.test.timeout ?? state.testTimeout];
    if (used > allowed)
      event.test.errors.push(new Error(`The test has used ${Math.round(used)} ms of CPU time, and has ${allowed} ms.`));
  }

  async setup() {}

  async teardown() {
    this.moduleMocker!.restoreAllMocks();
    globalThis.console = this.console;
    process.exit = this.exit; // jest wraps it for each suite
    Reflect.deleteProperty(globalThis, TEST_TIMEOUT);
  }

  private jest(): SharedJest {
    const mocker = this.moduleMocker!;
    const shared = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      clearAllMocks: () => mocker.clearAllMocks(),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      setTimeout: (ms: number) => Object.assign(globalThis, { [TEST_TIMEOUT]: ms }),
    };
    return shared as unknown as SharedJest;
  }
}
