import { spawnSync, SpawnSyncReturns } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync, accessSync, constants, statSync } from 'fs';
import { tmpdir } from 'os';
import { join, delimiter, isAbsolute } from 'path';
import { leadsInto, workTreeOf } from '../../model';

/** All programs of one run together, and one of them alone. */
const TOTAL_SECONDS = 60;
const ONE_SECONDS = 30;
const LARGEST_OUTPUT = 64 * 1024 * 1024;
const LONGEST_PROBLEM = 300;
const LONGEST_ERRORS = 20_000;

export interface ProgramResult {
  readonly text: string;
  /** Why the program has failed, in one line. @default - the program has succeeded */
  readonly problem?: string;
  /** All that the program has printed as errors. @default - the program has succeeded */
  readonly errors?: string;
  readonly isMissing: boolean;
}

/** A file for a program, in its working folder. */
export interface ProgramFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs the programs that render manifests. The manifests may be a stranger's: a program gets no shell, no input, no
 * variable of the environment except PATH, a folder of its own as its home and its working folder, and little time.
 * All processes that it has started end with it.
 */
export class Programs {
  private leftMs: number;

  public constructor(
    private readonly totalSeconds = TOTAL_SECONDS,
    private readonly oneSeconds = ONE_SECONDS,
  ) {
    this.leftMs = totalSeconds * 1000;
  }

  /**
   * @param args paths in them are absolute and follow `--`, so that no name of a file is an option
   * @param root the repository, whose own programs are not run
   * @param files what the working folder has @default - it is empty
   */
  public run(name: string, args: readonly string[], root: string, files: readonly ProgramFile[] = []): ProgramResult {
    const path = new ProgramPath(root);
    const file = path.find(name);
    if (file === undefined) return { text: '', problem: path.whyMissing(name), isMissing: true };
    if (this.leftMs <= 0) return failed(`not run, because programs have taken ${this.totalSeconds} seconds so far`);
    const home = mkdtempSync(join(tmpdir(), 'karpenter-constructs-'));
    const timeout = Math.ceil(Math.min(this.leftMs, this.oneSeconds * 1000));
    const started = performance.now();
    try {
      for (const { name: own, text } of files) writeFileSync(join(home, own), text);
      const result = spawnSync(file, [...args], {
        cwd: home,
        encoding: 'utf8',
        env: environment(path.text, home),
        killSignal: 'SIGKILL',
        maxBuffer: LARGEST_OUTPUT,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout,
        // The program leads a process group of its own. The types of Node.js lack the option for spawnSync.
        ...({ detached: process.platform !== 'win32' } as object),
      });
      endGroup(result.pid);
      return resultOf(result, timeout / 1000, root);
    } finally {
      this.leftMs -= performance.now() - started;
      rmSync(home, { recursive: true, force: true });
    }
  }
}

/**
 * The programs are short-lived and written in Go: collecting garbage takes a quarter of their time, and is only needed
 * if they use much memory.
 */
const GARBAGE_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '512MiB' };

/** Windows starts no program without SYSTEMROOT. */
function environment(path: string, home: string): NodeJS.ProcessEnv {
  const { SYSTEMROOT } = process.env;
  return {
    PATH: path,
    HOME: home,
    ...GARBAGE_COLLECTION,
    ...(process.platform === 'win32' ? { SYSTEMROOT, USERPROFILE: home } : {}),
  };
}

function endGroup(leader: number): void {
  if (process.platform === 'win32' || !(leader > 1)) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}

function resultOf(result: SpawnSyncReturns<string>, seconds: number, root: string): ProgramResult {
  const { status, stdout, stderr, error } = result;
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT')
    return failed(`it took more than ${seconds} seconds`);
  if (error === undefined && status === 0) return { text: stdout, isMissing: false };
  const reason = firstReason(stderr || error?.message || `exit code ${status}`);
  return {
    ...failed(reason.replaceAll(`${root}/`, '').slice(0, LONGEST_PROBLEM)),
    errors: stderr.replaceAll(`${root}/`, '').slice(0, LONGEST_ERRORS),
  };
}

function failed(problem: string): ProgramResult {
  return { text: '', problem, isMissing: false };
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

/** npx puts these folders of the current folder into the PATH, whatever repository that is. */
const PACKAGE_PROGRAMS = /[/\\]node_modules[/\\]\.bin[/\\]?$/;

/** The PATH of this process without the folders that a repository has the programs of. */
class ProgramPath {
  private readonly folders: readonly string[];
  private readonly leftOut: readonly string[];

  /** @param root the repository that is checked */
  public constructor(root: string) {
    const all = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
    const isRepository = workTreeOf(root) !== undefined;
    const isTrusted = (folder: string) =>
      isAbsolute(folder) && !PACKAGE_PROGRAMS.test(folder) && !(isRepository && leadsInto(folder, root));
    this.folders = all.filter(isTrusted);
    this.leftOut = all.filter((folder) => !isTrusted(folder));
  }

  public get text(): string {
    return this.folders.join(delimiter);
  }

  /** The absolute path of a program. */
  public find(name: string): string | undefined {
    return firstIn(this.folders, name);
  }

  /** Why a program is not found, as the rest of a sentence. */
  public whyMissing(name: string): string {
    return firstIn(this.leftOut, name) === undefined
      ? `${name} is not installed`
      : `the only ${name} in the PATH is one of the repository or of node_modules`;
  }
}

function firstIn(folders: readonly string[], name: string): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, file)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
