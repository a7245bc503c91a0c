/**
 * The script of the HTML report. The page is readable without it: it adds filters, sorting, the panel of a node and the
 * choice of a theme. `tools/build/build-client.ts` embeds it in src/validation/report/html/client.generated.ts.
 */
import { startCourses } from './courses';
import { all } from './dom';
import { startFindings } from './findings';
import { startFleet } from './fleet';
import { startTables } from './tables';
import { startTheme } from './theme';
import type { PageData } from '../../src/validation/report/html/page-data';

function start(): void {
  document.documentElement.classList.add('js');
  for (const part of all('[data-script]')) if (!part.classList.contains('panel')) part.hidden = false;
  startTheme();
  startFindings();
  startTables();
  startCourses();
  startFleet(JSON.parse(document.getElementById('data')!.textContent!) as PageData);
  followSections();
  openTarget();
  addEventListener('hashchange', openTarget);
  openForPrint();
}

/** Marks the section in view in the navigation. */
function followSections(): void {
  const links = new Map(all<HTMLAnchorElement>('.top nav a').map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        for (const [id, link] of links) {
          if (id === target.id) link.setAttribute('aria-current', 'true');
          else link.removeAttribute('aria-current');
        }
      }
    },
    { rootMargin: '-20% 0px -70% 0px' },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }
}

/** Opens what a link points to: a group of findings, or a row that is not shown yet. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  if (target?.classList.contains('rest')) {
    target.classList.add('shown');
    target.scrollIntoView();
  }
  if (target?.classList.contains('tile') && target.getAttribute('aria-pressed') === 'false') target.click();
}

/** Paper shows the groups of findings and the assumptions open. */
function openForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = all<HTMLDetailsElement>('.grp:not([open]), #assumptions details:not([open])');
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
  });
}

start();
