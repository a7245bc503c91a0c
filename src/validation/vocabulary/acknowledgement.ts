import { Finding } from './verdict';

/** The rule of findings about acknowledgements themselves. */
export const ACKNOWLEDGEMENT_RULE = { rule: 'KARP-008', name: 'acknowledgement-without-effect' } as const;

/** An accepted finding, as a file or an annotation states it. */
export interface Acknowledgement {
  readonly rule: string;
  /** `Kind/name` or `Kind/namespace/name`, with `*` for any characters. @default - every object */
  readonly subject?: string;
  readonly reason: string;
  /** The last day on which it holds, `YYYY-MM-DD`. */
  readonly until?: string;
  readonly location: Finding['location'];
}

/** A finding that existed when the baseline was written. */
export interface BaselineEntry {
  readonly rule: string;
  readonly severity: Finding['severity'];
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The field, for example `spec.replicas`. */
  readonly path: string;
  /** Only for findings without an object. */
  readonly file?: string;
}

/** The findings that the user has accepted. */
export interface AcknowledgeOptions {
  readonly entries?: readonly Acknowledgement[];
  /** Severities by rule id, with the place that sets them. */
  readonly severities?: ReadonlyMap<string, { readonly severity: Finding['severity']; readonly place: string }>;
  readonly baseline?: { readonly file: string; readonly findings: readonly BaselineEntry[] };
  /** `YYYY-MM-DD`. @default - no acknowledgement has ended */
  readonly today?: string;
  /** Whether the input is one of several, so that an entry may match in another. @default false */
  readonly isPartial?: boolean;
}
