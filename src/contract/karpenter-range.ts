import {
  compareKarpenterVersions,
  NEWEST_KARPENTER_VERSION,
  OLDEST_KARPENTER_VERSION,
  parseKarpenterVersion,
} from './karpenter-version';
import { KARPENTER_RELEASES } from './schema';

type Release = readonly [major: number, minor: number, patch: number];
type Test = (release: Release) => boolean;

/** The last minor version before 1.0. */
const LAST_MINOR_BEFORE_V1 = 37;
const LONGEST_RANGE = 200;
const PLAIN_VERSION = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;
const COMPARISON = /^(=|!=|>=|=>|<=|=<|>|<|~|~>|\^)?v?(\d{1,6}|[xX*])(?:\.(\d{1,6}|[xX*]))?(?:\.(\d{1,6}|[xX*]))?$/;

/**
 * The newest release that a range of chart versions allows, such as 1.9.3 for `1.9.*`: the one that Helm, Flux and
 * Argo CD install. Of a minor version without a known patch release, the first release is taken. Undefined for what is
 * no range, or allows no known release.
 *
 * @see https://github.com/Masterminds/semver#checking-version-constraints
 */
export function newestReleaseIn(range: string): string | undefined {
  if (range.length > LONGEST_RANGE) return undefined;
  const alternatives = range.split('||').map(testsOf);
  if (alternatives.some((tests) => tests === undefined)) return undefined;
  const named = [...range.matchAll(/\d{1,6}\.\d{1,6}\.\d{1,6}/g)].map(([version]) => version);
  return [...candidates(), ...named]
    .sort(compareKarpenterVersions)
    .reverse()
    .find((version) => {
      const release = parseKarpenterVersion(version)!;
      return alternatives.some((tests) => tests!.every((test) => test(release)));
    });
}

/** Whether a range allows a version without a suffix. Undefined for what is no range, or no such version. */
export function rangeAllows(range: string, version: string): boolean | undefined {
  const [, ...numbers] = PLAIN_VERSION.exec(version) ?? [];
  const alternatives = range.length > LONGEST_RANGE ? [undefined] : range.split('||').map(testsOf);
  if (numbers.length === 0 || alternatives.some((tests) => tests === undefined)) return undefined;
  const [major, minor, patch] = numbers.map(Number);
  return alternatives.some((tests) => tests!.every((test) => test([major, minor, patch])));
}

/** A release of each minor version up to the newest known one. */
function candidates(): string[] {
  const [major, newestMinor] = parseKarpenterVersion(NEWEST_KARPENTER_VERSION)!;
  const [, oldestMinor] = parseKarpenterVersion(OLDEST_KARPENTER_VERSION)!;
  const current = Array.from({ length: newestMinor - oldestMinor + 1 }, (_, index) => {
    const minor = `${major}.${oldestMinor + index}.`;
    return KARPENTER_RELEASES.find((release) => release.startsWith(minor)) ?? `${minor}0`;
  });
  return [...Array.from({ length: LAST_MINOR_BEFORE_V1 + 1 }, (_, minor) => `0.${minor}.0`), ...current];
}

/** The comparisons that all have to be true; undefined for what is none. */
function testsOf(text: string): Test[] | undefined {
  const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(text);
  const parts = hyphen
    ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`]
    : text
        .trim()
        .replace(/([=<>~^!])\s+/g, '$1')
        .split(/[\s,]+/)
        .filter((part) => part !== '');
  const tests = parts.map(testOf);
  return tests.length > 0 && tests.every((test) => test !== undefined) ? tests : undefined;
}

function testOf(text: string): Test | undefined {
  const match = COMPARISON.exec(text);
  if (!match) return undefined;
  const [, operator = '', ...steps] = match;
  const isAny = (step: string | undefined) => step === undefined || /^[xX*]$/.test(step);
  const length = steps.findIndex(isAny);
  const given = steps.slice(0, length < 0 ? steps.length : length).map(Number);
  const [major = 0, minor = 0, patch = 0] = given;
  const low: Release = [major, minor, patch];
  // The first release above all versions that begin with the given numbers.
  const next = (count: number): Release =>
    count === 0
      ? [Infinity, 0, 0]
      : count === 1
        ? [major + 1, 0, 0]
        : count === 2
          ? [major, minor + 1, 0]
          : [major, minor, patch + 1];
  const between =
    (end: Release): Test =>
    (release) =>
      compare(release, low) >= 0 && compare(release, end) < 0;
  const same = between(next(given.length));
  switch (operator) {
    case '':
    case '=':
      return same;
    case '!=':
      return (release) => !same(release);
    case '>':
      return (release) => compare(release, next(given.length)) >= 0;
    case '>=':
    case '=>':
      return (release) => compare(release, low) >= 0;
    case '<':
      return (release) => compare(release, low) < 0;
    case '<=':
    case '=<':
      return (release) => compare(release, next(given.length)) < 0;
    case '^':
      return between(next(major > 0 ? Math.min(given.length, 1) : Math.min(given.length, minor > 0 ? 2 : 3)));
    default:
      return between(next(Math.min(given.length, 2)));
  }
}

function compare(left: Release, right: Release): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
