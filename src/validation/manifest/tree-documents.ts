import { DocumentPart } from './document-parts';
import { DocumentProblem } from './document-problem';
import { DocumentTree, readTrees, rootOf } from './document-trees';
import { PlacedDocument, ReadDocuments } from './placed-document';
import { TreePlaces } from './tree-places';

/** Documents of any kind. One with errors is left out, and told. */
export function readWithTrees(part: DocumentPart): ReadDocuments {
  const problems: DocumentProblem[] = [];
  const documents = Array.from(readTrees(part.text, problems), (tree) => placed(part, tree));
  return { documents, problems };
}

function placed({ text, start }: DocumentPart, { root, value, range: [from, to] }: DocumentTree): PlacedDocument {
  const document = new PlacedDocument(value, start, to - from, () => new TreePlaces(rootOf(text.slice(from, to)), from));
  return document.with(new TreePlaces(root, 0));
}
