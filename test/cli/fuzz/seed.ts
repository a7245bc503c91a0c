/** Files of a folder, and command lines that read them. `.` in an argument is the folder. */
export interface Seed {
  readonly files: Readonly<Record<string, string>>;
  readonly commands: ReadonlyArray<readonly string[]>;
}

export const CHECKS: ReadonlyArray<readonly string[]> = [
  ['check', '.'],
  ['check', '.', '--format', 'json'],
  ['check', '.', '--format', 'sarif'],
  ['check', '.', '--format', 'markdown', '--explain'],
  ['check', '.', '--each', '--verbose'],
];
