import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isMap, merge, withValue } from './json-path';
import { nodes, trimmed } from './schema-walk';
import { variants } from './variants';
import { KindSchema, kindsOf } from '../../../src/contract';

export type KubernetesObject = Readonly<Record<string, unknown>>;

/** An object that both sides validate. */
export interface Case {
  /** The name of the case, unique within a release. */
  readonly name: string;
  readonly object: KubernetesObject;
  /** The only field in which the object differs from its accepted base. */
  readonly field?: string;
}

interface CorpusFile {
  readonly bases: Readonly<Record<string, KubernetesObject>>;
  /** By base: patches by name. */
  readonly written: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const FOLDER = join(__dirname, 'corpus');

function files(): CorpusFile[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const { bases, ...written } = parse(readFileSync(join(FOLDER, file), 'utf8')) as {
        bases: CorpusFile['bases'];
      } & CorpusFile['written'];
      return { bases, written };
    });
}

/** Every object of the corpus for a release, with only the kinds and fields that the release has. */
export function corpus(release: string): Case[] {
  return files().flatMap((file) => {
    const [first] = Object.values(file.bases);
    const kind = kindsOf(release).find(
      (candidate) => candidate.apiVersion === first.apiVersion && candidate.kind === first.kind,
    );
    return kind ? [...baseCases(file, kind), ...generatedCases(file, kind), ...writtenCases(file, kind)] : [];
  });
}

function baseCases({ bases }: CorpusFile, kind: KindSchema): Case[] {
  return Object.entries(bases).map(([name, object]) => ({
    name: `${kind.kind} ${name}`,
    object: trimmedObject(object, kind),
  }));
}

function trimmedObject({ metadata, ...object }: KubernetesObject, kind: KindSchema): KubernetesObject {
  const { apiVersion, kind: name, ...rest } = trimmed(object, kind.schema) as Record<string, unknown>;
  return { apiVersion, kind: name, metadata, ...rest };
}

/** Cases made from the schema: all variants of each field, at its first occurrence. */
function generatedCases(file: CorpusFile, kind: KindSchema): Case[] {
  const cases = new Map<string, Case>();
  for (const { object } of baseCases(file, kind)) {
    for (const { field, path, value, schema } of nodes(object, kind)) {
      for (const variant of variants(value, schema)) {
        const name = `${kind.kind} ${field}: ${variant.name}`;
        if (!cases.has(name))
          cases.set(name, { name, field, object: withValue(object, path, variant.value) as KubernetesObject });
      }
    }
  }
  return [...cases.values()];
}

/** Cases written by hand, the same for every release. */
function writtenCases({ bases, written }: CorpusFile, kind: KindSchema): Case[] {
  return Object.entries(written).flatMap(([base, patches]) =>
    Object.entries(patches).map(([name, patch]) => {
      if (!Object.hasOwn(bases, base) || !isMap(patch))
        throw new Error(`corpus: ${kind.kind}: ${base}: ${name}: no patch of a base`);
      return { name: `${kind.kind} by hand: ${name}`, object: merge(bases[base], patch) as KubernetesObject };
    }),
  );
}
