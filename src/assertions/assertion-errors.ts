import { nearestName, shortListText, shownNumber } from '../model';

/** Throws the error of an assertion that does not hold, with the explanation below the claim. */
export function failAssertion(claim: string, explanation: string): never {
  throw new Error(`${claim}\n\n${explanation.trimEnd()}\n`);
}

/** Throws if there is a reason why the claim cannot be evaluated. */
export function requireEvaluated(claim: string, reasons: readonly string[]): void {
  if (reasons.length > 0)
    throw new Error(`${claim}: cannot be evaluated:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}\n`);
}

export function requireCount(parameter: string, count: number, minimum: number): void {
  if (Number.isInteger(count) && count >= minimum) return;
  throw new Error(
    `${parameter}: must be a whole number of at least ${minimum}, got ${shownNumber(count)}; write for example ${minimum + 1}`,
  );
}

/**
 * Throws the error for an argument that names nothing.
 *
 * @param kind of the named thing, as the message calls it: `NodePool`
 * @param aliases other names that are accepted, and therefore suggested too
 */
export function unknownName(
  parameter: string,
  kind: string,
  name: string,
  names: readonly string[],
  aliases: readonly string[] = [],
): never {
  const suggestion = nearestName(name, [...names, ...aliases]);
  const remedy =
    suggestion !== undefined
      ? `did you mean ${suggestion}?`
      : names.length === 0
        ? `the input has no ${kind}`
        : `there is ${shortListText(names)}`;
  throw new Error(`${parameter}: there is no ${kind} ${JSON.stringify(name)}; ${remedy}`);
}
