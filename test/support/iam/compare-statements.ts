import { PublishedStatement } from './published-policies';
import { IamStatement } from '../../../src/contract';

type Loose = Readonly<Record<string, unknown>>;

/** Differences between our statements and upstream's, one sentence each. The order of lists does not matter to IAM. */
export function compareStatements(ours: readonly IamStatement[], upstream: readonly PublishedStatement[]): string[] {
  const bySid = (statements: readonly Loose[]) =>
    new Map(statements.map((statement) => [String(statement.Sid), statement]));
  const [left, right] = [bySid(ours as unknown as readonly Loose[]), bySid(upstream)];
  return [...new Set([...left.keys(), ...right.keys()])].sort().flatMap((sid) => {
    const [mine, theirs] = [left.get(sid), right.get(sid)];
    if (!mine) return [`${sid}: upstream has it, and we do not`];
    if (!theirs) return [`${sid}: we have it, and upstream does not`];
    return ['Effect', 'Action', 'Resource', 'Condition'].flatMap((part) =>
      comparePart(`${sid}: ${part}`, mine[part], theirs[part]),
    );
  });
}

function comparePart(name: string, ours: unknown, upstream: unknown): string[] {
  if (isMap(ours) || isMap(upstream)) {
    const [left, right] = [asMap(ours), asMap(upstream)];
    return [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .sort()
      .flatMap((key) => comparePart(`${name} ${key}`, left[key], right[key]));
  }
  const [left, right] = [asList(ours), asList(upstream)];
  const missing = right.filter((value) => !left.includes(value));
  const added = left.filter((value) => !right.includes(value));
  return [
    ...missing.map((value) => `${name}: upstream has ${value}, and we do not`),
    ...added.map((value) => `${name}: we have ${value}, and upstream does not`),
  ];
}

function isMap(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asMap(value: unknown): Loose {
  return isMap(value) ? value : {};
}

function asList(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
