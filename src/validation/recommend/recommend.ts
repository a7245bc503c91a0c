import { ChanceFindings } from './chance-findings';
import { poolChanges } from './changes';
import { PoolChange } from './changes/pool-change';
import { chooseRecommendations } from './choose';
import { changedRequirements, requirementCode } from './construct-code';
import { figuresOf, FleetFigures } from './figures';
import { Origin, OtherRootPrice, Recommendation, Recommendations } from './recommendation';
import { FindingRemedy, recommendedRemedies, remedyOf } from './remedies';
import { MIN_SAVING, searchChanges } from './search';
import { newFindings, Trial, trialOf } from './trial';
import { titleOf } from './wording';
import { WrittenChanges } from './written-changes';
import { listText, percentText, RequirementSpec } from '../../model';
import { PlanCost } from '../check/cost';
import { bestFound } from '../check/costs/best-found';
import { consolidatedFleet } from '../check/settled';
import { CheckOptions } from '../check-options';
import { CheckSession, readSession } from '../context/check-session';
import { NodePoolManifest, READING_RULES, SourceFile } from '../manifest';
import { convertedWithChanges, withChanges } from '../manifest/edit/changed-source';
import { ObjectFix } from '../manifest/edit/fix-of';
import { inlineText } from '../manifest/edit/value-text';
import { priceDates } from '../vocabulary/price-dates';
import { Finding } from '../vocabulary/verdict';

/** How many changes that save, and that something speaks against, are named. */
const MAX_REJECTED = 3;
/** Bounds the run time by the whole checks of changed files. */
const MAX_CHECKS = 24;
const MIN_CHECKS = 8;
/** Whole checks of an input with one workload. */
const CHECK_WORK = 1_500;

/**
 * Searches for changes of NodePools that make the fleet cheaper. Each one is tried by the scheduler; those that are
 * returned are checked as a whole: no pod loses its node, and the changes make no finding.
 *
 * @param origin @default - the sources are files as they are written
 * @throws Error if an option has an invalid value
 */
export function recommend(
  sources: readonly SourceFile[],
  options: CheckOptions = {},
  origin: Origin = { files: sources },
): Recommendations {
  return recommendFor(readSession(sources, options), origin);
}

/**
 * Like `recommend`, for manifests that are already read.
 *
 * @param options with `isBrief`, only single changes without consent are tried; with `findsNoChanges`, none
 */
export function recommendFor(
  session: CheckSession,
  origin: Origin,
  options: { readonly isBrief?: boolean; readonly findsNoChanges?: boolean } = {},
): Recommendations {
  const { usdPerHour, lowerBoundUsdPerHour, currency, notEvaluated, prices } = new PlanCost(
    session.ruleContext,
  ).summary();
  const problems = session.model.problems.filter(isUnreadable);
  const isBrief = options.isBrief === true;
  const present = usdPerHour === null || isBrief ? {} : consolidatedPrice(session);
  const base = {
    schemaVersion: '1',
    currency,
    pricesOf: priceDates([{ prices }]),
    usdPerHour,
    ...present,
    lowerBoundUsdPerHour,
    ...(isBrief ? {} : bestFoundFor(session)),
    problems,
  } as const;
  if (usdPerHour !== null && options.findsNoChanges === true)
    return { ...base, recommendations: [], tried: 0, notes: [] };
  if (usdPerHour !== null) return { ...base, ...new Recommender(session, origin, present, isBrief).run() };
  const note =
    notEvaluated === undefined
      ? 'no node is launched, so there is nothing to make cheaper'
      : `the price is unknown: ${listText(notEvaluated)}`;
  return { ...base, recommendations: [], tried: 0, notes: [note] };
}

function bestFoundFor({ ruleContext, options }: CheckSession): Pick<Recommendations, 'bestFound'> {
  options.onProgress?.({ task: 'searching the cheapest fleet', done: 0 });
  const found = bestFound(ruleContext);
  return found === undefined ? {} : { bestFound: found };
}

type ConsolidatedPrice = Pick<FleetFigures, 'consolidatedUsdPerHour'>;

/** More than for `check`, because changes often lead to more and smaller nodes. */
const MAX_CONSOLIDATED = 150;
const CONSOLIDATES = 'consolidation of the present nodes saves about as much';

/** Undefined without a settled fleet, and if its consolidation is not simulated. */
function consolidatedPrice({ ruleContext }: CheckSession): ConsolidatedPrice {
  const { settled } = ruleContext;
  const usdPerHour = settled && consolidatedFleet(ruleContext, settled.representative, MAX_CONSOLIDATED)?.usdPerHour;
  return typeof usdPerHour === 'number' ? { consolidatedUsdPerHour: usdPerHour } : {};
}

/** Whether a change still saves once Karpenter has consolidated both fleets. */
function savesAfterConsolidation(before: ConsolidatedPrice, after: ConsolidatedPrice): boolean {
  const [now, then] = [before.consolidatedUsdPerHour, after.consolidatedUsdPerHour];
  return now === undefined || then === undefined || then <= now * (1 - MIN_SAVING);
}

function isUnreadable({ rule, severity }: Finding): boolean {
  return rule === READING_RULES.unreadable.rule && severity === 'error';
}

/** Changed files, and what a check says of them. */
interface Attempt {
  readonly changes: readonly PoolChange[];
  readonly remedies: readonly FindingRemedy[];
  readonly files: readonly SourceFile[];
  readonly before: FleetFigures;
  readonly after: FleetFigures;
  readonly trial: Trial;
  /** Errors and warnings that the unchanged files do not have. */
  readonly findings: ReturnType<typeof newFindings>;
  /** `findings` for people. */
  readonly chanceFindings: readonly string[];
}

interface OtherRoots {
  readonly prices: readonly OtherRootPrice[];
  readonly chanceFindings: readonly string[];
}

class Recommender {
  private readonly written: WrittenChanges;
  private readonly pools: readonly NodePoolManifest[];
  /** By the objection. */
  private readonly rejected = new Map<string, string>();
  private readonly checked = new Map<string, Recommendation | undefined>();
  private attempts = 0;
  /** Whether changes that save are left out, because the whole checks are used up. */
  private isCut = false;
  /** By the root. */
  private readonly trials = new Map<string, Trial>();
  private readonly chanceFindings = new Map<string, ChanceFindings>();
  /** The changed input of each recommendation. */
  private readonly patched = new Map<Recommendation, CheckSession>();

  /** @param present the price of the fleet as it is after consolidation, if it is known */
  public constructor(
    private readonly session: CheckSession,
    private readonly origin: Origin,
    private readonly present: ConsolidatedPrice,
    private readonly isBrief: boolean,
  ) {
    const used = new Set(session.ruleContext.plan.nodeClaims.map(({ nodePool }) => nodePool));
    this.pools = session.model.nodePools.filter(({ spec }) => spec !== undefined && used.has(spec.name));
    this.written = new WrittenChanges(new Map(this.pools.map(({ object }) => [object.name, object])), origin.files);
  }

  public run(): Pick<Recommendations, 'recommendations' | 'tried' | 'notes'> {
    const { isBrief } = this;
    const all = poolChanges(this.session, this.pools);
    const possible = isBrief ? all.filter(({ consent }) => consent === undefined) : all;
    const changes = isBrief ? possible.filter((change) => this.written.fixOf(change) !== undefined) : possible;
    const { candidates, tried, isCut } = searchChanges(
      this.session,
      changes,
      (some) => this.checkedOnce(some) !== undefined,
      isBrief ? 1 : undefined,
    );
    const recommendations = chooseRecommendations(
      candidates.flatMap((candidate) => this.checkedOnce(candidate.changes) ?? []),
    );
    return {
      recommendations: isBrief ? this.firstThatSaves(recommendations) : recommendations,
      tried,
      notes: this.notes(recommendations.length, tried, isCut || this.isCut),
    };
  }

  /** Consolidates only the fleets of as many recommendations as it takes, because `check` must be fast. */
  private firstThatSaves(recommendations: readonly Recommendation[]): Recommendation[] {
    const present = recommendations.length === 0 ? {} : consolidatedPrice(this.session);
    for (const recommendation of recommendations) {
      const before = { ...recommendation.before, ...present };
      const after = { ...recommendation.after, ...consolidatedPrice(this.patched.get(recommendation)!) };
      if (savesAfterConsolidation(before, after)) return [{ ...recommendation, before, after }];
    }
    return [];
  }

  private checkedOnce(changes: readonly PoolChange[]): Recommendation | undefined {
    const key = titleOf({ changes });
    const { length } = this.session.input.pods;
    const most = Math.min(MAX_CHECKS, Math.max(MIN_CHECKS, Math.floor(CHECK_WORK / Math.max(1, length))));
    if (!this.checked.has(key)) {
      const isChecked = this.attempts < most;
      this.isCut ||= !isChecked;
      this.checked.set(key, isChecked ? this.check(changes) : undefined);
    }
    return this.checked.get(key);
  }

  /** The recommendation with what a check of the changed files says; undefined if that is not better. */
  private check(changes: readonly PoolChange[]): Recommendation | undefined {
    const attempt = this.attempt(changes, []);
    if (attempt === undefined) return undefined;
    const better = this.attemptWithRemedies(attempt);
    const objection = better === undefined ? this.objectionTo(attempt) : undefined;
    const made = better ?? attempt;
    const { files, remedies, chanceFindings } = made;
    const before = { ...made.before, ...this.present };
    const after = {
      ...made.after,
      ...(objection === undefined && !this.isBrief ? consolidatedPrice(made.trial.session) : {}),
    };
    const others = objection ?? (savesAfterConsolidation(before, after) ? this.otherRoots(files) : CONSOLIDATES);
    if (typeof others === 'string') {
      this.reject({ changes, before, after }, others);
      return undefined;
    }
    const isWritten = files.length > 0;
    const chances = [...chanceFindings, ...others.chanceFindings];
    const recommendation: Recommendation = {
      changes: changes.map(({ nodePool, description, consent, condition }, index) => ({
        nodePool,
        description,
        ...(consent === undefined ? {} : { consent }),
        ...(condition === undefined ? {} : { condition }),
        ...(isWritten ? { fix: this.written.fixOf(changes[index])! } : {}),
      })),
      ...(remedies.length === 0 ? {} : { remedies: recommendedRemedies(remedies, isWritten) }),
      ...(chances.length === 0 ? {} : { chanceFindings: chances }),
      before,
      after,
      constructs: this.constructsOf(changes, made.trial.session),
      ...(others.prices.length === 0 ? {} : { otherRoots: others.prices }),
      files,
    };
    this.patched.set(recommendation, made.trial.session);
    return recommendation;
  }

  /** Undefined if the changes cannot be made, or save nothing. */
  private attempt(changes: readonly PoolChange[], remedies: readonly FindingRemedy[]): Attempt | undefined {
    const { session } = this;
    this.attempts++;
    const further = remedies.flatMap((remedy) => remedy.changes);
    const isWritable = changes.every((change) => this.written.fixOf(change) !== undefined);
    const files = isWritable ? this.written.filesWith(changes, further) : [];
    if (files === undefined) return undefined;
    const patched = isWritable
      ? this.sessionOf(this.sourcesWith(files, session.sources, this.origin.name))
      : this.sessionWith(this.written.objectChanges(changes, further));
    const names = new Set(changes.map(({ nodePool }) => nodePool));
    const [before, after] = [session, patched].map(({ ruleContext }) => figuresOf(ruleContext, names));
    if (before === undefined || after === undefined) return undefined;
    if (after.usdPerHour > before.usdPerHour * (1 - MIN_SAVING)) return undefined;
    const trial = trialOf(patched);
    const findings = newFindings(this.trial('', session), trial);
    const chanceFindings = findings.map(([, { text }]) => text);
    return { changes, remedies, files, before, after, trial, findings, chanceFindings };
  }

  private sessionOf(sources: readonly SourceFile[], options: CheckOptions = this.session.options): CheckSession {
    return readSession(sources, { ...options, onProgress: undefined });
  }

  /** The changed input, without changes of the text of a file. */
  private sessionWith(changes: readonly ObjectFix[]): CheckSession {
    const { sources, options } = this.session;
    const { convertLegacy } = options;
    return this.sessionOf(
      sources.map((file) => withChanges(file, changes)),
      convertLegacy === undefined
        ? options
        : { ...options, convertLegacy: convertedWithChanges(convertLegacy, changes) },
    );
  }

  /** With the remedies of the findings that the changes make. Undefined without remedies, or if a finding remains. */
  private attemptWithRemedies({ changes, findings, trial }: Attempt): Attempt | undefined {
    const { session } = this;
    if (trial.pending > this.trial('', session).pending) return undefined;
    const remedies = findings.flatMap(([, finding]) => remedyOf(finding, session.model) ?? []);
    const others = findings.filter(([, finding]) => remedyOf(finding, session.model) === undefined);
    if (remedies.length === 0 || this.chances('', session).without(others).length > 0) return undefined;
    const attempt = this.attempt(changes, remedies);
    return attempt === undefined || this.objectionTo(attempt) !== undefined ? undefined : attempt;
  }

  private objectionTo({ trial, findings }: Pick<Attempt, 'trial' | 'findings'>, root = ''): string | undefined {
    const before = this.trials.get(root)!;
    if (trial.pending > before.pending) return 'a pod would lose its node';
    const [made] = this.chances(root, before.session).without(findings);
    return made && `${made[1].text} would be new`;
  }

  private reject({ changes, before, after }: Pick<Attempt, 'changes' | 'before' | 'after'>, objection: string): void {
    const saved = (before.usdPerHour - after.usdPerHour) / before.usdPerHour;
    const text = `not recommended: ${titleOf({ changes })}, which saves ${percentText(saved)}: ${objection}`;
    // The same objection to more changes says nothing new.
    if (!this.rejected.has(objection)) this.rejected.set(objection, text);
  }

  /** The prices of other roots with the same files, or why one of these roots becomes worse. */
  private otherRoots(files: readonly SourceFile[]): OtherRoots | string {
    const prices: OtherRootPrice[] = [];
    const chanceFindings: string[] = [];
    for (const { name, sources } of this.origin.others ?? []) {
      if (!sources.some(({ path }) => files.some((file) => file.path === path))) continue;
      const options = { ...this.session.options, onProgress: undefined };
      const before = this.trial(name, readSession(sources, options));
      const trial = trialOf(readSession(this.sourcesWith(files, sources, name), options));
      const findings = newFindings(before, trial);
      const objection = this.objectionTo({ trial, findings }, name);
      if (objection !== undefined) return `in ${name}, ${objection}`;
      chanceFindings.push(...findings.map(([, { text }]) => `${text} in ${name}`));
      const [now, then] = [before, trial].map(({ session }) => new PlanCost(session.ruleContext).usdPerHour());
      if (now !== null && then !== null && now !== then) prices.push({ root: name, before: now, after: then });
    }
    return { prices, chanceFindings };
  }

  /** The sources of a root with the changed files. What a kustomization makes of an object depends on its fields. */
  private sourcesWith(
    changed: readonly SourceFile[],
    sources: readonly SourceFile[],
    name: string | undefined,
  ): readonly SourceFile[] {
    const texts = new Map(changed.map(({ path, text }) => [path, text]));
    const isBuilt = sources.some(({ path, edit }) => edit !== undefined && texts.has(path));
    if (isBuilt && name !== undefined && this.origin.sourcesFrom !== undefined)
      return this.origin.sourcesFrom(withTexts(this.origin.files, texts), name);
    return withTexts(sources, texts);
  }

  private trial(root: string, session: CheckSession): Trial {
    const known = this.trials.get(root) ?? trialOf(session);
    this.trials.set(root, known);
    return known;
  }

  private chances(root: string, session: CheckSession): ChanceFindings {
    const known = this.chanceFindings.get(root) ?? new ChanceFindings(session);
    this.chanceFindings.set(root, known);
    return known;
  }

  /** The requirements of the changed files. Those of the input may come from a kustomization. */
  private constructsOf(changes: readonly PoolChange[], { input }: CheckSession): Recommendation['constructs'] {
    const names = new Set(changes.map(({ nodePool }) => nodePool));
    return this.session.input.nodePools.flatMap((before) => {
      const after = input.nodePools.find(({ name }) => name === before.name);
      const changed = after === undefined || !names.has(before.name) ? [] : changedRequirements(before, after);
      const manifest = changed.map((requirement) => inlineText(withoutAbsent(requirement), 'yaml'));
      return changed.length === 0
        ? []
        : [{ nodePool: before.name, requirements: changed.map(requirementCode), manifest }];
    });
  }

  private notes(found: number, tried: number, isCut: boolean): string[] {
    return [
      ...(found === 0 && tried > 0
        ? ['no change that was tried makes the same pods cheaper by 2% without a new finding']
        : []),
      ...[...this.rejected.values()].slice(0, MAX_REJECTED),
      ...(isCut ? ['more changes are possible than were tried'] : []),
    ];
  }
}

function withTexts(sources: readonly SourceFile[], texts: ReadonlyMap<string, string>): SourceFile[] {
  return sources.map((source) => ({ ...source, text: texts.get(source.path) ?? source.text }));
}

/** Without fields that have no value. */
function withoutAbsent(requirement: RequirementSpec): object {
  return Object.fromEntries(Object.entries(requirement).filter(([, value]) => value !== undefined));
}
