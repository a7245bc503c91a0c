import { inlineText } from './value-text';
import { FieldEdit, FieldPath, formatFieldPath } from '../../../contract';

const MAX_LENGTH = 100;

/** What the edits do, in the imperative. */
export function fixTitle(edits: readonly FieldEdit[]): string {
  const isReplaced = (path: FieldPath) =>
    edits.some((edit) => edit.operation === 'rename' && formatFieldPath(edit.path) === formatFieldPath(path));
  const texts = edits.flatMap((edit) =>
    edit.operation === 'set' && isReplaced(edit.path) ? [] : [textOf(edit, edits)],
  );
  const title = texts
    .map((text, index) => (index > 0 && texts[index - 1].startsWith('write ') ? text.replace(/^write /, '') : text))
    .join(', ');
  return title.length > MAX_LENGTH ? `${title.slice(0, MAX_LENGTH)}…` : title;
}

function textOf(edit: FieldEdit, edits: readonly FieldEdit[]): string {
  const name = nameOf(edit.path);
  switch (edit.operation) {
    case 'rename': {
      const set = edits.find(
        (other) => other.operation === 'set' && formatFieldPath(other.path) === formatFieldPath(edit.path),
      );
      return set?.operation === 'set'
        ? `write ${edit.to}: ${inlineText(set.value, 'yaml')} instead of ${name}`
        : `rename ${name} to ${edit.to}`;
    }
    case 'set':
      return `write ${name}: ${inlineText(edit.value, 'yaml')}`;
    case 'append':
      return `add ${inlineText(edit.value, 'yaml')} to ${name}`;
    case 'remove':
      return `remove ${name}`;
    case 'quote':
      return `put ${name} in quotes`;
  }
}

/** The field's name, with its indices if it is an item of a list. The name of a resource or label has its map, too. */
function nameOf(path: FieldPath): string {
  const last = path.map((step) => typeof step === 'string').lastIndexOf(true);
  const isQuoted = /[./]/.test(String(path[last]));
  return formatFieldPath(path.slice(Math.max(0, isQuoted ? last - 1 : last)));
}
