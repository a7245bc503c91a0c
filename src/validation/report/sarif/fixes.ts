import type { Fix as SarifFix } from 'sarif';
import { artifactOf } from './locations';
import { Fix } from '../../vocabulary/verdict';

/** A fix for editors. The format cannot say that a fix may change the meaning, so the description does. */
export function sarifFix({ title, file, safe, edits }: Fix, root: string): SarifFix {
  return {
    description: { text: safe ? title : `${title} (check that this is what you want)` },
    artifactChanges: [
      {
        artifactLocation: artifactOf(file, root),
        replacements: edits.map(({ line, column, endLine, endColumn, text }) => ({
          deletedRegion: { startLine: line, startColumn: column, endLine, endColumn },
          ...(text === '' ? {} : { insertedContent: { text } }),
        })),
      },
    ],
  };
}
