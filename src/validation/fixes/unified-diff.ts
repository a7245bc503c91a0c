import { printableLine } from '../../model';

/** Unchanged lines around a change. */
const CONTEXT = 3;

interface Change {
  /** Index of the first line. */
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The difference of two texts as `git diff` prints it, so that `patch -p1` makes it; empty if they are equal. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const hunks = hunksOf(changesOf(oldLines, newLines)).map((changes) => hunkText(changes, oldLines, newLines));
  const shown = printableLine(path);
  const [from, to] = path.startsWith('/') ? [shown, shown] : [`a/${shown}`, `b/${shown}`];
  return `--- ${from}\n+++ ${to}\n${hunks.join('')}`;
}

/** Lines with their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Ranges of lines that differ, from the shortest edit script of Myers' algorithm. */
function changesOf(oldLines: readonly string[], newLines: readonly string[]): Change[] {
  const kept = keptLines(oldLines, newLines);
  const changes: Change[] = [];
  let [oldStart, newStart] = [0, 0];
  for (const [oldLine, newLine] of [...kept, [oldLines.length, newLines.length]]) {
    if (oldLine > oldStart || newLine > newStart)
      changes.push({ oldStart, oldEnd: oldLine, newStart, newEnd: newLine });
    [oldStart, newStart] = [oldLine + 1, newLine + 1];
  }
  return changes;
}

/**
 * Pairs of indices of equal lines. The furthest line of the old text that is reached with each number of edits on each
 * diagonal is kept, and the path is followed back.
 *
 * @see http://www.xmailserver.org/diff2.pdf
 */
function keptLines(oldLines: readonly string[], newLines: readonly string[]): Array<[number, number]> {
  const furthest = new Map([[1, 0]]);
  const history: Map<number, number>[] = [];
  for (let edits = 0; ; edits++) {
    history.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isInsertion(furthest, diagonal, edits) ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1;
      while (x < oldLines.length && x - diagonal < newLines.length && oldLines[x] === newLines[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= oldLines.length && x - diagonal >= newLines.length)
        return followBack(history, oldLines.length, newLines.length);
    }
  }
}

function isInsertion(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return (
    diagonal === -edits ||
    (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1))
  );
}

function followBack(
  history: ReadonlyArray<ReadonlyMap<number, number>>,
  oldLength: number,
  newLength: number,
): Array<[number, number]> {
  const kept: Array<[number, number]> = [];
  let [x, y] = [oldLength, newLength];
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const furthest = history[edits];
    const diagonal = x - y;
    const from = isInsertion(furthest, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : furthest.get(from)!;
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) kept.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return kept.reverse();
}

/** Changes that are close to each other are shown together. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks[hunks.length - 1];
    if (last && change.oldStart - last[last.length - 1].oldEnd <= 2 * CONTEXT) last.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(changes: readonly Change[], oldLines: readonly string[], newLines: readonly string[]): string {
  const [first, last] = [changes[0], changes[changes.length - 1]];
  const lead = Math.min(CONTEXT, first.oldStart);
  const trail = Math.min(CONTEXT, oldLines.length - last.oldEnd);
  const [oldStart, oldCount] = [first.oldStart - lead, last.oldEnd + trail - first.oldStart + lead];
  const [newStart, newCount] = [first.newStart - lead, last.newEnd + trail - first.newStart + lead];
  let next = oldStart;
  const lines: string[] = [];
  for (const change of changes) {
    lines.push(...oldLines.slice(next, change.oldStart).map((line) => marked(' ', line)));
    lines.push(...oldLines.slice(change.oldStart, change.oldEnd).map((line) => marked('-', line)));
    lines.push(...newLines.slice(change.newStart, change.newEnd).map((line) => marked('+', line)));
    next = change.oldEnd;
  }
  lines.push(...oldLines.slice(next, next + trail).map((line) => marked(' ', line)));
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@\n${lines.join('')}`;
}

function range(start: number, count: number): string {
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

function marked(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
}
