import { asRecord } from '../../contract';
import { fail, notEvaluated, pass } from './private/outcome';
import { disruptionsByName } from './private/pool-disruption';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { NodeClassManifest } from '../manifest/model';
import { recordsOf, textOf } from '../manifest/records';
import { hasUnknown } from '../template';

const DRIFTED = 'Drifted';
/** One of each family that has such. */
const RELEASES: Readonly<Record<string, string>> = { al2: 'v20250915', al2023: 'v20250915', bottlerocket: 'v1.43.0' };

/** @see https://karpenter.sh/docs/tasks/managing-amis/ */
export class AmiLatestInProd implements Rule {
  public readonly id = 'KARP-905';
  public readonly name = 'ami-latest-in-prod';
  public readonly severity = 'warning';
  public readonly summary = 'A node class takes whatever image is the newest: with each release all of its nodes drift and are replaced, and nobody has tried it before.';

  public check(context: RuleContext): Outcome[] {
    return context.model.nodeClasses.flatMap((nodeClass) => this.checkClass(nodeClass, context));
  }

  private checkClass({ object }: NodeClassManifest, context: RuleContext): Outcome[] {
    const terms = recordsOf(asRecord(object.raw.spec)?.amiSelectorTerms);
    const texts = terms.map(({ alias, name }) => textOf(alias ?? name ?? ''));
    if (terms.length === 0) return [];
    if (texts.some(hasUnknown)) return [notEvaluated(object, 'its images are known only at deployment')];
    const at = terms.findIndex(({ alias, name }) => textOf(alias ?? '').endsWith('@latest') || textOf(name ?? '').includes('*'));
    const pools = context.input.nodePools.filter(({ nodeClass }) => nodeClass === object.name).map(({ name }) => name);
    if (at < 0 || (pools.length > 0 && pools.every((name) => hasDriftBudget(context, name)))) return [pass(object)];
    const nodes = context.plan.nodeClaims.filter(({ nodePool }) => pools.includes(nodePool)).length;
    return [fail({
      object,
      path: ['spec', 'amiSelectorTerms', at],
      message: `takes the newest image of ${texts[at]}: with each release ${nodes === 0 ? 'all of its nodes' : `its ${count(nodes, 'node')}`} `
        + `drift${nodes === 1 ? 's' : ''} and ${nodes === 1 ? 'is' : 'are'} replaced, and nobody has tried it before`,
      remedy: `${oneImage(texts[at])}, and move it on when the next one is tried; or give ${pools.length === 0 ? 'its NodePools' : joinNames(pools)} a budget for the reason ${DRIFTED}`,
      evidence: { image: texts[at], nodes, nodePools: pools },
    })];
  }
}

/** An alias with a release, where the API server takes one. */
function oneImage(text: string): string {
  const [family] = text.split('@');
  if (Object.hasOwn(RELEASES, family)) return `name a release, as in ${family}@${RELEASES[family]}`;
  return `select one image by its id or its whole name${family.startsWith('windows') && text.includes('@') ? ': aliases of Windows take no release' : ''}`;
}

/** Whoever writes one has thought of it. */
function hasDriftBudget(context: RuleContext, pool: string): boolean {
  return disruptionsByName(context).get(pool)?.budgets.some(({ reasons }) => reasons?.includes(DRIFTED)) ?? false;
}
