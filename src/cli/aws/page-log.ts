import { appendFileSync, existsSync, mkdirSync, rmSync } from 'fs';
import { dirname } from 'path';
import { Page } from './calls';
import { leadsInto, readRegularText, repositoryRoot } from '../../model';
import { UsageError } from '../io';
import { replaceWholeFile } from '../output/whole-file';

/** What the pages of a file answer. Pages of other questions are not used. */
export interface PageLogHeader {
  readonly call: string;
  readonly region: string;
  /** Distinguishes profiles and endpoints: zones and offerings differ between accounts. */
  readonly identity: string;
}

const MOST_BYTES = 256 * 1024 * 1024;
/** Prices and tokens of earlier pages are too old then. */
const MAX_AGE_MS = 6 * 60 * 60 * 1000;

/**
 * The pages of one call, in a file: a line for each. A run that was interrupted continues after the last complete line.
 */
export class PageLog<Item> {
  private pages: Array<Page<Item>> = [];
  /** Of the first run, in milliseconds. */
  private started: number;

  /** @throws UsageError if the folder is not writable */
  public constructor(
    private readonly file: string,
    private readonly header: PageLogHeader,
    private readonly now: number,
  ) {
    this.started = now;
    this.readPages();
    this.write();
  }

  public get items(): Item[] {
    return this.pages.flatMap(({ items }) => items);
  }

  public get isEmpty(): boolean {
    return this.pages.length === 0;
  }

  public get isComplete(): boolean {
    return this.pages.length > 0 && this.nextToken === undefined;
  }

  /** Of the page after the last one. Undefined before the first page. */
  public get nextToken(): string | undefined {
    return this.pages[this.pages.length - 1]?.nextToken;
  }

  public append(page: Page<Item>): void {
    appendFileSync(this.file, `${JSON.stringify(page)}\n`);
    this.pages.push(page);
  }

  /** Forgets all pages. */
  public restart(): void {
    this.pages = [];
    this.started = this.now;
    this.write();
  }

  public remove(): void {
    rmSync(this.file, { force: true });
  }

  private readPages(): void {
    if (!existsSync(this.file) || !leadsInto(this.file, repositoryRoot(this.file))) return;
    const [head, ...lines] = readRegularText(this.file, MOST_BYTES).split('\n').map(parsed);
    const { call, region, identity, started = 0 } = (head ?? {}) as Partial<PageLogHeader & { started: number }>;
    const isSame = call === this.header.call && region === this.header.region && identity === this.header.identity;
    if (!isSame || this.now - started >= MAX_AGE_MS) return;
    this.started = started;
    const cutOff = lines.findIndex((line) => !isPage(line));
    this.pages = (cutOff < 0 ? lines : lines.slice(0, cutOff)) as Array<Page<Item>>;
  }

  private write(): void {
    const lines = [{ ...this.header, started: this.started }, ...this.pages];
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      replaceWholeFile(this.file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    } catch (error) {
      throw new UsageError(`--output: cannot be written, ${(error as Error).message}; name a writable file or folder`);
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function isPage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Array.isArray((value as Page<unknown>).items);
}
