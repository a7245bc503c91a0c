import { Option } from 'commander';
import { parseRequirements, printableLine, RequirementSpec, RequirementTextError } from '../../model';
import { UsageError } from '../io';

/** `--where` with requirements as text. Several are combined. */
export function whereOption(): Option {
  return new Option(
    '--where <requirements>',
    "only instance types that meet these requirements, for example 'family In [m7g,c7g] and cpu <= 8'; can be repeated",
  ).argParser(parseWhere);
}

function parseWhere(text: string, earlier: readonly RequirementSpec[] = []): RequirementSpec[] {
  try {
    return [...earlier, ...parseRequirements(text)];
  } catch (error) {
    if (!(error instanceof RequirementTextError)) throw error;
    throw new UsageError(`--where: ${error.message}`, underlined(error));
  }
}

/** The text on one line, and below it carets under the mistake. */
function underlined({ text, start, end }: RequirementTextError): string[] {
  const [before, wrong] = [text.slice(0, start), text.slice(start, end)].map((part) => printableLine(part));
  return [printableLine(text), `${' '.repeat(before.length)}${'^'.repeat(Math.max(1, wrong.length))}`];
}
