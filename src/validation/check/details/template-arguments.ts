import { SourceText } from '../../manifest/source/source-text';
import { SourceFile } from '../../vocabulary/source-file';
import { Finding } from '../../vocabulary/verdict';
import { PlacedFindings } from '../charts/written-places';

/** A name of a template that stands alone in an expression, or in the call of a function. */
const NAME = /\$\{(?:\w+\()?\s*(\w+)[^{}]*\}/g;
const REFERENCE = /\$\{((?:module|local|var|data|aws_\w+)\.[\w.[\]-]+)\}/g;

/**
 * Moves findings about a value that a call of `templatefile` gives to the argument of the call: an edit of the template
 * would not help, because its names stand for the arguments.
 */
export function atTemplateArguments<Placed extends Finding>(
  findings: readonly Placed[],
  sources: readonly SourceFile[],
): PlacedFindings<Placed> {
  const templates = sources.filter(({ filledFrom }) => filledFrom !== undefined);
  if (templates.length === 0) return { findings, files: [] };
  const files: SourceFile[] = [];
  const placed = findings.map((finding): Placed => {
    const { location, related, remedy } = finding;
    for (const source of templates) {
      if (source.path !== location.file) continue;
      const offset = offsetOf(finding, source);
      if (offset === undefined) continue;
      const { file } = source.filledFrom!;
      files.push(file);
      return {
        ...finding,
        location: { ...location, file: file.path, ...new SourceText(file).position(offset) },
        remedy: remedy.replace(REFERENCE, '$1'),
        related: related ?? { location, label: 'the template has the value here' },
      };
    }
    return finding;
  });
  return { findings: placed, files };
}

/** The argument whose value the message names and the line of the finding has. */
function offsetOf({ location, message }: Finding, { text, written = '', filledFrom }: SourceFile): number | undefined {
  const [before, after] = [written, text].map((one) => one.split('\n')[location.line - 1] ?? '');
  const matches = [...before.matchAll(NAME)];
  const [match] = matches;
  if (before === after || matches.length !== 1) return undefined;
  const end = before.length - match.index - match[0].length;
  const value = after.slice(match.index, after.length - end);
  const parts = value.startsWith('[') ? value.split(/[^\w.*-]+/) : [value];
  const isNamed = parts.some((part) => part !== '' && message.includes(part));
  return isNamed && Object.hasOwn(filledFrom!.offsets, match[1]) ? filledFrom!.offsets[match[1]] : undefined;
}
