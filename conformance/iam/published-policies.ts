import { readFileSync } from 'fs';
import { join } from 'path';

/** A statement as upstream writes it: one item of a list may stand without the list. */
export type PublishedStatement = Readonly<Record<string, unknown>> & { readonly Sid: string };

interface PublishedRelease {
  readonly release: string;
  readonly source: string;
  /** Statements of each policy by their names, where there is more than one policy. */
  readonly policies?: Readonly<Record<string, readonly string[]>>;
  /** Those that differ from the release before. */
  readonly statements: readonly PublishedStatement[];
}

/** What upstream publishes for a release, as it was read from its page. */
export interface PublishedPolicies {
  readonly release: string;
  readonly source: string;
  readonly policies?: Readonly<Record<string, readonly string[]>>;
  readonly statements: readonly PublishedStatement[];
}

const RECORD: readonly PublishedRelease[] = JSON.parse(readFileSync(join(__dirname, 'published-policies.json'), 'utf8')).releases;

/** Oldest first, each with all its statements, by their names. */
export function publishedPolicies(): PublishedPolicies[] {
  const known = new Map<string, PublishedStatement>();
  return RECORD.map(({ release, source, policies, statements }) => {
    for (const statement of statements) known.set(statement.Sid, statement);
    return { release, source, policies, statements: [...known.values()].sort((a, b) => (a.Sid < b.Sid ? -1 : 1)) };
  });
}
