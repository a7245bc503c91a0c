export {
  ACKNOWLEDGE_ANNOTATION,
  isBaselined,
  isSubject,
  parseBaseline,
  renderBaseline,
  unmatchedEntries,
} from './acknowledge';
export type { Acknowledgement, AcknowledgeOptions, BaselineEntry } from './acknowledge';
export { readHelmValues } from './controller/helm-values';
export { withKarpenterOfRepository } from './controller/karpenter-of-repository';
export { VALUE_FROM, settingsOfChart, variableOfSetting } from './controller/container-settings';
export { hasPrices, isRegion, nearestRegion, readRegionCatalog, regionOfZone, unknownFamily } from '../catalog';
export { cheaperNodePool, withCheaper } from './recommend/cheaper';
export { recommend } from './recommend/recommend';
export type { FleetFigures } from './recommend/figures';
export type { Origin, Recommendation, Recommendations } from './recommend/recommendation';
export { planUsage } from './recommend/usage/plan-usage';
export type { UsagePlan } from './recommend/usage/usage-plan';
export { renderUsageText } from './report/text/usage';
export { renderRecommendationsText } from './report/text/recommendations';
export { compareRegions } from './comparison/compare-regions';
export type { RegionComparison, RegionResult } from './comparison/compare-regions';
export { renderRegionsText } from './report/text/regions';
export { comparePolicies, LoadFileError, UnknownJobError } from './scenario/policies';
export type { JobDurations, PolicyComparison, PolicyDay, PolicyOptions } from './scenario/policies';
export { renderPoliciesText } from './report/text/policies';
export { compare } from './difference';
export type { Comparison, Difference } from './difference';
export { haveSameSources, pairRoots } from './difference/root-differences';
export type { RootDifference, RootDifferences, RootPair } from './difference/root-differences';
export type { ClusterVerdict } from './check/check';
export { internalErrorText, INTERNAL_ERROR_REMEDY, isInternalError } from './check/internal-error';
export {
  check,
  checkClusters,
  checkedSession,
  checkSession,
  isNothingToEvaluate,
  ruleNotEvaluatedSentences,
  UNREADABLE_INPUT,
} from './check/check';
export { isCostBy } from './check/costs/cost-by';
export { explain, explainPods } from './check/explain-pods';
export type { Explanations } from './explain/explain';
export { nearestPodNames } from './explain/pod-selection';
export { modelOf, readInput, readManifests } from './input';
export * from './manifest';
export type { CheckOptions } from './check-options';
export { catalogInstanceTypes } from './instance-types/catalog-types';
export { launchableTypesOfPools, poolInstanceTypes } from './instance-types/pool-instance-types';
export type { LaunchableTypes, ListOptions, PoolInstanceTypes } from './instance-types/pool-instance-types';
export type { ListedInstanceType, SortKey } from './instance-types/listed-type';
export { groupSimilarFindings, similarText } from './report/similar';
export { renderExplanationsJson, renderExplanationsText, renderRootExplanationsJson } from './report/text/placements';
export type { RootExplanations } from './report/text/placements';
export { isUnchanged, renderDifferenceText } from './report/text/difference';
export { newFindingsOfRoots, renderRootDifferencesText } from './report/text/difference-roots';
export {
  renderBudgetsHtml,
  renderDifferenceHtml,
  renderHtml,
  renderRootDifferencesHtml,
  renderRootsHtml,
} from './report/html';
export { renderDifferenceJson, renderJson, SCHEMA_VERSIONS } from './report/json';
export type { SchemaVersion } from './report/json';
export { renderOpenCostCsv, renderOpenCostJson } from './report/costs/opencost';
export { renderMarkdown } from './report/markdown';
export { renderRootsMarkdown } from './report/markdown/roots';
export { acknowledgedOfRoots, findingsOfRoots, printableRoot, renderRootsText, shortNames } from './report/text/roots';
export type { RootRow, RootVerdict } from './report/text/roots';
export { renderDifferenceMarkdown } from './report/markdown/difference';
export { renderRootDifferencesMarkdown } from './report/markdown/difference-roots';
export { nodeCountText, priceSourcesText } from './report/wording';
export { rulePageUrl } from './report/rule-page';
export { renderCodeQuality } from './report/code-quality';
export { renderUnix } from './report/unix';
export { renderSarif } from './report/sarif';
export type { RuleText, SarifOptions } from './report/sarif';
export { renderParts, renderText } from './report/text/verdict';
export type { TextOptions } from './report/wording';
export { progressOfUnit } from './progress';
export type { ProgressListener, ProgressStep } from './progress';
export { fixFiles, unifiedDiff } from './fixes';
export type { AppliedFix, FixedFiles } from './fixes';
export * from './vocabulary/verdict';
export { chapterOf, RULE_CHAPTERS, RULES } from './rules';
export type { Outcome, Rule, RuleContext, RuleFinding, Severity } from './rules';
export { renderNodesJson, renderNodesText } from './report/scenario/nodes';
export { renderScenariosText } from './report/scenario/text';
export type { NodeDrift } from './drift';
export { allowingBudgets, budgetCalendars, explainNodes, isTimeZone, parseWindows } from './scenario';
export type { AllowingBudgets, BudgetCalendars } from './scenario';
export {
  budgetSpecs,
  renderAllowingBudgets,
  renderBudgetsJson,
  renderBudgetsText,
} from './report/scenario/budgets';
export type { NodeExplanation, NodeExplanations } from './scenario';
export { SCENARIO_NAMES, ScenarioSession, simulateScenario, simulateScenarios, UnknownTargetError } from './scenario';
export type { SkippedScenario, ScenarioResult, SimulatedScenario, ReadyWorkload } from './scenario';
export { readSession } from './context/check-session';
export type { CheckSession } from './context/check-session';
export { templateDigest } from './template';
export { objectsNotEvaluated } from './context/not-evaluated';
