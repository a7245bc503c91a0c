import type { ScenarioOptions } from '../../disruption';
import { countText, monthlyAmountText } from '../../model';
import type {
  CheckOptions,
  RootVerdict,
  ScenarioResult,
  SimulatedScenario,
  SourceFile,
  TextOptions,
} from '../../validation';
import { withoutInternalError } from '../input/input-problem';
import { lazy } from '../lazy';

/** What is simulated on each root. */
export interface RootScenarios {
  readonly names: readonly SimulatedScenario[];
  readonly options: ScenarioOptions;
}

/** A root with what the scenarios do to its nodes. */
export interface SimulatedRoot extends RootVerdict {
  /** @default - the root has no nodes */
  readonly scenarios?: ScenarioResult;
  /** Why the scenarios of the root have no result. */
  readonly notSimulated?: string;
}

/** The verdict on a root, and its scenarios if it has nodes. */
export function simulatedRoot(
  sources: readonly SourceFile[],
  options: CheckOptions,
  { names, options: scenarioOptions }: RootScenarios,
): Pick<SimulatedRoot, 'verdict' | 'scenarios' | 'notSimulated'> {
  const { validation } = lazy;
  const { session, verdict } = validation.checkedSession(sources, options);
  if (verdict.nodes.length === 0) return { verdict };
  const scenarios = withoutInternalError(options, () => validation.simulateScenarios(session, names, scenarioOptions));
  return typeof scenarios === 'string' ? { verdict, notSimulated: scenarios } : { verdict, scenarios };
}

/** The scenarios of all roots: roots with the same result share it, and what all simulations assume is printed once. */
export function scenariosOfRootsText(given: readonly SimulatedRoot[], options: TextOptions): string {
  const { validation } = lazy;
  const roots = validation.shortNames(given.map(validation.printableRoot));
  const namesByText = new Map<string, string[]>();
  for (const { name, scenarios, notSimulated } of roots) {
    if (scenarios === undefined && notSimulated === undefined) continue;
    const text = scenarios
      ? validation.renderScenariosText({ ...scenarios, assumptions: [] }, options)
      : `${notSimulated}\n`;
    namesByText.set(text, [...(namesByText.get(text) ?? []), name]);
  }
  const assumptions = new Set(roots.flatMap(({ scenarios }) => scenarios?.assumptions ?? []));
  return [
    ...(namesByText.size === 0 ? ['No root has nodes to simulate.\n'] : []),
    ...onTheTable(roots),
    ...[...namesByText].map(([text, names]) => `== ${names.join(', ')} ==\n${text}`),
    ...(assumptions.size === 0
      ? []
      : [`Assumptions of the simulations\n${[...assumptions].map((sentence) => `  - ${sentence}\n`).join('')}`]),
  ].join('\n');
}

/** What consolidation leaves on the table in all roots together, if several have something left. */
function onTheTable(roots: readonly SimulatedRoot[]): string[] {
  const savings = roots.flatMap(({ scenarios }) => {
    const saved = (scenarios?.reports ?? []).reduce((sum, { stays }) => sum + (stays?.savesUsdPerHour ?? 0), 0);
    return saved > 0 ? [{ saved, currency: scenarios!.currency ?? 'USD' }] : [];
  });
  const currencies = new Set(savings.map(({ currency }) => currency));
  if (savings.length < 2 || currencies.size > 1) return [];
  const total = savings.reduce((sum, { saved }) => sum + saved, 0);
  return [
    `${monthlyAmountText(total, savings[0].currency)} a month stay on the table in ${countText(savings.length, 'root')}.\n`,
  ];
}
