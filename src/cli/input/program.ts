import { spawnSync } from 'child_process';

const TIMEOUT_SECONDS = 30;
const LARGEST_OUTPUT = 64 * 1024 * 1024;
const LONGEST_PROBLEM = 300;

export interface ProgramResult {
  readonly text: string;
  /** Why the program has failed, in one line. @default - the program has succeeded */
  readonly problem?: string;
  readonly isMissing: boolean;
  readonly isTooSlow: boolean;
}

/** Runs a program that renders manifests, without a shell, input or questions to the user. */
export function runProgram(name: string, args: readonly string[], timeoutSeconds = TIMEOUT_SECONDS): ProgramResult {
  const { status, stdout, stderr, error } = spawnSync(name, [...args], {
    encoding: 'utf8',
    timeout: timeoutSeconds * 1000,
    killSignal: 'SIGKILL',
    maxBuffer: LARGEST_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const isTooSlow = code === 'ETIMEDOUT';
  const reason = firstReason(stderr || error?.message || `exit code ${status}`).slice(0, LONGEST_PROBLEM);
  const problem = isTooSlow
    ? `it took more than ${timeoutSeconds} seconds`
    : (error ?? status !== 0)
      ? reason
      : undefined;
  return { text: stdout ?? '', problem, isMissing: code === 'ENOENT', isTooSlow };
}

/** Lines of a log with the time and the process, which differ in each run. */
const LOG_LINE = /^[IWEF]\d{4} [\d:.]+ +\d+ \S+\] /;

/** The first line that says why a program has failed. Of nested reasons, that of git is the cause. */
function firstReason(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line =
    lines.find((candidate) => !LOG_LINE.test(candidate) && !candidate.startsWith('# Warning')) ??
    (lines[0] ?? '').replace(LOG_LINE, '');
  return (/fatal: .*$/.exec(line)?.[0] ?? line).replace(/^error: /i, '');
}
