import { spawnSync } from 'child_process';
import { readdirSync, readFileSync } from 'fs';

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
