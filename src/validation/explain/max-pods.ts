import { removeField, unsafeFix } from '../../contract';
import { leftBehind, passesWithoutReasons } from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { ObjectFix } from '../manifest/edit/fix-of';

type LastPass = Pick<RuleContext, 'model' | 'plan' | 'lastInput' | 'catalog' | 'objectionTo'>;

interface MaxPodsChange {
  readonly description: string;
  readonly tried: number;
  readonly edits: readonly ObjectFix[];
}

const KUBELET = ['spec', 'kubelet'];

/** Pods for which the daemonsets leave no room below `kubelet.maxPods`, and that fit without this bound. */
export function maxPodsChanges(context: LastPass, pending: ReadonlySet<number>): Map<number, MaxPodsChange> {
  const { model, plan, lastInput, catalog } = context;
  const crowded = plan.unschedulable
    .filter(({ group, reasons }) => pending.has(group) && reasons.some(isShortOfPods))
    .map(({ group }) => group);
  const changes = new Map<number, MaxPodsChange>();
  if (crowded.length === 0) return changes;
  for (const [name, facts] of lastInput.nodeClasses) {
    const { object } = model.nodeClasses.find((manifest) => manifest.object.name === name) ?? {};
    const { maxPods, ...kubelet } = facts.kubelet ?? {};
    if (object === undefined || maxPods === undefined) continue;
    const nodeClasses = new Map(lastInput.nodeClasses).set(name, { ...facts, kubelet });
    const passes = passesWithoutReasons({ ...lastInput, nodeClasses }, catalog);
    const left = leftBehind(passes[passes.length - 1].solved);
    const isOnly = Object.keys(object.raw.spec?.kubelet ?? {}).length === 1;
    const edits = [{ object, fix: unsafeFix(removeField(isOnly ? KUBELET : [...KUBELET, 'maxPods'])) }];
    if ([...left.keys()].some((group) => !pending.has(group)) || context.objectionTo?.(edits) !== undefined) continue;
    const description = `remove kubelet.maxPods: ${maxPods} of EC2NodeClass ${name}, so that Karpenter computes it for each type`;
    for (const group of crowded)
      if (!left.has(group) && !changes.has(group)) changes.set(group, { description, tried: 1, edits });
  }
  return changes;
}

function isShortOfPods({ diagnosis = '' }: { readonly diagnosis?: string }): boolean {
  return /\bneeds [\d,]+ pods?\b/.test(diagnosis);
}
