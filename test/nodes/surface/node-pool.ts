import { Cron, Duration } from 'cdk8s';
import { FieldCase } from './field-case';
import { limitCases } from './limits';
import * as nodes from '../../../src/nodes';
import { newChart } from '../fixtures';

const {
  Consolidation,
  ConsolidationPolicy,
  DisruptionBudget,
  DisruptionReason,
  Expiration,
  InstanceFamily,
  Requirement,
  TaintEffect,
} = nodes;

const nodeClass = nodes.EC2NodeClass.fromEC2NodeClassName(newChart(), 'class', 'default');
const nameless = nodes.EC2NodeClass.fromEC2NodeClassName(newChart(), 'class', '');
const daily = Cron.schedule({ minute: '0', hour: '9' });
const families = [InstanceFamily.M5, InstanceFamily.M6I];
const budget = (options: nodes.DisruptionBudgetOptions) => ({
  disruption: { budgets: [DisruptionBudget.percent(10, options)] },
});

export const NODE_POOL_NEEDS: nodes.NodePoolProps = { nodeClass };

export const NODE_POOL_CASES: ReadonlyArray<FieldCase<nodes.NodePoolProps>> = [
  ...['group', 'kind', 'name'].map(
    (part): FieldCase<nodes.NodePoolProps> => ({
      field: `spec.template.spec.nodeClassRef.${part}`,
      prop: 'nodeClass',
      props: { nodeClass },
      value: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }[part],
      ...(part === 'name' && { misuse: { nodeClass: nameless } }),
    }),
  ),
  {
    field: 'spec.template.spec.requirements[].key',
    prop: 'requirements',
    by: 'Requirement.instanceFamily',
    props: { requirements: [Requirement.instanceFamily().exists()] },
    value: 'karpenter.k8s.aws/instance-family',
    misuse: { requirements: [Requirement.of('kubernetes.io/hostname').exists()] },
  },
  {
    field: 'spec.template.spec.requirements[].operator',
    prop: 'requirements',
    by: 'IntegerLabel.greaterThanOrEqual',
    props: { requirements: [Requirement.instanceCpu().greaterThanOrEqual(4)] },
    value: 'Gte',
  },
  {
    field: 'spec.template.spec.requirements[].values[]',
    prop: 'requirements',
    by: 'InstanceFamilyLabel.in',
    props: { requirements: [Requirement.instanceFamily().in(...families)] },
    value: 'm5',
    misuse: { requirements: [Requirement.instanceFamily().in()] },
    misusedField: 'spec.template.spec.requirements[].values',
  },
  {
    field: 'spec.template.spec.requirements[].minValues',
    prop: 'requirements',
    by: 'Requirement.withMinValues',
    props: {
      requirements: [
        Requirement.instanceFamily()
          .in(...families)
          .withMinValues(2),
      ],
    },
    value: 2,
    misuse: {
      requirements: [
        Requirement.instanceFamily()
          .in(...families)
          .withMinValues(3),
      ],
    },
  },
  {
    field: 'spec.template.metadata.labels',
    prop: 'labels',
    props: { labels: { team: 'a' } },
    value: { team: 'a' },
    misuse: { labels: { team: 'a b' } },
    misusedField: 'spec.template.metadata.labels.team',
  },
  {
    field: 'spec.template.metadata.annotations',
    prop: 'annotations',
    props: { annotations: { note: 'any text' } },
    value: { note: 'any text' },
  },
  ...(['taints', 'startupTaints'] as const).flatMap(taintCases),
  {
    field: 'spec.template.spec.expireAfter',
    prop: 'expireAfter',
    by: 'Expiration.after',
    props: { expireAfter: Expiration.after(Duration.days(30)) },
    value: '720h',
    misuse: { expireAfter: Expiration.after(Duration.millis(1500)) },
  },
  {
    field: 'spec.template.spec.expireAfter',
    prop: 'expireAfter',
    by: 'Expiration.never',
    props: { expireAfter: Expiration.never() },
    value: 'Never',
  },
  {
    field: 'spec.template.spec.terminationGracePeriod',
    prop: 'terminationGracePeriod',
    props: { terminationGracePeriod: Duration.minutes(90) },
    value: '1h30m',
    misuse: { terminationGracePeriod: Duration.millis(1) },
  },
  {
    field: 'spec.disruption.consolidationPolicy',
    prop: 'disruption.consolidationPolicy',
    props: { disruption: { consolidationPolicy: ConsolidationPolicy.BALANCED } },
    value: 'Balanced',
  },
  {
    field: 'spec.disruption.consolidateAfter',
    prop: 'disruption.consolidateAfter',
    by: 'Consolidation.after',
    props: { disruption: { consolidateAfter: Consolidation.after(Duration.seconds(61)) } },
    value: '1m1s',
    misuse: { disruption: { consolidateAfter: Consolidation.after(Duration.millis(1)) } },
  },
  {
    field: 'spec.disruption.consolidateAfter',
    prop: 'disruption.consolidateAfter',
    by: 'Consolidation.never',
    props: { disruption: { consolidateAfter: Consolidation.never() } },
    value: 'Never',
  },
  {
    field: 'spec.disruption.budgets[].nodes',
    prop: 'disruption.budgets',
    by: 'DisruptionBudget.percent',
    props: { disruption: { budgets: [DisruptionBudget.percent(20)] } },
    misuseAtCall: () => DisruptionBudget.percent(101),
    value: '20%',
  },
  {
    field: 'spec.disruption.budgets[].nodes',
    prop: 'disruption.budgets',
    by: 'DisruptionBudget.nodes',
    props: { disruption: { budgets: [DisruptionBudget.nodes(0)] } },
    misuseAtCall: () => DisruptionBudget.nodes(-1),
    value: '0',
  },
  {
    field: 'spec.disruption.budgets[].reasons[]',
    prop: 'disruption.budgets',
    by: 'DisruptionBudgetOptions.reasons',
    props: budget({ reasons: [DisruptionReason.DRIFTED] }),
    value: 'Drifted',
  },
  {
    field: 'spec.disruption.budgets[].schedule',
    prop: 'disruption.budgets',
    by: 'DisruptionBudgetOptions.schedule',
    props: budget({ schedule: daily, duration: Duration.hours(8) }),
    value: '0 9 * * *',
    misuseAtCall: () => budget({ duration: Duration.hours(8) }),
  },
  {
    field: 'spec.disruption.budgets[].duration',
    prop: 'disruption.budgets',
    by: 'DisruptionBudgetOptions.duration',
    props: budget({ schedule: daily, duration: Duration.minutes(510) }),
    value: '8h30m',
    misuse: budget({ schedule: daily, duration: Duration.seconds(30) }),
  },
  ...limitCases<nodes.NodePoolProps>((limits) => ({ limits })),
  {
    field: 'spec.limits',
    prop: 'limits.nodes',
    props: { limits: { nodes: 5 } },
    value: { nodes: '5' },
    misuse: { limits: { nodes: -1 } },
    misusedField: 'spec.limits.nodes',
  },
  { field: 'spec.weight', prop: 'weight', props: { weight: 100 }, value: 100, misuse: { weight: 101 } },
  { field: 'spec.replicas', prop: 'replicas', props: { replicas: 3 }, value: 3, misuse: { replicas: -1 } },
];

function taintCases(list: 'taints' | 'startupTaints'): Array<FieldCase<nodes.NodePoolProps>> {
  const taint: nodes.Taint = {
    key: 'example.com/batch',
    value: 'true',
    effect: TaintEffect.NO_EXECUTE,
    timeAdded: new Date('2026-01-31T12:00:00Z'),
  };
  const one = (change: object) => ({ [list]: [{ ...taint, ...change }] });
  return [
    {
      field: `spec.template.spec.${list}[].key`,
      prop: `${list}.key`,
      props: one({}),
      value: 'example.com/batch',
      misuse: one({ key: 'a b' }),
    },
    {
      field: `spec.template.spec.${list}[].value`,
      prop: `${list}.value`,
      props: one({}),
      value: 'true',
      misuse: one({ value: 'a b' }),
    },
    { field: `spec.template.spec.${list}[].effect`, prop: `${list}.effect`, props: one({}), value: 'NoExecute' },
    {
      field: `spec.template.spec.${list}[].timeAdded`,
      prop: `${list}.timeAdded`,
      props: one({}),
      value: '2026-01-31T12:00:00Z',
      misuse: one({ timeAdded: new Date(NaN) }),
    },
  ];
}
