import { Outcome, Rule, Severity } from './rule';

/**
 * A rule that reading the manifests decides, before there is a model to judge. It is here so that it is listed and documented
 * with the others; its findings are `ManifestModel.problems`.
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
