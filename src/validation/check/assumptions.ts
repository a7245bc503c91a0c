import { pendingChoiceAssumptions } from './pending-choice';
import { quotaAssumptions } from './quotas';
import { amiFamilyTraits } from '../../catalog';
import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION, parseKarpenterVersion, releaseFor } from '../../contract';
import { countText, listText, shortListText } from '../../model';
import { deferredPods, PodShape, ProvisioningPass, ScheduleInput } from '../../scheduling';
import { CheckOptions } from '../check-options';
import { eksctlClusters } from '../cluster/node-groups';
import { storageClassAssumptions } from '../context/assumed-storage';
import { subnetZoneAssumptions } from '../context/class-zones';
import { decidedRegion } from '../context/decided-region';
import { objectsNotEvaluated } from '../context/not-evaluated';
import { placementGroupsByClass, UNKNOWN_GROUP } from '../context/placement-groups';
import { referredRegion } from '../context/referred-region';
import { classesWithUnknownReservations } from '../context/reservations';
import { stockNodeClassAssumptions } from '../context/stock-node-class';
import { assumedDaemonSets, systemDaemonSetAssumptions } from '../context/system-daemon-sets';
import { controllerAssumptions } from '../controller';
import { Autoscalers, ManifestModel } from '../manifest';
import { byCodePoint } from '../order';
import { RuleContext } from '../rules';

/**
 * Sentences about everything that the verdict assumes or leaves out, in the order in which reports list them.
 *
 * @param rulesNotEvaluated sentences about objects that a rule could not evaluate
 */
export function verdictAssumptions(
  context: RuleContext,
  passes: readonly ProvisioningPass[],
  rulesNotEvaluated: readonly string[],
): string[] {
  return [
    ...stockNodeClassAssumptions(context.model),
    ...objectsNotEvaluated(context.model).sentences,
    versionAssumption(context),
    ...differences(context),
    ...conversionAssumptions(context),
    ...controllerAssumptions(context.controllers, context.options),
    ...crdAssumptions(context.options),
    ...regionAssumptions(context),
    ...subnetZoneAssumptions(context.model),
    ...clusterAssumptions(context),
    ...systemDaemonSetAssumptions(context.model, context.options),
    ...addonAssumptions(context),
    ...storageClassAssumptions(context.model, context.options),
    ...autoscalerAssumptions(context),
    ...catalogAssumptions(context),
    ...uncertainOffers(context),
    ...windowsAssumptions(context),
    ...overlayAssumptions(context),
    ...placementGroupAssumptions(context),
    ...unknownReservationAssumptions(context),
    ...unknownZoneAssumptions(context.model),
    ...staticPoolAssumptions(context),
    ...quotaAssumptions(context),
    ...passAssumptions(passes),
    ...pendingChoiceAssumptions(context),
    ...sorted([...new Set(rulesNotEvaluated)]),
  ];
}

/** NodePools whose zones are known only at deployment. */
function unknownZoneAssumptions({ nodePools }: ManifestModel): string[] {
  const names = nodePools.flatMap(({ object, spec, hasUnknownZones }) =>
    spec && hasUnknownZones ? [object.name] : [],
  );
  const which = `NodePool${names.length === 1 ? '' : 's'} ${shortListText(names, 3)}`;
  return names.length === 0
    ? []
    : [`the zones of ${which} are known only at deployment: all zones of the region that are known are taken`];
}

/** Karpenter's version, and what does not follow it: scheduling and disruption are those of the newest release. */
function versionAssumption({ options: { karpenterVersion, servingVersion }, model }: RuleContext): string {
  const isUnknown = karpenterVersion === undefined && servingVersion === undefined && model.isReleaseUnknown === true;
  if (isUnknown)
    return `Karpenter is ${NEWEST_KARPENTER_VERSION}, by assumption: only Terraform knows the version of its helm_release; pass it with --karpenter-version`;
  const version = karpenterVersion ?? servingVersion ?? NEWEST_KARPENTER_VERSION;
  const minor = (text: string) => parseKarpenterVersion(text)?.slice(0, 2).join('.');
  if (minor(version) === minor(NEWEST_KARPENTER_VERSION)) return `Karpenter is ${version}`;
  return (
    `Karpenter is ${version}: ${servingVersion === undefined ? 'fields and rules are' : 'served API versions are'} those of this release, ` +
    `decisions those of ${NEWEST_KARPENTER_VERSION}, which may differ`
  );
}

/** Decisions of older releases that differ for objects of the input. */
const DIFFERENCES: ReadonlyArray<{
  readonly before: string;
  readonly text: string;
  readonly matters: (model: ManifestModel) => boolean;
}> = [
  {
    // buildDaemonOverheadGroups in pkg/controllers/provisioning/scheduling/scheduler.go is not in Karpenter 1.13.0.
    before: '1.14.0',
    text: 'a DaemonSet that only some instance types of a NodePool can run counts on all of them, and may leave pods no room',
    matters: ({ workloads }) =>
      workloads.some(({ kind, shape }) => kind === 'DaemonSet' && shape !== undefined && hasNodeSelection(shape)),
  },
  {
    // volumeReqsByPod in pkg/controllers/provisioning/scheduling/scheduler.go is not in Karpenter 1.8.2.
    before: '1.9.0',
    text: 'the zone of a volume counts as the only domain of its pod in a topology spread',
    matters: ({ workloads }) =>
      workloads.some(({ shape }) => shape?.staysInZone === true && (shape.topologySpread ?? []).length > 0),
  },
];

function hasNodeSelection({ nodeSelector, requiredNodeAffinity }: PodShape): boolean {
  return Object.keys(nodeSelector).length + requiredNodeAffinity.length > 0;
}

function differences({ options: { karpenterVersion, servingVersion }, model }: RuleContext): string[] {
  const version = karpenterVersion ?? servingVersion ?? NEWEST_KARPENTER_VERSION;
  return DIFFERENCES.filter(
    ({ before, matters }) => compareKarpenterVersions(version, before) < 0 && matters(model),
  ).map(({ before, text }) => `before Karpenter ${before}, ${text}`);
}

/** Objects that are judged in another form than they are written in. */
function conversionAssumptions({ model: { objects, nodePools, nodeClasses } }: RuleContext): string[] {
  const written = new Set(objects);
  const isAnyConverted = [...nodePools, ...nodeClasses].some(({ object }) => !written.has(object));
  return isAnyConverted
    ? [
        'objects of older API versions of Karpenter are judged as the v1 objects that karpenter-constructs convert writes',
      ]
    : [];
}

/** What names the region, if no manifest requires it. */
function regionAssumptions({ model, options: { region } }: RuleContext): string[] {
  const referred = decidedRegion({}, model).by === 'references' ? referredRegion(model) : undefined;
  if (referred === undefined || referred.region !== region) return [];
  return [`the region is ${region}, which ${referred.source} of the input ${referred.isOne ? 'names' : 'name'}`];
}

/** Which CRDs are used, if they are not those of the given Karpenter version. */
function crdAssumptions({ karpenterVersion = NEWEST_KARPENTER_VERSION, crds }: CheckOptions): string[] {
  if (crds) return ['the cluster has the given CRDs'];
  const release = releaseFor(karpenterVersion);
  const minor = (version: string) => version.replace(/^v/, '').split('.').slice(0, 2).join('.');
  if (minor(release) === minor(karpenterVersion)) return [];
  return [`Karpenter ${karpenterVersion} has the same CRDs as ${release}, the next release with known CRDs`];
}

function clusterAssumptions(context: RuleContext): string[] {
  const {
    model: { cluster },
    input,
  } = context;
  if (!cluster) return ['the cluster is empty: all pods are pending at the same time'];
  const staying = cluster.nodes.filter(({ markedForDeletion }) => !markedForDeletion);
  const pods = staying.reduce((sum, node) => sum + node.pods.length, 0);
  return [
    `the cluster keeps ${countText(staying.length, 'node')} with ${countText(pods, 'pod')}: running pods stay where they are, even if their workload changes`,
    'each workload schedules only the pods that it does not have in the cluster yet, all at the same time',
    ...cluster.notes,
    ...missingDaemonSetNotes(context),
    ...reservationAssumptions(input),
  ];
}

/** DaemonSets whose pods the cluster runs, and that are neither in the input nor assumed. */
function missingDaemonSetNotes({ model, options }: RuleContext): string[] {
  const assumed = assumedDaemonSets(model, options).map(({ namespace, name }) => `${namespace}/${name}`);
  return model
    .cluster!.missingDaemonSets.filter((name) => !assumed.includes(name))
    .map((name) => `DaemonSet ${name} is not in the input: new nodes are planned without its pods`);
}

function reservationAssumptions({ nodeClasses }: ScheduleInput): string[] {
  const reservations = [...nodeClasses.values()].flatMap((facts) => facts.reservations ?? []);
  const uncounted = sorted([...new Set(reservations.filter(({ free }) => free === undefined).map(({ id }) => id))]);
  return [
    ...(reservations.length === 0
      ? []
      : [
          'reserved capacity is paid for in any case, so it counts as a ten-millionth of the on-demand price, as in Karpenter',
        ]),
    ...(uncounted.length === 0
      ? []
      : [
          `these capacity reservations have room for every node, because their free instances are unknown: ${listText(uncounted)}`,
        ]),
  ];
}

/** DaemonSets that EKS add-ons run on each node, by the name of the add-on. */
const ADDON_DAEMON_SETS: ReadonlyMap<string, string> = new Map([
  ['vpc-cni', 'aws-node'],
  ['kube-proxy', 'kube-proxy'],
  ['aws-ebs-csi-driver', 'ebs-csi-node'],
  ['aws-efs-csi-driver', 'efs-csi-node'],
  ['aws-mountpoint-s3-csi-driver', 's3-csi-node'],
  ['eks-node-monitoring-agent', 'eks-node-monitoring-agent'],
]);

/** The requests of add-ons depend on their version and their configuration. */
function addonAssumptions({ model: { objects, cluster }, input: { daemonSets } }: RuleContext): string[] {
  if (cluster) return [];
  const isCounted = (addon: string) => daemonSets.some(({ name }) => name === ADDON_DAEMON_SETS.get(addon));
  const missing = eksctlClusters(objects)
    .flatMap(({ addons }) => addons)
    .filter((addon) => ADDON_DAEMON_SETS.has(addon) && !isCounted(addon));
  if (missing.length === 0) return [];
  return [
    `the DaemonSets of the EKS add-ons ${listText(sorted([...new Set(missing)]))} are not in the input: their requests on each node are not counted`,
  ];
}

/** Autoscalers may add pods to a workload: how many depends on load, which is unknown here. */
function autoscalerAssumptions({ model: { objects, cluster, workloads } }: RuleContext): string[] {
  const autoscalers = new Autoscalers([...(cluster?.objects ?? []), ...objects]);
  return workloads.flatMap(({ kind, namespace, name, replicas, object }) => {
    const range = autoscalers.rangeOf(kind, namespace, name);
    const named = object.madeBy ?? object;
    if (!range || replicas === 0 || range.max <= replicas) return [];
    return [
      `${named.kind} ${namespace}/${named.name} has ${countText(replicas, 'pod')}; ${range.autoscaler} may scale it to ${range.max}`,
    ];
  });
}

/** Without a node, existing or planned, no price, zone or instance type matters. */
function catalogAssumptions({ catalog, input, model: { cluster } }: RuleContext): readonly string[] {
  return input.nodePools.length === 0 && cluster === undefined ? [] : catalog.assumptions;
}

/** Planned instance types that only some zones of the region offer, if the zones are known by name only. */
function uncertainOffers({ plan, catalog }: RuleContext): string[] {
  const sentences = plan.nodeClaims.flatMap(({ launch }) => {
    if (!launch) return [];
    const { instanceType, zone } = launch.cheapest;
    const offer = catalog.uncertainOffer(instanceType, zone);
    if (!offer) return [];
    return [
      `${instanceType} is offered in ${offer.offering} of the ${offer.zones} zones of ${catalog.region}: whether ${zone} is one of them depends on the account`,
    ];
  });
  return sorted([...new Set(sentences)]);
}

/** EC2 charges the licence of Windows on top of the prices of Linux, which Karpenter compares. */
function windowsAssumptions({ input, plan }: RuleContext): string[] {
  const windows = input.nodePools.filter(
    ({ name, nodeClass }) =>
      plan.nodeClaims.some(({ nodePool }) => nodePool === name) &&
      amiFamilyTraits(input.nodeClasses.get(nodeClass)?.amiFamily ?? '').windowsBuild !== undefined,
  );
  return windows.length === 0
    ? []
    : [
        `Windows nodes (NodePool ${listText(sorted(windows.map(({ name }) => name)))}) are compared at the prices of Linux, as in Karpenter; the cost includes the Windows licence, derived from prices of 2025-05-28`,
      ];
}

function overlayAssumptions({ input, plan }: RuleContext): string[] {
  const withPrices = (input.nodeOverlays ?? []).filter(
    ({ name, priceChange }) =>
      priceChange !== undefined && !plan.overlayConflicts.some(({ overlay }) => overlay === name),
  );
  return withPrices.length === 0
    ? []
    : [`prices are changed by these NodeOverlays: ${listText(sorted(withPrices.map(({ name }) => name)))}`];
}

/** How many instances a placement group takes, and where, is known only when EC2 rejects one. */
function placementGroupAssumptions({ model }: RuleContext): string[] {
  return [...placementGroupsByClass(model)]
    .sort(([left], [right]) => byCodePoint(left, right))
    .map(([name, group]) => {
      const which =
        group === UNKNOWN_GROUP
          ? 'a placement group that is not in the input'
          : `the placement group ${group.id} (${group.strategy})`;
      const types =
        group !== UNKNOWN_GROUP && group.strategy === 'cluster'
          ? ', except for burstable, flexible and very old instance types'
          : '';
      return `EC2NodeClass ${name} launches into ${which}: the group has room for every node${types}`;
    });
}

/** Classes that are in the cluster files have a note of their own. */
function unknownReservationAssumptions({ model, options }: RuleContext): string[] {
  return classesWithUnknownReservations(model, options)
    .filter((name) => !model.cluster?.nodeClassStatuses.has(name))
    .map((name) => `EC2NodeClass ${name} selects capacity reservations that are not in the input: none is used`);
}

function staticPoolAssumptions({ input, plan }: RuleContext): string[] {
  return input.nodePools.flatMap(({ name, replicas }) => {
    const nodes = replicas === undefined ? [] : plan.nodeClaims.filter(({ nodePool }) => nodePool === name);
    const offer = nodes[0]?.launch?.cheapest;
    if (!offer) return [];
    const subject = `its ${countText(nodes.length, 'node is', 'nodes are')}`;
    return [
      `NodePool ${name} is static: ${subject} ${offer.instanceType} ${offer.capacityType} in ${offer.zone}, launched before any pod is scheduled`,
    ];
  });
}

/** Pods that a pass of Karpenter's provisioner defers, and that a later pass schedules. */
function passAssumptions(passes: readonly ProvisioningPass[]): string[] {
  const [first] = passes;
  const last = passes[passes.length - 1];
  const unscheduled = new Set(last.plan.unschedulable.map(({ pod }) => pod));
  const { byLimits, byOtherPods, byDaemonSets } = deferredPods(first);
  const [limitCount, otherPodCount, daemonSetCount] = [byLimits, byOtherPods, byDaemonSets].map(
    (pods) => pods.filter(({ pod }) => !unscheduled.has(pod)).length,
  );
  return [
    ...passes
      .slice(0, -1)
      .map((pass) => deferredPods(pass).byReservations.length)
      .filter((count) => count > 0)
      .map(
        (count) =>
          `${podsWait(count)} for another pass: until earlier nodes are launched, they hold every capacity reservation that they could use`,
      ),
    ...(limitCount === 0
      ? []
      : [
          `${podsWait(limitCount)} for later passes of Karpenter (${passes.length} in all): until a node is launched, it counts against ` +
            'the limits of its NodePool as the largest instance type that it could be',
        ]),
    ...(otherPodCount === 0
      ? []
      : [
          `${podsWait(otherPodCount)} for later passes of Karpenter (${passes.length} in all): they must share or avoid the zone, or ` +
            'another domain, of pods whose domain is unknown until their node is launched',
        ]),
    ...(daemonSetCount === 0
      ? []
      : [
          `${podsWait(daemonSetCount)} for later passes of Karpenter (${passes.length} in all): until a node is launched, it keeps room ` +
            'for every DaemonSet that it could run',
        ]),
  ];
}

function podsWait(count: number): string {
  return countText(count, 'pod waits', 'pods wait');
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort(byCodePoint);
}
