import { Event, EVENT_ID, parseEvents, YAMLException } from 'js-yaml';
import { DocumentPart } from './document-parts';
import { EventPositions } from './event-positions';
import { EventDocument, EventValueReader, UncommonDocumentError } from './event-values';
import { PositionCache, PositionedDocument, ReadDocuments } from './source-document';

/** Tabs, and characters that YAML readers treat differently: as a line end, or as an error. */
const UNCOMMON_CHARACTERS = /[^\n\r\x20-\x7e\xa1-\u1fff\u2030-\u2fff\u3001-\ud7ff]|\r(?!\n)/;
/** js-yaml takes an indented `---` for the start of a document, and accepts text after `...` on the same line. */
const UNCOMMON_MARKER = /(?:^|\n)(?: +---|\.\.\.)(?:[ \t\r\n]|$)/;
/** An escaped line break before an empty line in double quotes: YAML libraries disagree about its value. */
const ESCAPED_BREAK = /\\\r?\n *\r?\n/;
/** `|2`: YAML libraries also disagree about lines of spaces in a block scalar with a stated indentation. */
const STATED_INDENT = /[|>][-+]?[1-9][-+]? *(?:#.*)?(?:\r?\n|$)/;
const UNCOMMON = [UNCOMMON_CHARACTERS, UNCOMMON_MARKER, ESCAPED_BREAK, STATED_INDENT];
/** Nesting levels: far more than manifests have. */
const MAX_DEPTH = 200;

/**
 * Reads documents from a flat list of parser events, five times faster than from a syntax tree.
 *
 * Undefined if the text has errors or uses a feature that few manifests use: `readWithTrees` reads those.
 */
export function readWithEvents(part: DocumentPart, cache = new PositionCache()): ReadDocuments | undefined {
  const events = eventsOf(part.text);
  if (!events) return undefined;
  const reader = new EventValueReader(part.text, events);
  try {
    return {
      documents: reader.readAll().map((document) => positioned(part, document, events, cache)),
      problems: reader.problems,
    };
  } catch (error) {
    if (error instanceof UncommonDocumentError) return undefined;
    throw error;
  }
}

function positioned(
  { text, start }: DocumentPart,
  { value, root }: EventDocument,
  events: readonly Event[],
  cache: PositionCache,
): PositionedDocument {
  const positions = new EventPositions(text, events, root);
  return new PositionedDocument(
    value,
    start,
    [start, start + text.length],
    cache,
    positions,
    () => new EventPositions(text, eventsOf(text)!, root),
  );
}

/** Undefined if the text has errors, tags, anchors, aliases or one of the uncommon notations. */
function eventsOf(text: string): readonly Event[] | undefined {
  if (UNCOMMON.some((pattern) => pattern.test(text))) return undefined;
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    return events.some(isUncommon) ? undefined : events;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

function isUncommon(event: Event): boolean {
  switch (event.type) {
    case EVENT_ID.ALIAS:
      return true;
    case EVENT_ID.SCALAR:
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.tagStart >= 0 || event.anchorStart >= 0;
    default:
      return false;
  }
}
