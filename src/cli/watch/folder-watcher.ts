import { FSWatcher, watch } from 'fs';

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
