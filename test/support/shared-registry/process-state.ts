/** What suites in one process could leave behind for the next suite. */
export interface ProcessState {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly globals: readonly PropertyKey[];
  readonly listeners: Readonly<Record<string, number>>;
}

// Not exit: libraries listen to it when they are loaded.
const EVENTS = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'];

export function copyOfProcess(): ProcessState {
  return {
    folder: process.cwd(),
    env: { ...process.env },
    globals: Reflect.ownKeys(globalThis),
    listeners: Object.fromEntries(EVENTS.map((event) => [event, process.listenerCount(event)])),
  };
}

/** Restores folder, environment and global names, and returns what differed. */
export function changesOfProcess(before: ProcessState): string[] {
  const changes: string[] = [];
  if (process.cwd() !== before.folder) {
    changes.push(`working directory ${process.cwd()}`);
    process.chdir(before.folder);
  }
  for (const name of new Set([...Object.keys(before.env), ...Object.keys(process.env)])) {
    if (process.env[name] === before.env[name]) continue;
    changes.push(`environment variable ${name}`);
    if (before.env[name] === undefined) delete process.env[name];
    else process.env[name] = before.env[name];
  }
  const globals = new Set(before.globals);
  for (const name of Reflect.ownKeys(globalThis)) {
    // Symbols belong to jest, and __names to libraries such as the CDK, which add them when they are loaded.
    if (typeof name === 'symbol' || name.startsWith('__') || globals.has(name)) continue;
    changes.push(`global name ${name}`);
    Reflect.deleteProperty(globalThis, name);
  }
  for (const [event, count] of Object.entries(before.listeners))
    if (process.listenerCount(event) > count) changes.push(`listener of process event ${event}`);
  return changes;
}
