import { all, element } from './dom';

/** Sorting by column, and the buttons that show all rows. */
export function startTables(): void {
  for (const table of all<HTMLTableElement>('table[data-sortable]')) makeSortable(table);
  for (const button of all('[data-more]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      for (const rest of all('.rest', button.parentElement!)) rest.classList.add('shown');
      button.hidden = true;
    });
  }
}

function makeSortable(table: HTMLTableElement): void {
  const heads = all<HTMLTableCellElement>('thead th', table);
  const body = table.tBodies[0];
  // On a narrow screen, each cell shows the title of its column.
  for (const row of body.rows)
    [...row.cells].forEach((cell, index) => {
      if (index > 0) cell.dataset.label = heads[index].textContent!;
    });
  heads.forEach((head, column) => {
    const button = element('button', { type: 'button' }, head.textContent!);
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const direction = head.getAttribute('aria-sort') === (column === 0 ? 'ascending' : 'descending') ? -1 : 1;
      const isDescending = (column === 0 ? 1 : -1) * direction < 0;
      for (const other of heads) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      const keyOf = ({ cells }: HTMLTableRowElement): number | string => {
        const {
          dataset: { value },
          textContent,
        } = cells[column];
        return value === undefined ? textContent! : Number(value);
      };
      const rows = [...body.rows].sort((a, b) => {
        const [left, right] = [keyOf(a), keyOf(b)];
        return (left < right ? -1 : left > right ? 1 : 0) * (isDescending ? -1 : 1);
      });
      const shown = [...body.rows].filter(
        (row) => !row.classList.contains('rest') || row.classList.contains('shown'),
      ).length;
      rows.forEach((row, index) => row.classList.toggle('rest', index >= shown));
      body.append(...rows);
    });
  });
}
