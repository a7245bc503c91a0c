import { readFileSync } from 'fs';
import { join } from 'path';

/** A statement as upstream writes it: a list of one item may be written as the item. */
export type PublishedStatement = Readonly<Record<string, unknown>> & { readonly Sid: string };

interface PublishedRelease {
  readonly release: string;
  readonly source: string;
  /** Names of the statements of each policy, if there are several policies. */
  readonly policies?: Readonly<Record<string, readonly string[]>>;
  /** Statements that differ from the release before. */
  readonly statements: readonly PublishedStatement[];
}

/** The policies that upstream publishes for a release, read from its page. */
export interface PublishedPolicies {
  readonly release: string;
  readonly source: string;
  readonly policies?: Readonly<Record<string, readonly string[]>>;
  readonly statements: readonly PublishedStatement[];
}

const RECORD: readonly PublishedRelease[] = JSON.parse(
  readFileSync(join(__dirname, 'published-policies.json'), 'utf8'),
).releases;

/** All releases, oldest first, each with all its statements by name. */
export function publishedPolicies(): PublishedPolicies[] {
  const known = new Map<string, PublishedStatement>();
  return RECORD.map(({ release, source, policies, statements }) => {
    for (const statement of statements) known.set(statement.Sid, statement);
    return { release, source, policies, statements: [...known.values()].sort((a, b) => (a.Sid < b.Sid ? -1 : 1)) };
  });
}
