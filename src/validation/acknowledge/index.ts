export { acknowledgeFindings, isBaselined, severitySentences, unmatchedEntries } from './acknowledge';
export type { Acknowledgement, AcknowledgeOptions, BaselineEntry } from '../vocabulary/acknowledgement';
export { ACKNOWLEDGE_ANNOTATION } from './annotations';
export { parseBaseline, renderBaseline } from './baseline';
export { isSubject } from './acknowledge';
