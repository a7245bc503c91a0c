import { spawnSync } from 'child_process';
import { readdirSync, readFileSync } from 'fs';
import { Worker } from 'worker_threads';
import { showsColors, showsOnlyAscii, handleOutputErrors } from '../standard-streams';
import { WorkerMessage, WorkerTerminal } from './messages';
import { ProgressLine } from './progress-line';
import type { PartialResult } from '../io';
import { replaceWholeFile } from '../output/whole-file';

/** How often the line is drawn. */
const INTERVAL_MS = 200;
/**
 * Runs the command in a thread of its own, because it never pauses: this thread draws the progress and reacts to
 * Ctrl-C.
 *
 * @param startFile the module whose `start` runs the command
 */
export function superviseInTerminal(startFile: string): void {
  handleOutputErrors();
  const { stdout, stderr } = process;
  const session = new TerminalSession(new ProgressLine(stderr, Date.now), {
    writeOut: (text) => {
      stdout.write(text);
    },
    writeError: (text) => {
      stderr.write(text);
    },
    writeFile: replaceWholeFile,
  });
  const terminal: WorkerTerminal = {
    color: stdout.isTTY === true && showsColors(process.env),
    columns: stdout.isTTY ? stdout.columns : undefined,
    ascii: stdout.isTTY === true && showsOnlyAscii(process.env, process.platform),
  };
  const worker = new Worker('require(require("worker_threads").workerData.startFile).start()', {
    eval: true,
    argv: process.argv.slice(2),
    workerData: { startFile, terminal },
  });
  const timer = setInterval(() => session.draw(), INTERVAL_MS);
  const end = () => {
    clearInterval(timer);
    session.end();
  };
  worker.on('message', (message: WorkerMessage) => session.receive(message));
  worker.on('error', (error) => {
    end();
    stderr.write(`${error.stack ?? error.message}\n`);
  });
  worker.on('exit', (code) => {
    end();
    process.exitCode = code;
  });
  process.once('SIGINT', () => {
    clearInterval(timer);
    session.interrupt();
    endChildGroups();
    // Both streams are written in order, so the last callback means that all text is written.
    stdout.write('', () => stderr.write('', () => process.exit(INTERRUPTED)));
  });
}

interface ProcessIds {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/**
 * Ends the programs that this process has started as leaders of a group. Ctrl-C does not reach them, and the thread
 * that waits for them cannot end before.
 */
export function endChildGroups(): void {
  for (const { pid, parent, group } of processes()) {
    if (parent !== process.pid || group !== pid) continue;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function processes(): ProcessIds[] {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux') return readdirSync('/proc').flatMap(idsInProc);
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').map((line) => idsOf(line.trim().split(/\s+/)));
}

function idsInProc(name: string): ProcessIds[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    // The name of the program is in parentheses, and may contain any character.
    const [, parent, group] = readFileSync(`/proc/${name}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [idsOf([name, parent, group])];
  } catch {
    return [];
  }
}

function idsOf(words: readonly string[]): ProcessIds {
  const [pid, parent, group] = words.map(Number);
  return { pid, parent, group };
}

/** The exit code of a command that Ctrl-C has ended: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

interface SessionOutput {
  writeOut(text: string): void;
  writeError(text: string): void;
  /** @throws Error if the file cannot be written */
  writeFile(path: string, text: string): void;
}

/** Writes the output of a command, with the progress line below it. */
export class TerminalSession {
  private partial?: PartialResult;

  public constructor(
    private readonly line: ProgressLine,
    private readonly output: SessionOutput,
  ) {}

  public receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'progress':
        return this.line.update(message.step);
      case 'partial':
        this.partial = message.result;
        return;
      case 'out':
        this.line.clear();
        return this.output.writeOut(message.text);
      case 'error':
        this.line.clear();
        return this.output.writeError(message.text);
    }
  }

  public draw(): void {
    this.line.draw();
  }

  public end(): void {
    this.line.clear();
  }

  /** Writes what is finished. */
  public interrupt(): void {
    this.line.clear();
    const { partial, output } = this;
    const time = `interrupted after ${this.line.elapsedText()}`;
    if (partial === undefined) return output.writeError(`${time}, before any result\n`);
    try {
      if (partial.file === undefined) output.writeOut(partial.text);
      else output.writeFile(partial.file, partial.text);
    } catch (error) {
      return output.writeError(`${time}; --output: cannot be written, ${(error as Error).message}\n`);
    }
    output.writeError(
      `${time}; ${partial.file === undefined ? 'the result above' : partial.file} has what was finished\n`,
    );
  }
}
