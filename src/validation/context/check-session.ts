import { keepFirstCluster, checkContextFor, CheckContext, LoadCatalog } from './check-context';
import { SettledFleets, settleFleets } from './settled-fleets';
import { Catalog } from '../../catalog';
import { isKnownKarpenterVersion, NEWEST_KARPENTER_VERSION, OLDEST_KARPENTER_VERSION } from '../../contract';
import {
  passesWithoutReasons,
  planOfPasses,
  ProvisioningPass,
  provisioningPasses,
  ScheduleInput,
  SchedulePlan,
} from '../../scheduling';
import { CheckOptions } from '../check-options';
import { Controller, findControllers } from '../controller';
import { Input, inputForCluster, readInput } from '../input';
import { ManifestModel, SourceFile } from '../manifest';
import { ObjectFix } from '../manifest/edit/fix-of';
import { clusterLabels } from '../template';

/** Everything that a rule may read. Rules never change it. */
export interface RuleContext extends CheckContext {
  /** That of the representative settled fleet, if fleets are settled. */
  readonly plan: SchedulePlan;
  /** The plan of Karpenter's passes alone, without what kube-scheduler and the random names of nodes change. */
  readonly passesPlan: SchedulePlan;
  /** @default - fleets are not settled */
  readonly settled?: SettledFleets;
  /** The input of Karpenter's last provisioning pass, in which all pods are pending whose nodes are not up yet. */
  readonly lastInput: ScheduleInput;
  /** How Karpenter itself runs, if that is known; several if the input installs it several times. */
  readonly controllers: readonly Controller[];
  /** Whether a remedy is tried. Then nothing is tried in turn. @default false */
  readonly isTrial?: boolean;
  /** What becomes worse with these changes, as a clause. @default - changes are not tried */
  objectionTo?(changes: readonly ObjectFix[]): string | undefined;
}

/**
 * The manifests of one cluster, read once and scheduled at most once. The verdict, explanations, scenarios and
 * differences of one command share it.
 */
export class CheckSession implements CheckContext {
  public readonly model: ManifestModel;
  public readonly options: CheckOptions;
  /** The feature gates of the caller; `options` also has those of Karpenter's settings in the input. */
  public readonly givenGates: CheckOptions['featureGates'];
  public readonly catalog: Catalog;
  public readonly input: ScheduleInput;
  private scheduled?: readonly ProvisioningPass[];
  private rules?: RuleContext;

  /** Use `readSession` or `readSessions`. */
  public constructor(
    public readonly sources: readonly SourceFile[],
    input: Input,
    given: CheckOptions,
    loadCatalog?: LoadCatalog,
  ) {
    const context = checkContextFor(input, given, loadCatalog);
    this.model = context.model;
    this.options = context.options;
    this.givenGates = given.featureGates;
    this.catalog = context.catalog;
    this.input = context.input;
  }

  /** Karpenter's provisioning passes. The pods are scheduled on the first call. */
  get passes(): readonly ProvisioningPass[] {
    const { onProgress } = this.options;
    this.scheduled ??= provisioningPasses(this.input, this.catalog, {
      onPass: (done) => onProgress?.({ task: 'scheduling pods, pass', done }),
    });
    return this.scheduled;
  }

  /** In later passes of the plan only the deferred pods are pending, but a change of any pod may help these. */
  private lastInput(): ScheduleInput {
    const { passes, input, catalog } = this;
    if (passes.length === 1) return input;
    const rescheduling = passesWithoutReasons(input, catalog, { keepsPlacedPods: false });
    return rescheduling[rescheduling.length - 1].input;
  }

  /** The context of the rules, which includes the plan. */
  get ruleContext(): RuleContext {
    this.rules ??= this.newRuleContext();
    return this.rules;
  }

  /** The same context with the plan of Karpenter's passes alone. */
  get passesContext(): RuleContext {
    const { settled, ...context } = this.ruleContext;
    if (settled === undefined) return context;
    return { ...context, plan: context.passesPlan, lastInput: this.lastInput() };
  }

  private newRuleContext(): RuleContext {
    const { model, options, catalog, input, passes } = this;
    const passesPlan = planOfPasses(passes);
    const settled = options.settle && settleFleets(this, passes, options.settle);
    return {
      model,
      options,
      catalog,
      input,
      plan: settled?.plan ?? passesPlan,
      passesPlan,
      ...(settled === undefined ? {} : { settled }),
      lastInput: settled?.lastInput ?? this.lastInput(),
      controllers: findControllers(model, options),
    };
  }
}

/**
 * Reads the files. If templates apply manifests to several clusters, the session is of the first.
 *
 * @param loadCatalog @default - `Catalog.load`
 * @throws Error if an option has an invalid value
 */
export function readSession(
  sources: readonly SourceFile[],
  given: CheckOptions = {},
  loadCatalog?: LoadCatalog,
): CheckSession {
  return new CheckSession(sources, keepFirstCluster(readFiles(sources, given)), given, loadCatalog);
}

/** The session of one cluster. Without `cluster`, no template applies manifests to a cluster. */
export interface ClusterSession {
  readonly cluster?: string;
  readonly session: CheckSession;
}

/**
 * Like `readSession`, once for each cluster that the templates apply manifests to.
 *
 * @throws Error if an option has an invalid value
 */
export function readSessions(sources: readonly SourceFile[], given: CheckOptions = {}): ClusterSession[] {
  const input = readFiles(sources, given);
  if (input.clusters.length === 0) return [{ session: new CheckSession(sources, input, given) }];
  const labels = clusterLabels(input.clusters);
  return input.clusters.map((cluster, i) => ({
    cluster: labels[i],
    session: new CheckSession(sources, inputForCluster(input, cluster), given),
  }));
}

function readFiles(sources: readonly SourceFile[], given: CheckOptions): Input {
  checkVersion(given.karpenterVersion);
  given.onProgress?.({ task: 'reading manifests' });
  return readInput(sources, given);
}

function checkVersion(version: string | undefined): void {
  if (version === undefined || isKnownKarpenterVersion(version)) return;
  throw new Error(
    `karpenterVersion: unsupported version ${JSON.stringify(version)}; write a version from ${OLDEST_KARPENTER_VERSION} to ${NEWEST_KARPENTER_VERSION}`,
  );
}
