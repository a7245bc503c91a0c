import { byId, element } from './dom';
import type { CheckAnswer } from './messages';
import { applyTheme } from './theme';

/** Shows the report of the last verdict, or why there is none. */
export class VerdictPane {
  private readonly frame = byId<HTMLIFrameElement>('report');
  private readonly roots = byId<HTMLSelectElement>('root');
  private html?: string;
  private url?: string;
  private scrolled = 0;

  /** @param onRoot called if the user chooses another root */
  public constructor(onRoot: (root: number) => void) {
    this.frame.addEventListener('load', () => this.prepare());
    this.roots.addEventListener('change', () => onRoot(this.roots.selectedIndex));
  }

  public showWorking(): void {
    document.body.classList.add('working');
  }

  public showAnswer({ outcome, html, roots, problems }: CheckAnswer, root: number): void {
    this.showOutcome(outcome, problems.some(({ severity }) => severity === 'error') ? 'bad' : 'good');
    byId('failure').hidden = true;
    this.roots.parentElement!.hidden = roots.length < 2;
    this.roots.replaceChildren(...roots.map((name) => element('option', {}, name)));
    this.roots.selectedIndex = roots[root] === undefined ? 0 : root;
    this.frame.hidden = false;
    if (html === this.html) return;
    this.scrolled = this.html === undefined ? 0 : this.view.scrollY;
    this.html = html;
    this.load(html);
  }

  public showFailure(problem: string): void {
    this.showOutcome('No verdict', 'bad');
    byId('failure').hidden = false;
    byId('failure').textContent = problem;
    this.clear();
  }

  public showNothing(): void {
    this.showOutcome('Paste manifests, drop files, or choose an example.', '');
    byId('failure').hidden = true;
    this.clear();
  }

  private clear(): void {
    this.frame.hidden = true;
    if (this.html !== undefined) this.load('');
    this.html = undefined;
    this.roots.parentElement!.hidden = true;
  }

  /** Links within a report work only if it has an address of its own. It is replaced, so that Back leaves the page. */
  private load(html: string): void {
    if (this.url !== undefined) URL.revokeObjectURL(this.url);
    this.url = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
    this.view.location.replace(this.url);
  }

  private get view(): Window {
    return this.frame.contentWindow!;
  }

  private showOutcome(text: string, state: 'good' | 'bad' | ''): void {
    document.body.classList.remove('working');
    byId('waiting').hidden = true;
    const outcome = byId('outcome');
    outcome.className = state;
    outcome.textContent = text;
  }

  /** Keeps the place in the report, and opens its links to other pages in a new tab: the frame may load none. */
  private prepare(): void {
    const { contentDocument: report } = this.frame;
    if (!report || this.html === undefined) return;
    applyTheme(report);
    this.view.scrollTo(0, this.scrolled);
    report.addEventListener('click', (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
      const target = link?.getAttribute('href') ?? '';
      if (target.startsWith('#')) return;
      if (/^https:\/\//.test(target)) window.open(target, '_blank', 'noopener');
      if (link) event.preventDefault();
    });
  }
}
