import type { Event } from 'js-yaml';
import { DocumentPart } from './document-parts';
import { EventPlaces } from './event-places';
import { EventDocument, EventValueReader, UncommonDocument } from './event-values';
import { eventsOf } from './events';
import { PlacedDocument, ReadDocuments } from './placed-document';

/** Documents as nearly all are. Undefined for others, and for what has errors: those are read with their trees. */
export function readByEvents(part: DocumentPart): ReadDocuments | undefined {
  const events = eventsOf(part.text);
  if (!events) return undefined;
  const reader = new EventValueReader(part.text, events);
  try {
    return { documents: reader.readAll().map((document) => placed(part, document, events)), problems: reader.problems };
  } catch (error) {
    if (error instanceof UncommonDocument) return undefined;
    throw error;
  }
}

function placed({ text, start }: DocumentPart, { value, event }: EventDocument, events: readonly Event[]): PlacedDocument {
  const document = new PlacedDocument(value, start, text.length, () => new EventPlaces(text, eventsOf(text)!, event));
  return document.with(new EventPlaces(text, events, event));
}
