import { byId, element } from './dom';
import { tokensOf } from './highlight';
import type { Problem } from './messages';

/** In pixels, as in the style sheet. */
const LINE_HEIGHT = 20;
/** Lines that are drawn above and below the view. */
const SPARE_LINES = 40;
const MAX_MARKS = 500;
const RANKS = { error: 0, warning: 1, info: 2 } as const;

/** A text area with line numbers, colors, and marks on the lines of problems. */
export class Editor {
  private readonly area = byId<HTMLTextAreaElement>('editor');
  private readonly gutter = byId('gutter');
  private readonly numbers = byId('numbers');
  private readonly marks = byId('marks');
  private readonly paint = byId('paint');
  private lines: string[] = [];
  private drawn?: { readonly first: number; readonly end: number };

  public constructor(onInput: () => void) {
    this.area.addEventListener('input', () => {
      this.draw();
      onInput();
    });
    this.area.addEventListener('scroll', () => this.follow());
    new ResizeObserver(() => this.follow()).observe(this.area);
  }

  public get text(): string {
    return this.area.value;
  }

  public show(text: string, label: string): void {
    this.area.value = text;
    this.area.setAttribute('aria-label', label);
    this.area.scrollTo(0, 0);
    this.draw();
  }

  /** Marks the lines of problems, the most severe one of each line. */
  public mark(problems: readonly Problem[]): void {
    const byLine = new Map<number, Problem['severity']>();
    for (const { line, severity } of problems) {
      const before = byLine.get(line);
      if (line > 0 && (before === undefined || RANKS[severity] < RANKS[before])) byLine.set(line, severity);
    }
    this.marks.replaceChildren(
      ...[...byLine].slice(0, MAX_MARKS).map(([line, severity]) => {
        const mark = element('i', { class: severity });
        mark.style.setProperty('--line', String(line - 1));
        return mark;
      }),
    );
  }

  /** Selects a line and scrolls to it. */
  public goTo(line: number, column: number): void {
    const lines = this.area.value.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start + Math.max(0, column - 1), start + (lines[line - 1] ?? '').length);
    this.area.scrollTo(0, Math.max(0, (line - 1) * LINE_HEIGHT - this.area.clientHeight / 3));
  }

  private draw(): void {
    this.lines = this.area.value.split('\n');
    const digits = String(this.lines.length).length;
    this.gutter.style.setProperty('--digits', String(Math.max(2, digits)));
    this.drawn = undefined;
    this.follow();
  }

  /** Moves numbers, colors and marks with the text, and draws the lines that have come into view. */
  private follow(): void {
    const { scrollLeft, scrollTop, clientHeight } = this.area;
    const first = Math.max(0, Math.floor(scrollTop / LINE_HEIGHT) - SPARE_LINES);
    const end = Math.min(this.lines.length, Math.ceil((scrollTop + clientHeight) / LINE_HEIGHT) + SPARE_LINES);
    if (
      this.drawn === undefined ||
      this.drawn.first > first + SPARE_LINES / 2 ||
      this.drawn.end < end - SPARE_LINES / 2
    )
      this.drawLines(first, end);
    const top = this.drawn!.first * LINE_HEIGHT - scrollTop;
    this.paint.style.transform = `translate(${-scrollLeft}px, ${top}px)`;
    this.numbers.style.transform = `translateY(${top}px)`;
    this.marks.style.transform = `translateY(${-scrollTop}px)`;
  }

  /** Only lines near the view have elements, so that a text of 100,000 lines can be edited, too. */
  private drawLines(first: number, end: number): void {
    this.drawn = { first, end };
    const lines = this.lines.slice(first, end);
    this.numbers.textContent = lines.map((_, index) => first + index + 1).join('\n');
    this.paint.replaceChildren(
      ...lines.map((line) =>
        element(
          'div',
          {},
          ...tokensOf(line).map(({ text, style }) =>
            style === undefined ? text : element('span', { class: style }, text),
          ),
          '\n',
        ),
      ),
    );
  }
}
