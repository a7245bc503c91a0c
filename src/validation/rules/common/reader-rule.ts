import { Outcome, Rule, Severity } from '../rule';

/**
 * A rule that the manifest reader checks, before a model exists. The class lists and documents the rule beside the
 * others; its findings are in `ManifestModel.problems`.
 */
export abstract class ReaderRule implements Rule {
  public abstract readonly id: string;
  public abstract readonly name: string;
  public abstract readonly summary: string;
  public abstract readonly severity: Severity;

  public check(): Outcome[] {
    return [];
  }
}
