import { Document, Node, YAMLMap } from 'yaml';
import { WRITTEN_NUMBER_TAG } from './written-number';

/** YAML text of a node, as one document without a marker. It ends with a line break. */
export function render(node: Node): string {
  const document = new Document(null, { customTags: [WRITTEN_NUMBER_TAG] });
  document.contents = node as never;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Lines of comment, without the `#`, that say fields which are not written any more. */
export function renderAsComment(fields: YAMLMap): string[] {
  return render(fields).trimEnd().split('\n').map((line) => line === '' ? '' : ` ${line}`);
}
