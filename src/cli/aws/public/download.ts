import { UsageError } from '../../io';
import { Interrupted } from '../interrupted';

/** How files of AWS are read. */
export interface DownloadOptions {
  /** Ends the download when the user does. */
  readonly signal: AbortSignal;
  /** How long a server may send nothing. */
  readonly idleMs: number;
  /** How long a download may take, however little a server sends at a time. */
  readonly totalMs: number;
  /** Pauses before the second attempt, the third attempt and so on. */
  readonly pausesMs: readonly number[];
}

export const DOWNLOAD_DEFAULTS = { idleMs: 60_000, totalMs: 30 * 60_000, pausesMs: [1000, 5000] };

/** Answers that another attempt may change. */
const PASSING_STATUS = [408, 429, 500, 502, 503, 504];
const RETRY = 'check the network and the address, and run the command again';

export interface Downloaded {
  /** The day of the file by its server, `YYYY-MM-DD`. */
  readonly date?: string;
}

/** Receives the parts of a text file. It is made again for each attempt. */
export type Sink = (text: string) => void;

/** A problem that another attempt may not have. */
class PassingProblem extends Error {}

/**
 * Reads a text file part by part. A redirect is not followed, because it could lead anywhere.
 *
 * @param url of the file
 * @param maxBytes of the file, before which it must end
 * @param newSink makes the receiver of an attempt
 * @throws UsageError if the file cannot be read, Interrupted, and whatever the receiver throws
 */
export async function download(
  url: string,
  maxBytes: number,
  newSink: () => Sink,
  options: DownloadOptions,
): Promise<Downloaded> {
  for (const pause of [...options.pausesMs, undefined]) {
    if (options.signal.aborted) throw new Interrupted();
    try {
      return await attempt(url, maxBytes, newSink(), options);
    } catch (error) {
      if (options.signal.aborted) throw new Interrupted();
      if (!(error instanceof PassingProblem)) throw error;
      if (pause === undefined) throw new UsageError(`${url}: ${error.message}; ${RETRY}`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  throw new Error('unreachable');
}

/** The text of a small file. */
export async function downloadText(
  url: string,
  maxBytes: number,
  options: DownloadOptions,
): Promise<Downloaded & { readonly text: string }> {
  let parts: string[] = [];
  const newSink = () => {
    parts = [];
    return (text: string) => void parts.push(text);
  };
  const downloaded = await download(url, maxBytes, newSink, options);
  return { ...downloaded, text: parts.join('') };
}

async function attempt(
  url: string,
  maxBytes: number,
  sink: Sink,
  { signal, idleMs, totalMs }: DownloadOptions,
): Promise<Downloaded> {
  const idle = new AbortController();
  const total = AbortSignal.timeout(totalMs);
  const start = () => setTimeout(() => idle.abort(), idleMs);
  let timer = start();
  const network = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      if (total.aborted)
        throw new UsageError(`${url}: is not complete after ${totalMs / 60_000} minutes; use a faster connection`);
      throw new PassingProblem(idle.signal.aborted ? `has sent nothing for ${idleMs / 1000} seconds` : reasonOf(error));
    }
  };
  try {
    const response = await network(() =>
      fetch(url, { redirect: 'manual', signal: AbortSignal.any([signal, idle.signal, total]) }),
    );
    requireFile(url, response);
    const decoder = new TextDecoder();
    const reader = response.body!.getReader();
    for (let bytes = 0; ; ) {
      const { done, value } = await network(() => reader.read());
      clearTimeout(timer);
      timer = start();
      if (done) break;
      bytes += value.length;
      if (bytes > maxBytes) {
        await reader.cancel().catch(() => undefined);
        throw new UsageError(`${url}: has more than ${maxBytes / 1024 ** 2} MiB; check the address`);
      }
      sink(decoder.decode(value, { stream: true }));
    }
    sink(decoder.decode());
    return { date: dayOf(response.headers.get('last-modified')) };
  } finally {
    clearTimeout(timer);
    idle.abort();
  }
}

function requireFile(url: string, { status, headers, body }: Response): void {
  if (status === 200 && body !== null) return;
  if (PASSING_STATUS.includes(status)) throw new PassingProblem(`answers with status ${status}`);
  const target = status >= 300 && status < 400 ? headers.get('location') : null;
  const what = target === null ? `answers with status ${status}` : `leads to another address, ${target}`;
  throw new UsageError(`${url}: ${what}; check the address`);
}

/** Node.js puts the reason of a failed connection below a message that says nothing. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return `cannot be read, ${reason || message}`;
}

function dayOf(header: string | null): string | undefined {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}
