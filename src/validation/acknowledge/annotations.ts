import { asRecord } from '../../contract';
import { valueText } from '../../model';
import { ManifestObject } from '../manifest/model';
import { Acknowledgement, ACKNOWLEDGEMENT_RULE } from '../vocabulary/acknowledgement';
import { Finding } from '../vocabulary/verdict';

/** Key of the annotation that acknowledges findings about its own object. */
export const ACKNOWLEDGE_ANNOTATION = 'karpenter-constructs.dev/acknowledge';

const PATH = ['metadata', 'annotations', ACKNOWLEDGE_ANNOTATION];
/** Entries are separated by line breaks or semicolons. A semicolon within a reason is kept. */
const SEPARATOR = /\s*\n\s*|\s*;\s*(?=KARP-|$)/;
const ENTRY = /^(KARP-\d+)\s*=\s*(\S.*)$/;

/** Acknowledgements of one object. */
export interface ObjectAcknowledgements {
  readonly object: ManifestObject;
  readonly entries: readonly Acknowledgement[];
  /** Entries without a reason. */
  readonly refused: readonly Finding[];
}

export function annotatedAcknowledgements(objects: readonly ManifestObject[]): ObjectAcknowledgements[] {
  return objects.flatMap((object) => {
    const text = asRecord(object.raw.metadata?.annotations)?.[ACKNOWLEDGE_ANNOTATION];
    return text === undefined || text === null ? [] : [readAnnotation(object, valueText(text))];
  });
}

function readAnnotation(object: ManifestObject, text: string): ObjectAcknowledgements {
  const location = object.locate(PATH);
  const parts = text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const matches = parts.map((part) => ENTRY.exec(part));
  const entries = matches.flatMap((match): Acknowledgement[] =>
    match ? [{ rule: match[1], reason: match[2], location }] : [],
  );
  const invalid = parts.length === 0 ? [''] : parts.filter((_, index) => !matches[index]);
  return { object, entries, refused: invalid.map((part) => refusal(object, part)) };
}

function refusal(object: ManifestObject, part: string): Finding {
  const { apiVersion, kind, namespace, name } = object;
  const rule = /^KARP-\d+/.exec(part)?.[0] ?? 'KARP-401';
  return {
    ...ACKNOWLEDGEMENT_RULE,
    severity: 'warning',
    subject: { apiVersion, kind, namespace: namespace ?? '', name },
    location: object.locate(PATH),
    message: `${ACKNOWLEDGE_ANNOTATION} has the entry ${JSON.stringify(part)}, which is not a rule and a reason: it acknowledges nothing`,
    remedy: `write ${ACKNOWLEDGE_ANNOTATION}: "${rule}=<reason>"`,
    evidence: { entry: part },
  };
}
