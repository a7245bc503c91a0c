import { Worker } from 'worker_threads';
import { showsColors, showsOnlyAscii } from './capabilities';
import { endChildGroups } from './child-groups';
import { WorkerMessage, WorkerTerminal } from './messages';
import { ProgressLine } from './progress-line';
import { INTERRUPTED, TerminalSession } from './terminal-session';
import { replaceWholeFile } from '../output/whole-file';
import { handleOutputErrors } from '../standard-streams';

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
