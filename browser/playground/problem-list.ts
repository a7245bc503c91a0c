import { byId, element } from './dom';
import type { Problem } from './messages';
import { countText } from '../../src/model/text';

const MAX_SHOWN = 200;
const SEVERITIES = ['error', 'warning', 'info'] as const;
const NOUNS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** Lists findings with their lines, the most severe ones first. A click goes to the line. */
export function showProblems(problems: readonly Problem[], hasFiles: boolean, goTo: (problem: Problem) => void): void {
  const list = byId<HTMLDetailsElement>('problems');
  list.hidden = problems.length === 0;
  const counts = SEVERITIES.flatMap((severity) => {
    const { length } = problems.filter((problem) => problem.severity === severity);
    return length === 0 ? [] : [countText(length, NOUNS[severity])];
  });
  list.querySelector('summary')!.textContent = counts.join(', ');
  const sorted = [...problems].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
  );
  const items = sorted.slice(0, MAX_SHOWN).map((problem) => element('li', {}, item(problem, hasFiles, goTo)));
  const rest = problems.length - items.length;
  list
    .querySelector('ol')!
    .replaceChildren(
      ...items,
      ...(rest > 0 ? [element('li', { class: 'rest' }, `and ${rest} more, see the verdict`)] : []),
    );
}

function item(problem: Problem, hasFiles: boolean, goTo: (problem: Problem) => void): HTMLElement {
  const { severity, rule, file, line, column, message, remedy } = problem;
  const place = line > 0 ? `${hasFiles ? `${file}:` : ''}${line}:${column}` : file;
  const content = [
    element('b', { class: severity }, severity === 'info' ? 'note' : severity),
    ' ',
    element('span', { class: 'place' }, place),
    ` ${message}; ${remedy} `,
    element('span', { class: 'rule' }, rule),
  ];
  if (line === 0) return element('p', {}, ...content);
  const button = element('button', { type: 'button' }, ...content);
  button.addEventListener('click', () => goTo(problem));
  return button;
}
