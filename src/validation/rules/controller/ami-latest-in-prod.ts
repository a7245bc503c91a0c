import { asRecord } from '../../../contract';
import { countText, listText, shortListText } from '../../../model';
import { disruptionsByName } from '../../manifest/karpenter/pool-disruption';
import { ManifestObject, NodeClassManifest } from '../../manifest/model';
import { recordsOf, scalarText } from '../../manifest/records';
import { environmentOf } from '../../manifest/source/roots/environments';
import { hasUnknown } from '../../template';
import { isOfTests } from '../common/brief-pods';
import { isMadeByConversion, servedOriginalOf } from '../common/class-use';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

const DRIFTED = 'Drifted';
/** An example release of each AMI family whose aliases accept one. */
const EXAMPLE_RELEASES: Readonly<Record<string, string>> = {
  al2: 'v20250915',
  al2023: 'v20250915',
  bottlerocket: 'v1.43.0',
};
/** @see https://karpenter.sh/docs/tasks/managing-amis/ */
export const amiLatestInProd: Rule = {
  id: 'KARP-905',
  name: 'ami-latest-in-prod',
  severity: 'warning',
  isProductionAdvice: true,
  supersededBy: ['KARP-907'],
  summary:
    'A node class selects the newest AMI: each AMI release makes all of its nodes drift, and replaces them with an untested AMI.',
  check(context: RuleContext): Outcome[] {
    const outcomes = context.model.nodeClasses.flatMap((nodeClass) => checkClass(nodeClass, context));
    const findings = outcomes.flatMap((outcome) => (outcome.state === 'fail' ? [outcome.finding] : []));
    const [first, ...others] = [
      ...findings.filter(({ severity }) => severity === undefined),
      ...findings.filter(({ severity }) => severity === 'info'),
    ];
    const rest = outcomes.filter(({ state }) => state !== 'fail');
    if (first === undefined || others.length === 0) return outcomes;
    // To follow the newest AMI is one decision for all classes.
    const names = others.map(({ object }) => object.name);
    const message = `${first.message}; so ${names.length === 1 ? 'does' : 'do'} ${shortListText(names)}`;
    return [fail({ ...first, message, evidence: { ...first.evidence, others: names } }), ...rest];
  },
};

function checkClass({ object }: NodeClassManifest, context: RuleContext): Outcome[] {
  const terms = recordsOf(object.raw.spec?.amiSelectorTerms);
  const texts = terms.map(({ alias, name }) => scalarText(alias ?? name ?? ''));
  // The alias of a converted class is not in the file, and the user has to write the class again.
  if (terms.length === 0 || isMadeByConversion(context, object)) return [];
  if (texts.some(hasUnknown)) return [notEvaluated(object, 'its AMIs are known only at deployment')];
  const index = terms.findIndex(
    ({ alias, name }) => scalarText(alias ?? '').endsWith('@latest') || scalarText(name ?? '').includes('*'),
  );
  const pools = context.input.nodePools.filter(({ nodeClass }) => nodeClass === object.name).map(({ name }) => name);
  // Nothing is launched with a class that no NodePool uses.
  if (pools.length === 0) return [];
  if (index < 0 || pools.every((name) => hasDriftBudget(context, name))) return [pass(object)];
  const nodes = context.plan.nodeClaims.filter(({ nodePool }) => pools.includes(nodePool)).length;
  return [
    fail({
      object,
      path: ['spec', 'amiSelectorTerms', index],
      message:
        `selects the newest AMI of ${texts[index]}: each AMI release makes ${nodes === 0 ? 'all of its nodes' : `its ${countText(nodes, 'node')}`} drift, ` +
        `and replaces ${nodes === 1 ? 'it' : 'them'} with an untested AMI`,
      remedy: `${legacyPinRemedy(servedOriginalOf(context, object)) ?? pinRemedy(texts[index])}, and update it after a test; or give ${listText(pools)} a disruption budget for reason ${DRIFTED}`,
      evidence: { image: texts[index], nodes, nodePools: pools },
      // Tests want the newest AMI.
      ...(isOfTests(object.locate([]).file) || isForDevelopment(object) ? { severity: 'info' as const } : {}),
    }),
  ];
}

const ENVIRONMENT_KEY = /^(?:[^/]*\/)?(?:environment|env|stage)$/i;
/** Environments that paths and names tell, such as `dev` for `KarpenterNodeRole-dev`. */
const DEVELOPMENT: readonly string[] = ['dev', 'test', 'qa', 'sandbox'];
const DEVELOPMENT_VALUE = /^(?:dev|develop|development|poc|test|testing|qa|sandbox|sbx|demo|lab|playground)$/i;

/** Whether tags or labels of the class name an environment that is not for production. */
function isForDevelopment({ raw }: ManifestObject): boolean {
  const spec = asRecord(raw.spec) ?? {};
  const names = [spec.role, spec.instanceProfile].filter((name) => typeof name === 'string');
  return (
    names.some((name) => DEVELOPMENT.includes(environmentOf(name) ?? '')) ||
    [spec.tags, raw.metadata?.labels].some((values) =>
      Object.entries(asRecord(values) ?? {}).some(
        ([key, value]) => ENVIRONMENT_KEY.test(key) && DEVELOPMENT_VALUE.test(scalarText(value)),
      ),
    )
  );
}

/** Aliases are new in v1. */
function legacyPinRemedy(original: ManifestObject | undefined): string | undefined {
  if (original === undefined) return undefined;
  const field = original.kind === 'AWSNodeTemplate' ? 'amiSelector' : 'amiSelectorTerms';
  return `select one AMI by its id in spec.${field}`;
}

/** How to pin the AMI: an alias with a release if the API server accepts one for the family. */
function pinRemedy(text: string): string {
  const [family] = text.split('@');
  if (Object.hasOwn(EXAMPLE_RELEASES, family)) return `pin a release, such as ${family}@${EXAMPLE_RELEASES[family]}`;
  return `select one AMI by its id or full name${family.startsWith('windows') && text.includes('@') ? ', because Windows aliases accept no release' : ''}`;
}

/** Whether the NodePool has a budget for drift, which shows that its author plans for it. */
function hasDriftBudget(context: RuleContext, pool: string): boolean {
  return (
    disruptionsByName(context)
      .get(pool)
      ?.budgets.some(({ reasons }) => reasons?.includes(DRIFTED)) ?? false
  );
}
