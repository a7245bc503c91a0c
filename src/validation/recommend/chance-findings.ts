import { FindingsOfObject, findingsOf } from './trial';
import { settledPlan } from '../../scheduling';
import { CheckSession, RuleContext } from '../context/check-session';
import { Rule } from '../rules';

/** Bounds the run time: rules about the loss of nodes simulate it for each fleet. */
const MAX_FLEETS = 10;

interface JudgedFleet {
  readonly context: RuleContext;
  readonly rules: Set<Rule>;
  readonly keys: Set<string>;
}

/**
 * Findings that an input leads to with some random names of nodes, although its representative fleet has none of them.
 * A change of NodePools does not make them.
 */
export class ChanceFindings {
  private fleets?: readonly JudgedFleet[];

  public constructor(private readonly session: CheckSession) {}

  /** Those of the given findings that no settled fleet of the input has. */
  public without(
    findings: ReadonlyArray<readonly [key: string, findings: FindingsOfObject]>,
  ): ReadonlyArray<readonly [key: string, findings: FindingsOfObject]> {
    let left = findings;
    for (const fleet of this.judgedFleets()) {
      if (left.length === 0) break;
      this.judge(
        fleet,
        left.flatMap(([, { rule }]) => rule ?? []),
      );
      left = left.filter(([key]) => !fleet.keys.has(key));
    }
    return left;
  }

  private judge({ context, rules, keys }: JudgedFleet, wanted: readonly Rule[]): void {
    const missing = [...new Set(wanted)].filter((rule) => !rules.has(rule));
    if (missing.length === 0) return;
    for (const key of findingsOf(this.session, context, missing).keys()) keys.add(key);
    for (const rule of missing) rules.add(rule);
  }

  private judgedFleets(): readonly JudgedFleet[] {
    this.fleets ??= this.otherFleets();
    return this.fleets;
  }

  /** Only the first ones: they differ from each other in the random names alone. */
  private otherFleets(): JudgedFleet[] {
    const { ruleContext, passes, input, catalog } = this.session;
    const { settled, passesPlan } = ruleContext;
    if (settled === undefined) return [];
    const admitted = new Set(passes[0].solved.indices);
    return settled.fleets
      .filter((fleet) => fleet !== settled.representative)
      .slice(0, MAX_FLEETS)
      .flatMap((fleet) => {
        const other = settledPlan(fleet, { input, catalog, plan: passesPlan, admitted });
        if (other === undefined) return [];
        const context = {
          ...ruleContext,
          ...other,
          lastInput: other.lastInput ?? ruleContext.lastInput,
          isTrial: true,
        };
        return [{ context, rules: new Set<Rule>(), keys: new Set<string>() }];
      });
  }
}
