/** The lines of a diff with up to `context` unchanged lines around each change, and `…` between the parts. */
export function lineDiff(before: readonly string[], after: readonly string[], context: number): string[] {
  const rows = editsOf(before, after);
  const near = rows.map((_, index) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  return rows.flatMap(({ sign, line }, index) => {
    if (near[index]) return [`${sign} ${line}`.trimEnd()];
    return index > 0 && near[index - 1] && near.indexOf(true, index) >= 0 ? ['  …'] : [];
  });
}

interface Edit {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** A shortest edit script, by the longest common subsequence: the texts have few lines. */
function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      edits.push({ sign: ' ', line: before[i++] });
      j++;
    } else if (i < before.length && (j === after.length || common[i + 1][j] >= common[i][j + 1])) {
      edits.push({ sign: '-', line: before[i++] });
    } else {
      edits.push({ sign: '+', line: after[j++] });
    }
  }
  return edits;
}
