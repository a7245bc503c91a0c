/**
 * Writes data/karpenter-api/ and data/karpenter-cel.json from the CRDs in the Go modules of Karpenter for AWS. The
 * modules must be in Go's module cache: `go mod download github.com/aws/karpenter-provider-aws@v<release>`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { json } from './generate-json';
import type { CelNode } from '../src/contract/cel/evaluate';
import { parseRule } from '../src/contract/cel/parse-rule';
import { crdKinds, kindsByName, OlderReleaseFile, ReleaseFile, KARPENTER_RELEASES } from '../src/contract/schema/crd';
import type { KindSchema, Schema } from '../src/contract/schema/schema';

type Change = OlderReleaseFile['changes'][number];

function readRelease(release: string): KindSchema[] {
  const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
  const folder = join(cache, 'github.com/aws', `karpenter-provider-aws@v${release}`, 'pkg/apis/crds');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => crdKinds(parse(readFileSync(join(folder, file), 'utf8'))))
    .filter(({ apiVersion }) => !LEFT_OUT.includes(apiVersion));
}

/** Versions that Karpenter 1.0 serves in addition to v1. This package judges v1. */
const LEFT_OUT = ['karpenter.sh/v1beta1', 'karpenter.k8s.aws/v1beta1'];

/** The difference from one tree to the other: changed values, and removed paths without a value. */
function differences(from: unknown, to: unknown, at: readonly string[] = []): Change[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (!isPlain(from) || !isPlain(to)) return [{ at, value: to }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].sort().flatMap((key): Change[] => {
    if (!Object.hasOwn(to, key)) return [{ at: [...at, key] }];
    return Object.hasOwn(from, key)
      ? differences(from[key], to[key], [...at, key])
      : [{ at: [...at, key], value: to[key] }];
  });
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rulesOf(schema: Schema): string[] {
  const children = [
    ...Object.values(schema.properties ?? {}),
    ...[schema.items, schema.additionalProperties].filter((child): child is Schema => typeof child === 'object'),
  ];
  return [...(schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule), ...children.flatMap(rulesOf)];
}

const releases = KARPENTER_RELEASES.map((release) => ({ release, kinds: readRelease(release) }));
const newest = releases[releases.length - 1];
const folder = join(__dirname, 'karpenter-api');
for (const { release, kinds } of releases) {
  const content: ReleaseFile | OlderReleaseFile =
    release === newest.release
      ? { release, kinds }
      : { release, newest: newest.release, changes: differences(kindsByName(newest.kinds), kindsByName(kinds)) };
  writeFileSync(join(folder, `${release}.json`), json(content));
}
const rules = [...new Set(releases.flatMap(({ kinds }) => kinds.flatMap(({ schema }) => rulesOf(schema))))].sort();
const table: Record<string, CelNode> = Object.fromEntries(rules.map((rule) => [rule, parseRule(rule)]));
writeFileSync(join(__dirname, 'karpenter-cel.json'), json(table));
