import { removeField, unsafeFix } from '../../../contract';
import { FieldPath, WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { imagesOf } from '../common/ordinary-pods';
import { placementsOf } from '../common/placements';
import { podSpecOf, targetsNonKarpenterNodes } from '../common/pod-constraints';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { workloads } from '../subjects';

/** These are often meant to run on each node, behind a load balancer that knows the nodes. */
const ENTRANCE = /ingress|gateway|proxy|nginx|traefik|envoy|contour|kong|caddy/i;

/** With fewer pods, each is often meant to have a node of its own. */
const LEAST_PODS = 3;

/** @see https://kubernetes.io/docs/concepts/configuration/overview/#services */
export const hostPortTakesNodes = defineRule({
  id: 'KARP-330',
  name: 'host-port-takes-nodes',
  severity: 'warning',
  summary: 'A workload publishes a port of its nodes: each of its pods needs a node of its own.',
  subjects: workloads({
    where: (workload) =>
      workload.kind !== 'DaemonSet' && workload.replicas >= LEAST_PODS && !targetsNonKarpenterNodes(workload),
  }),
  judge(workload, context) {
    const written = hostPortOf(workload);
    if (written === undefined) return NOT_APPLICABLE;
    const nodes = placementsOf(context, workload).length;
    if (nodes < workload.replicas) return NOT_APPLICABLE;
    return {
      path: written.path,
      message: `takes port ${written.port} of the node, which one pod of a node can have: its ${workload.replicas} pods are spread over ${nodes} nodes, and each further replica needs one more`,
      remedy: 'remove hostPort, and use a Service; or make the workload a DaemonSet if each node needs it',
      evidence: { hostPort: written.port, pods: workload.replicas, nodes },
      fix: unsafeFix(removeField(written.path)),
      ...([workload.name, ...imagesOf(workload)].some((text) => ENTRANCE.test(text))
        ? { severity: 'info' as const }
        : {}),
    };
  },
});

function hostPortOf(workload: WorkloadManifest): { readonly path: FieldPath; readonly port: number } | undefined {
  const spec = podSpecOf(workload);
  // With the host's network, the port is that of the program.
  if (spec?.hostNetwork === true) return undefined;
  for (const [container, { ports }] of recordsOf(spec?.containers).entries()) {
    for (const [index, { hostPort }] of recordsOf(ports).entries()) {
      if (typeof hostPort === 'number' && hostPort > 0)
        return { port: hostPort, path: [...workload.podPath, 'containers', container, 'ports', index, 'hostPort'] };
    }
  }
  return undefined;
}
