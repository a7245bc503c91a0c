import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FieldPath } from '../field-problem';
import { childSchema } from './cel-value';
import { applyChanges, OlderReleaseFile, ReleaseFile } from './release-file';
import { KARPENTER_RELEASES, releaseFor } from './releases';
import { KindSchema, Schema } from './schema';

const FOLDER = join(__dirname, '../../../data/karpenter-api');
const loaded = new Map<string, readonly KindSchema[]>();

/** The kinds that a version of Karpenter for AWS serves. */
export function kindsOf(version: string): readonly KindSchema[] {
  const release = releaseFor(version);
  const known = loaded.get(release);
  if (known) return known;
  const file = JSON.parse(readFileSync(join(FOLDER, `${release}.json`), 'utf8')) as ReleaseFile | OlderReleaseFile;
  const kinds = 'kinds' in file ? file.kinds : applyChanges(kindsOf(file.newest), file.changes);
  loaded.set(release, kinds);
  return kinds;
}

export function findKind(kinds: readonly KindSchema[], apiVersion: unknown, kind: unknown): KindSchema | undefined {
  return kinds.find((candidate) => candidate.apiVersion === apiVersion && candidate.kind === kind);
}

/** The oldest release with a field, of those whose CRDs are here; nothing if none has it. */
export function releaseWithField({ apiVersion, kind }: KindSchema, path: FieldPath): string | undefined {
  return KARPENTER_RELEASES.find((release) => {
    const found = findKind(kindsOf(release), apiVersion, kind);
    return found !== undefined && schemaAt(found.schema, path) !== undefined;
  });
}

export function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  return path.reduce<Schema | undefined>((at, step) => typeof step === 'number' ? at?.items : childSchema(at, step), schema);
}
