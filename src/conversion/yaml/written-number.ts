import { ScalarTag } from 'yaml';

/** A number that would be written otherwise than it was: `0123`, `1e3`, or one that is too large to be exact. */
export class WrittenNumber {
  /**
   * @param value what kubectl reads: `0123` is octal, and what is too large stays a text
   */
  public constructor(public readonly value: unknown, public readonly source: string) {}
}

/** Lets a document hold numbers as they were written. */
export const WRITTEN_NUMBER_TAG: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /(?!)/,
  identify: (value) => value instanceof WrittenNumber,
  resolve: (text) => text,
  stringify: ({ value }) => (value as WrittenNumber).source,
};
