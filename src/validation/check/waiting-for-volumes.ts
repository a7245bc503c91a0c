import { asRecord } from '../../contract';
import { podGroupIndices } from '../context/schedule-input';
import { WorkloadManifest } from '../manifest';
import { recordsOf, stringOrUndefined } from '../manifest/records';
import { RuleContext } from '../rules';
import { podSpecOf } from '../rules/common/pod-constraints';
import { classNameOf, storageClassesOf, writtenClaims } from '../rules/storage/written-claims';
import { Finding } from '../vocabulary/verdict';

const ZONES = 'KARP-216';
const KINDS: readonly string[] = ['StorageClass', 'PersistentVolume'];
/** A NodePool would take the pod without its volumes. */
const ONLY_VOLUMES = /^the pod's volumes need |instance types? would fit without the pod's volumes\b/;

/** The finding about a StorageClass or a volume for whose zone the pods have no node, if nothing else keeps them. */
export function causeInVolumes(
  findings: readonly Finding[],
  context: RuleContext,
  workload: WorkloadManifest,
): Finding | undefined {
  const ofVolumes = findings.filter(({ rule, subject }) => rule === ZONES && KINDS.includes(subject.kind));
  if (ofVolumes.length === 0 || !isRefusedForVolumes(context, workload)) return undefined;
  const names = volumesOf(context, workload);
  return ofVolumes.find(({ subject: { kind, name } }) => names.has(`${kind} ${name}`));
}

function isRefusedForVolumes({ plan }: RuleContext, workload: WorkloadManifest): boolean {
  const groups = podGroupIndices(workload);
  return plan.unschedulable
    .filter(({ group }) => groups.includes(group))
    .every(({ reasons }) => reasons.some(({ diagnosis = '' }) => ONLY_VOLUMES.test(diagnosis)));
}

/** The StorageClasses of the workload's claims, and the volumes that they name, such as `StorageClass gp3`. */
function volumesOf(context: RuleContext, workload: WorkloadManifest): ReadonlySet<string> {
  const { model } = context;
  const classes = storageClassesOf(context);
  const mounted = recordsOf(podSpecOf(workload)?.volumes).map(
    ({ persistentVolumeClaim }) => asRecord(persistentVolumeClaim)?.claimName,
  );
  const claims = model.objects.filter(
    ({ kind, namespace = 'default', name }) =>
      kind === 'PersistentVolumeClaim' && namespace === workload.namespace && mounted.includes(name),
  );
  const ofClasses = writtenClaims(model)
    .filter(({ object }) => object === workload.object || claims.includes(object))
    .map((claim) => `StorageClass ${classNameOf(claim, classes) ?? ''}`);
  const volumes = claims.map(({ raw }) => `PersistentVolume ${stringOrUndefined(raw.spec?.volumeName) ?? ''}`);
  return new Set([...ofClasses, ...volumes]);
}
