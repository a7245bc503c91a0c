/** A file in the editor. */
export interface ManifestFile {
  readonly name: string;
  readonly text: string;
}

/** What the page asks the worker for. */
export interface CheckRequest {
  readonly files: readonly ManifestFile[];
  /** @default - the region named in the manifests, otherwise us-east-1 */
  readonly region?: string;
  /** @default - the newest version of Karpenter */
  readonly version?: string;
  /** Which of several roots is judged. @default 0 */
  readonly root?: number;
}

/** A finding with a place in the editor. */
export interface Problem {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly file: string;
  /** From 1, 0 if it is not known. */
  readonly line: number;
  readonly column: number;
  /** Begins with the object. */
  readonly message: string;
  readonly remedy: string;
}

export interface CheckAnswer {
  /** The outcome in one sentence. */
  readonly outcome: string;
  /** The bytes that `check --format json` prints. */
  readonly json: string;
  /** The bytes that `check --format html` prints. */
  readonly html: string;
  readonly problems: readonly Problem[];
  /** Names of the roots: manifests that are deployed, and judged, separately. */
  readonly roots: readonly string[];
}

/** What the worker sends: once that it is loaded, then one answer or failure for each request. */
export type WorkerMessage = { readonly ready: true } | { readonly answer: CheckAnswer } | { readonly failure: string };
