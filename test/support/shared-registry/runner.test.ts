import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs suites in the order of their names. */
const SEQUENCER =
  'module.exports = class { sort = (tests) => [...tests].sort((a, b) => (a.path < b.path ? -1 : 1)); cacheResults() {} };';
const ROOT = join(__dirname, '../../..');

interface SuiteResult {
  readonly name: string;
  readonly message: string;
  readonly assertionResults: ReadonlyArray<{ readonly title: string; readonly status: string }>;
}

let suites: SuiteResult[];
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'shared-registry-'));
  const { jest: config } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [configFile, output] = [join(folder, 'jest.config.json'), join(folder, 'results.json')];
  const testMatch = ['<rootDir>/test/support/shared-registry/suites/*-*.ts'];
  const testSequencer = join(folder, 'sequencer.js');
  writeFileSync(testSequencer, SEQUENCER);
  const own = { rootDir: ROOT, testMatch, testSequencer, reporters: [] };
  writeFileSync(configFile, JSON.stringify({ ...config, ...own }));
  const args = ['node_modules/.bin/jest', '--config', configFile, '--runInBand', '--json', '--outputFile', output];
  spawnSync(process.execPath, args, { cwd: ROOT });
  suites = (JSON.parse(readFileSync(output, 'utf8')).testResults as SuiteResult[]).sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );
});

function statuses({ assertionResults }: SuiteResult) {
  return assertionResults.map(({ status }) => status);
}

test('a suite that leaves the process changed fails, and its message names each change', () => {
  expect(suites[0].message).toMatch(
    /leaves the process changed: working directory \/, environment variable LEFT_BEHIND, global name leftBehind\. .*"\/\*\* @jest-environment node \*\/"/,
  );
});

test('the next suite gets the loaded modules and a restored process', () => {
  expect({ message: suites[1].message, statuses: statuses(suites[1]) }).toEqual({ message: '', statuses: ['passed'] });
});

test('a failure names the line of the source, and mocks end with their suite', () => {
  expect(statuses(suites[2])).toEqual(['failed', 'passed']);
  expect(suites[2].message).toContain('3-fails.ts:7:');
});

test('a suite in the environment node has modules of its own, and can mock them', () => {
  expect({ message: suites[3].message, statuses: statuses(suites[3]) }).toEqual({ message: '', statuses: ['passed'] });
});

test('a synchronous test that uses more CPU time than its timeout fails', () => {
  expect(statuses(suites[4])).toEqual(['failed', 'passed']);
  expect(suites[4].message).toMatch(/The test has used \d+ ms of CPU time, and has 30 ms\./);
});
