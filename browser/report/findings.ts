import { all, press } from './dom';
import { countText } from '../../src/model/text';

/** Filters, search and the buttons of the findings. */
export function startFindings(): void {
  const section = document.getElementById('findings');
  const filters = section?.querySelector('.filters');
  if (!section || !filters) return;
  const search = filters.querySelector<HTMLInputElement>('input')!;
  const severities = all('[data-severity]', filters);
  const selects = all<HTMLSelectElement>('select', filters);
  const items = all('.it', section);
  const texts = new Map(
    items.map((item) => [
      item,
      `${item.closest('.grp')!.querySelector('summary')!.textContent} ${item.textContent}`.toLowerCase(),
    ]),
  );

  const apply = (): void => {
    const severity =
      severities.find((button) => button.getAttribute('aria-pressed') === 'true')?.dataset.severity ?? '';
    const words = search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const chosen = selects
      .map((select) => [select.dataset.filter!, select.value] as const)
      .filter(([, value]) => value !== '');
    let count = 0;
    for (const item of items) {
      const { dataset } = item;
      const matches =
        (severity === '' || dataset.severity === severity) &&
        words.every((word) => texts.get(item)!.includes(word)) &&
        chosen.every(([key, value]) =>
          key === 'pool' ? dataset.pool!.split(' ').includes(value) : dataset[key] === value,
        );
      item.hidden = !matches;
      if (matches) count++;
    }
    const isFiltered = severity !== '' || words.length > 0 || chosen.length > 0;
    section.classList.toggle('filtered', isFiltered);
    for (const group of all<HTMLDetailsElement>('.grp', section)) {
      const left = all('.it', group).filter((item) => !item.hidden);
      group.hidden = left.length === 0;
      group.querySelector('.cnt')!.textContent = String(left.length);
      if (isFiltered) for (const item of left.slice(0, 50)) item.classList.add('shown');
      if (words.length > 0 && left.length > 0) group.open = true;
    }
    section.querySelector('.count')!.textContent = countText(count, 'finding');
    section.querySelector<HTMLElement>('[data-none]')!.hidden = count > 0;
  };

  for (const button of severities) {
    button.addEventListener('click', () => {
      press(severities, button);
      apply();
    });
  }
  search.addEventListener('input', apply);
  for (const select of selects) select.addEventListener('change', apply);
  section.querySelector('[data-clear]')!.addEventListener('click', () => {
    press(severities, severities[0]);
    search.value = '';
    for (const select of selects) select.value = '';
    apply();
    search.focus();
  });
  startCopying(section);
}

function startCopying(section: HTMLElement): void {
  for (const button of all('[data-copy]', section)) {
    const patch = button.closest('.code')!.querySelector('pre')!;
    button.hidden = false;
    button.addEventListener('click', () => {
      navigator.clipboard?.writeText(patch.textContent!).then(
        () => note('Copied'),
        () => selectText(patch),
      );
      if (!navigator.clipboard) selectText(patch);
    });
    const note = (text: string): void => {
      button.textContent = text;
    };
  }
}

/** A page without access to the clipboard selects the text instead. */
function selectText(target: HTMLElement): void {
  getSelection()?.selectAllChildren(target);
}
