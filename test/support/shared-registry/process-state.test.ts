import { tmpdir } from 'node:os';
import { changesOfProcess, copyOfProcess } from './process-state';

test('returns nothing if the process is as it was', () => {
  expect(changesOfProcess(copyOfProcess())).toEqual([]);
});

test('returns and restores a deleted environment variable and the working directory', () => {
  process.env.GIVEN = 'before';
  const before = copyOfProcess();
  const folder = process.cwd();
  delete process.env.GIVEN;
  process.chdir(tmpdir());
  expect(changesOfProcess(before)).toEqual([
    expect.stringMatching(/^working directory /),
    'environment variable GIVEN',
  ]);
  expect([process.env.GIVEN, process.cwd()]).toEqual(['before', folder]);
  delete process.env.GIVEN;
});

test('returns a listener that a suite leaves', () => {
  const before = copyOfProcess();
  const listener = () => undefined;
  process.on('SIGTERM', listener);
  expect(changesOfProcess(before)).toEqual(['listener of process event SIGTERM']);
  process.off('SIGTERM', listener);
});
