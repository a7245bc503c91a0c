import { Layout } from './layout';
import { moreText } from '../../../model';
import { displayName, messageWithObject, placeOf } from '../../vocabulary/subject';
import { Excerpt, Finding, RelatedPlace } from '../../vocabulary/verdict';
import { groupByMessage } from '../finding-groups';
import { omittedText, PRINT_ALL } from '../wording';

/** The most errors with a frame, in all and of one rule. */
const MAX_FRAMES = 10;
const MAX_FRAMES_OF_RULE = 3;
/** The most other places of the same error that are named. */
const MAX_PLACES = 3;
/** The most lines of a remedy. */
const MAX_HELP_LINES = 3;
/** Source lines before the line of the finding. */
const LINES_BEFORE = 1;
/** A key, a quoted text, or a list or map up to the end of the line. */
const WORD = /^(?:"[^"]*"|'[^']*'|[\w./$-]+|[[{].*\S|\S)/;

/** Errors with their source lines, one block each. Errors that differ only in object and place are one block. */
export function describeErrors(findings: readonly Finding[], layout: Layout): string[] {
  const groups = groupByMessage(findings.filter(({ severity }) => severity === 'error'));
  const printed = layout.verbose ? groups : firstOfEachRule(groups).slice(0, MAX_FRAMES);
  const left = groups.filter((group) => !printed.includes(group)).flat().length;
  return [
    ...printed.map((group) => frameOf(group, layout)),
    ...(left === 0 ? [] : [omittedText(left, 'error', PRINT_ALL)]),
  ];
}

function firstOfEachRule(groups: readonly Finding[][]): Finding[][] {
  const counts = new Map<string, number>();
  return groups.filter(([{ rule }]) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count <= MAX_FRAMES_OF_RULE;
  });
}

function helpText(text: string, layout: Layout): string {
  return layout.verbose ? layout.wrap(text) : layout.firstLines(text, MAX_HELP_LINES);
}

function frameOf([finding, ...others]: readonly Finding[], layout: Layout): string {
  const {
    location: { file, line, column },
    excerpt,
    related,
  } = finding;
  const gutter = ' '.repeat(String(Math.max(line, related?.location.line ?? 0)).length);
  const { colors } = layout;
  return [
    layout.wrap(`${frameTitle(finding, others.length + 1, layout)} ${messageWithObject(finding)}`),
    ...(file === '' ? [] : [`${gutter}${colors.cyan('-->')} ${displayName(file)}:${line}:${column}`]),
    ...(excerpt === undefined ? [] : excerptLines(excerpt, finding.location, '^', gutter, layout)),
    ...(related === undefined || others.length > 0 ? [] : relatedLines(related, gutter, layout)),
    ...(others.length === 0 ? [] : [layout.wrap(`${gutter} = also: ${placesText(others, file, MAX_PLACES, layout)}`)]),
    helpText(`${gutter} = help: ${instructionOf(finding)}`, layout),
  ].join('\n');
}

/** The title of a safe fix names the field. A remedy with both values says more. */
export function instructionOf({ fix, remedy }: Finding): string {
  return fix?.safe && !remedy.includes(' instead of ') ? fix.title : remedy;
}

/** `error[KARP-306]:`, or `warning[KARP-402] × 14:`. */
export function frameTitle({ rule, severity }: Finding, count: number, { colors }: Layout): string {
  const paint = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity];
  return `${colors.bold(paint(`${severity}[${rule}]`))}${count === 1 ? '' : ` × ${count}`}:`;
}

/** `shop/web (line 12), shop/api (b.yaml:3) and 4 more`. @param file whose name is left out */
export function placesText(findings: readonly Finding[], file: string, max: number, { verbose }: Layout): string {
  const printed = verbose ? findings : findings.slice(0, max);
  const places = printed.map((finding) => placeOf(finding, file));
  const left = findings.length - printed.length;
  return left === 0 ? places.join(', ') : `${places.join(', ')} and ${moreText(left)}`;
}

/** The second place of a finding, with what it has to do with it. */
function relatedLines({ location, label, excerpt }: RelatedPlace, gutter: string, layout: Layout): string[] {
  const { file, line, column } = location;
  if (file === '') return [];
  return [
    layout.wrap(`${gutter}${layout.colors.cyan('::')} ${displayName(file)}:${line}:${column}: ${label}`),
    ...(excerpt === undefined ? [] : excerptLines(excerpt, location, '-', gutter, layout)),
  ];
}

/** The line of the finding and the one before, with a mark below the place. */
function excerptLines(
  { line: first, lines }: Excerpt,
  { line, column }: Finding['location'],
  mark: '^' | '-',
  gutter: string,
  layout: Layout,
): string[] {
  const { colors } = layout;
  const source = lines[line - first];
  // An excerpt does not contain the end of a very long line.
  if (source === undefined || column > source.length + 1) return [];
  const room = layout.width - gutter.length - 3;
  // A long line is shown from before the place on.
  const shift = column - 1 < room / 2 ? 0 : column - 1 - Math.floor(room / 4);
  const before = Array.from({ length: LINES_BEFORE }, (_, index) => line - LINES_BEFORE + index).filter(
    (number) => lines[number - first] !== undefined,
  );
  const printed = [...before, line].map(
    (number) =>
      `${colors.cyan(`${String(number).padStart(gutter.length)} |`)} ${layout.cut(lines[number - first].slice(shift), room)}`,
  );
  const start = column - 1 - shift;
  const word = WORD.exec(source.slice(column - 1))?.[0] ?? ' ';
  return [
    `${gutter}${colors.cyan(' |')}`,
    ...printed,
    `${gutter}${colors.cyan(' |')} ${' '.repeat(start)}${(mark === '^' ? colors.red : colors.cyan)(mark.repeat(Math.max(1, Math.min(word.length, room - start))))}`,
  ];
}
