import { withFixes } from './apply-fixes';
import { SourceFile } from '../manifest/model';
import { Finding, Fix } from '../vocabulary/verdict';

/** A fix may show what another mistake has hidden. More rounds than this would mean that fixes undo each other. */
const MAX_ROUNDS = 20;

export interface AppliedFix extends Pick<Fix, 'title' | 'file'> {
  readonly rule: string;
  /** In the file as it was when the fix was made. */
  readonly line: number;
}

export interface FixedFiles {
  /** All files, in the order in which they were given. Files without fixes are the same objects. */
  readonly files: readonly SourceFile[];
  /** Sorted by file and line. */
  readonly applied: readonly AppliedFix[];
}

/**
 * Makes the safe fixes of all findings, checks again, and repeats that until no fix is left.
 *
 * @param findingsIn the findings of files
 */
export function fixFiles(
  given: readonly SourceFile[],
  findingsIn: (files: readonly SourceFile[]) => readonly Finding[],
): FixedFiles {
  let files = given;
  const applied: AppliedFix[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const findings = findingsIn(files).filter(({ fix }) => fix?.safe === true);
    const result = files.map((file) => {
      const fixes = findings.flatMap(({ fix }) => (fix?.file === file.path ? [fix] : []));
      return fixes.length === 0 ? { file, applied: [] } : withFixes(file, fixes);
    });
    if (result.every((part) => part.applied.length === 0)) break;
    files = result.map((part) => part.file);
    applied.push(
      ...result
        .flatMap((part) => part.applied)
        .map((fix): AppliedFix => {
          const { rule } = findings.find((finding) => finding.fix === fix)!;
          return { rule, file: fix.file, line: fix.edits[0].line, title: fix.title };
        }),
    );
  }
  const position = new Map(given.map(({ path }, index) => [path, index]));
  return {
    files,
    applied: applied.sort(
      (left, right) => position.get(left.file)! - position.get(right.file)! || left.line - right.line,
    ),
  };
}
