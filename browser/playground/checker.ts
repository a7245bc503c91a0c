import type { CheckAnswer, CheckRequest, WorkerMessage } from './messages';

/** A check that takes longer is stopped. Most take less than half a second. */
const LIMIT_SECONDS = 20;
/** How long a running check may still take if its manifests have changed. Most end by then. */
const GRACE_MILLISECONDS = 300;

export interface CheckerListener {
  /** A check has started. */
  started(): void;
  answered(answer: CheckAnswer): void;
  /** The check failed, with a sentence for the user. */
  failed(problem: string): void;
}

/** Runs checks in a worker, one at a time. A new request replaces the one before it. */
export class Checker {
  private worker?: Worker;
  private isReady = false;
  private waiting?: CheckRequest;
  private isRunning = false;
  private timer?: ReturnType<typeof setTimeout>;

  /** @param assets the address of the folder with the worker's script and its data */
  public constructor(
    private readonly assets: string,
    private readonly listener: CheckerListener,
  ) {
    this.start();
  }

  public check(request: CheckRequest): void {
    this.waiting = request;
    if (!this.worker) this.start();
    else if (!this.isRunning) this.runWaiting();
    else this.limit(GRACE_MILLISECONDS, () => this.restart());
  }

  /** Drops the running check, and what waits. */
  public cancel(): void {
    this.waiting = undefined;
    if (this.isRunning) this.restart();
  }

  private start(): void {
    this.isReady = false;
    // A worker that starts from a blob has the policy of this page, so it can connect to this site only.
    const script = `const ASSETS = ${JSON.stringify(this.assets)}; const BASE = fetch(ASSETS + 'base.json.gz'); importScripts(ASSETS + 'engine.js');`;
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.take(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(
        this.isReady
          ? 'The check failed, because the browser has stopped it. Check fewer manifests, or use the command line.'
          : 'The checker cannot be loaded. Check your connection, and reload the page.',
      );
    };
  }

  private take(message: WorkerMessage): void {
    if ('ready' in message) {
      this.isReady = true;
      this.runWaiting();
      return;
    }
    if ('failure' in message && !this.isReady) return this.fail(`The checker cannot be loaded: ${message.failure}`);
    this.end();
    // What has ended was replaced by what waits, so its answer is about older manifests.
    if (this.waiting) return this.runWaiting();
    if ('answer' in message) this.listener.answered(message.answer);
    else this.listener.failed(`The check failed: ${message.failure}`);
  }

  private runWaiting(): void {
    if (!this.waiting || !this.isReady) return;
    const request = this.waiting;
    this.waiting = undefined;
    this.isRunning = true;
    this.listener.started();
    this.worker!.postMessage(request);
    this.limit(LIMIT_SECONDS * 1000, () =>
      this.fail(
        `The check was stopped after ${LIMIT_SECONDS} seconds. Use the command line for these manifests: npx karpenter-constructs check <folder>`,
      ),
    );
  }

  private limit(milliseconds: number, action: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, milliseconds);
  }

  /** Starts again with what waits. */
  private restart(): void {
    this.stop();
    this.start();
  }

  private fail(problem: string): void {
    this.stop();
    this.waiting = undefined;
    this.listener.failed(problem);
  }

  private stop(): void {
    this.end();
    this.worker?.terminate();
    this.worker = undefined;
  }

  private end(): void {
    clearTimeout(this.timer);
    this.isRunning = false;
  }
}
