import { all, press } from './dom';
import { panelContent } from './panel';
import { anchor } from '../../src/validation/report/html/markup';
import { FieldColor, FieldResource, nodeField } from '../../src/validation/report/html/node-field';
import type { PageData } from '../../src/validation/report/html/page-data';
import { paletteOf } from '../../src/validation/report/html/palette';

const SVG = 'http://www.w3.org/2000/svg';

/** The drawing of the nodes: selection, keys, colors and the panel. */
export function startFleet(data: PageData): void {
  const fleet = document.querySelector<HTMLElement>('.fleet');
  const map = fleet?.querySelector<HTMLElement>('.map');
  const panel = fleet?.querySelector<HTMLElement>('.panel');
  if (!fleet || !map || !panel) return;
  const tiles = all('.tile', map);
  const isDense = map.classList.contains('dense');
  const namespaces = paletteOf(data.nodes, 'namespace');
  let selected: HTMLElement | undefined;
  let color: FieldColor = 'namespace';
  let resource: FieldResource = 'cpu';

  const close = (): void => {
    panel.hidden = true;
    fleet.classList.remove('open');
    press(tiles, undefined);
    selected?.focus();
    selected = undefined;
  };
  const open = (tile: HTMLElement, isMoved = true): void => {
    selected = tile;
    press(tiles, tile);
    const node = data.nodes[Number(tile.dataset.node)];
    panel.replaceChildren(...panelContent(node, data, namespaces, close));
    panel.hidden = false;
    fleet.classList.add('open');
    if (isMoved) history.replaceState(null, '', `#${anchor('node', node.name)}`);
    moveTo(tile);
  };
  /** Exactly one tile is reached with the tabulator. */
  const moveTo = (tile: HTMLElement): void => {
    for (const other of tiles) other.tabIndex = other === tile ? 0 : -1;
  };
  if (tiles.length > 0) moveTo(tiles[0]);

  map.addEventListener('click', ({ target }) => {
    const tile = (target as Element).closest<HTMLElement>('.tile');
    if (tile) open(tile);
  });
  map.addEventListener('keydown', (event) => {
    const index = tiles.indexOf(document.activeElement as HTMLElement);
    if (index < 0) return;
    const next = nextTile(tiles, index, event.key);
    if (next === undefined) return;
    event.preventDefault();
    moveTo(next);
    next.focus();
    if (!panel.hidden) open(next);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !panel.hidden) close();
  });

  const draw = (): void => {
    const palette = paletteOf(data.nodes, color);
    for (const tile of tiles) {
      const plot = tile.querySelector('svg')!;
      plot.replaceChildren(
        ...nodeField(data.nodes[Number(tile.dataset.node)], resource, color, isDense).map(({ kind, key, path }) => {
          const made = document.createElementNS(SVG, 'path');
          made.setAttribute('class', kind === 'pods' ? `p ${palette.colorOf(key)}` : `p-${kind}`);
          made.setAttribute('d', path);
          if (kind === 'pods') made.dataset.key = color === 'namespace' ? key : key.slice(0, key.indexOf('/'));
          return made;
        }),
      );
    }
    highlight();
  };
  for (const [name, choose] of [
    [
      'color',
      (value: string) => {
        color = value as FieldColor;
      },
    ],
    [
      'resource',
      (value: string) => {
        resource = value as FieldResource;
      },
    ],
  ] as const) {
    const buttons = all(`[data-${name}]`);
    for (const button of buttons) {
      button.addEventListener('click', () => {
        press(buttons, button);
        choose(button.dataset[name]!);
        draw();
      });
    }
  }

  const chips = all('.chip[data-key]');
  const own = new Set(namespaces.entries.map(({ key }) => key));
  const highlight = (): void => {
    const chosen = chips.find((chip) => chip.getAttribute('aria-pressed') === 'true')?.dataset.key;
    map.classList.toggle('hl', chosen !== undefined);
    for (const path of all<SVGPathElement>('.p', map)) {
      const { key = '' } = path.dataset;
      path.classList.toggle('on', chosen === key || (chosen === 'others' && !own.has(key)));
    }
  };
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      press(chips, chip.getAttribute('aria-pressed') === 'true' ? undefined : chip);
      highlight();
    });
  }

  const linked = tiles.find(({ id }) => `#${id}` === location.hash);
  if (linked) open(linked, false);
  else if (tiles.length > 0 && matchMedia('(min-width: 1181px)').matches) open(tiles[0], false);
}

function nextTile(tiles: readonly HTMLElement[], index: number, key: string): HTMLElement | undefined {
  switch (key) {
    case 'ArrowRight':
      return tiles[index + 1];
    case 'ArrowLeft':
      return tiles[index - 1];
    case 'Home':
      return tiles[0];
    case 'End':
      return tiles[tiles.length - 1];
    case 'ArrowDown':
      return nearest(tiles, index, (top, other) => other > top + 4);
    case 'ArrowUp':
      return nearest([...tiles].reverse(), tiles.length - 1 - index, (top, other) => other < top - 4);
    default:
      return undefined;
  }
}

/** Of the next row in the direction, the tile whose left edge is nearest. */
function nearest(
  tiles: readonly HTMLElement[],
  index: number,
  isBeyond: (top: number, other: number) => boolean,
): HTMLElement | undefined {
  const { top, left } = tiles[index].getBoundingClientRect();
  const beyond = tiles
    .map((tile) => ({ tile, place: tile.getBoundingClientRect() }))
    .filter(({ place }) => isBeyond(top, place.top));
  if (beyond.length === 0) return undefined;
  const rowTop = beyond.reduce(
    (best, { place }) => (Math.abs(place.top - top) < Math.abs(best - top) ? place.top : best),
    beyond[0].place.top,
  );
  const row = beyond.filter(({ place }) => Math.abs(place.top - rowTop) < 8);
  return row.reduce((best, entry) =>
    Math.abs(entry.place.left - left) < Math.abs(best.place.left - left) ? entry : best,
  ).tile;
}
