import { FSWatcher, watch } from 'fs';
import { changesBetween, Snapshot } from './snapshot';
import { countText, printableLine } from '../../model';
import { Io } from '../io';

/** An editor that saves several files, or `git checkout`, causes one run. */
const QUIET_MS = 150;
const POLL_MS = 1_000;
const CLEAR_SCREEN = '\x1b[2J\x1b[3J\x1b[H';

/** What to watch, and what to do. */
export interface Watched {
  readonly takeSnapshot: () => Snapshot;
  /** Prints a result, or why there is none, and returns the exit code. */
  readonly run: () => Promise<number>;
}

/**
 * Runs, and runs again whenever files change, until Ctrl-C.
 *
 * @returns the exit code of the last run
 */
export async function watchFiles({ takeSnapshot, run }: Watched, io: Io): Promise<number> {
  let seen = takeSnapshot();
  for (;;) {
    const code = await run();
    const changed = await nextChange(seen, takeSnapshot, io);
    if (changed === undefined) return code;
    // In a file or a pipe, results follow each other.
    if (io.columns !== undefined && process.env.TERM !== 'dumb') io.writeOut(CLEAR_SCREEN);
    io.writeError(`${printableLine(changesBetween(seen, changed))}\n`);
    seen = changed;
  }
}

/** Waits until files differ, also from changes during the run. Undefined after Ctrl-C. */
async function nextChange(before: Snapshot, takeSnapshot: () => Snapshot, io: Io): Promise<Snapshot | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FolderWatcher | undefined;
  // During a run, Ctrl-C ends the process as usual, because a run cannot be paused.
  let onInterrupt = () => {};
  try {
    return await new Promise<Snapshot | undefined>((resolve) => {
      const compare = () => {
        const now = takeSnapshot();
        if (changesBetween(before, now) === '') watcher?.watch(now.folders);
        else resolve(now);
      };
      const compareSoon = () => {
        clearTimeout(timer);
        timer = setTimeout(compare, QUIET_MS);
      };
      onInterrupt = () => resolve(undefined);
      process.once('SIGINT', onInterrupt);
      // Only now: who reads this may press Ctrl-C at once.
      io.writeError(`watching ${countText(before.files.size, 'file')}; press Ctrl-C to end\n`);
      watcher = new FolderWatcher(compareSoon, POLL_MS);
      watcher.watch(before.folders);
      compareSoon();
    });
  } finally {
    clearTimeout(timer);
    watcher?.close();
    process.removeListener('SIGINT', onInterrupt);
  }
}

/** Calls back when something may have changed in folders. */
export class FolderWatcher {
  private readonly watchers = new Map<string, FSWatcher>();
  private polling?: NodeJS.Timeout;

  /** @param pollMs how often to call back if the system cannot watch a folder */
  public constructor(
    private readonly onEvent: () => void,
    private readonly pollMs: number,
  ) {}

  /** Watches exactly these folders from now on. Folders inside them have to be named, too. */
  public watch(folders: readonly string[]): void {
    for (const [folder, watcher] of this.watchers) {
      if (folders.includes(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of folders) if (!this.watchers.has(folder)) this.add(folder);
  }

  public close(): void {
    this.watch([]);
    clearInterval(this.polling);
  }

  private add(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: true }, this.onEvent);
      // A folder that is deleted and made again needs a new watcher.
      watcher.on('error', () => {
        this.watchers.delete(folder);
        this.onEvent();
      });
      this.watchers.set(folder, watcher);
    } catch {
      // Too many watches, or a file system without events.
      this.polling ??= setInterval(this.onEvent, this.pollMs);
    }
  }
}
