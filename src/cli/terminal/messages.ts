import type { ProgressStep } from '../../validation';
import type { PartialResult } from '../io';

/** What the thread that works sends to the thread of the terminal. */
export type WorkerMessage =
  | { readonly kind: 'out' | 'error'; readonly text: string }
  | { readonly kind: 'progress'; readonly step: ProgressStep }
  | { readonly kind: 'partial'; readonly result: PartialResult };

/** What the thread that works cannot find out itself. */
export interface WorkerTerminal {
  readonly color: boolean;
  readonly columns?: number;
  readonly ascii: boolean;
}
