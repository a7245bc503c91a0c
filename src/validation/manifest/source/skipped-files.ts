import { asRecord } from '../../../contract';
import { SourceFile } from '../model';
import { recordsOf } from '../records';
import { findUnreadable, SourceText } from './source-text';
import { readDocuments } from '../yaml/documents';

/** How many of the files that were found in folders have no Kubernetes object and no CloudFormation template. */
export function countFilesWithoutObjects(files: readonly SourceFile[]): number {
  return files.filter((file) => file.isFound === true && file.trace === undefined && !hasObject(file)).length;
}

function hasObject(file: SourceFile): boolean {
  if (findUnreadable(file)) return /^\s*(?:- +)?"?apiVersion"?\s*:/m.test(file.text);
  return recordsOf(readDocuments(new SourceText(file)).documents.map(({ value }) => value)).some(
    ({ apiVersion, kind, Resources }) =>
      (typeof apiVersion === 'string' && typeof kind === 'string') || asRecord(Resources) !== undefined,
  );
}
