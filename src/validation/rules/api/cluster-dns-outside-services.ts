import { asRecord, setField, unsafeFix } from '../../../contract';
import { valueText } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { ManifestModel, NodeClassManifest } from '../../manifest/model';
import { classesInUse } from '../common/class-use';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { subjectsFrom } from '../subjects';

/** The addresses of cluster DNS that EKS and kubeadm choose by default. Other addresses may be other name servers. */
const DEFAULTS = ['10.100.0.10', '172.20.0.10', '10.96.0.10'];
const CIDR = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.\d{1,3}\/(1[2-9]|2[0-4])$/;

/** @see https://docs.aws.amazon.com/eks/latest/APIReference/API_KubernetesNetworkConfigRequest.html */
export const clusterDnsOutsideServices = defineRule({
  id: 'KARP-160',
  name: 'cluster-dns-outside-services',
  readsTerraform: true,
  severity: 'error',
  summary: "The kubelet's clusterDNS is not in the cluster's range of Service addresses, so pods resolve no names.",
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: ({ object }) => Array.isArray(object.raw.spec?.kubelet?.clusterDNS),
  }),
  judge({ object }, { model }) {
    const cidr = serviceCidr(model);
    const right = cidr === undefined ? undefined : dnsAddress(cidr);
    if (right === undefined) return NOT_APPLICABLE;
    const written = [object.raw.spec?.kubelet?.clusterDNS].flat();
    const index = written.findIndex((address) => DEFAULTS.some((known) => known === address) && address !== right);
    if (index < 0) return undefined;
    const path = ['spec', 'kubelet', 'clusterDNS', index];
    return {
      path,
      message: `clusterDNS is ${valueText(written[index])}, but the cluster's Services have addresses of ${cidr}: pods on its nodes resolve no names`,
      remedy: `write ${right}, or remove clusterDNS`,
      evidence: { clusterDNS: valueText(written[index]), serviceCidr: cidr },
      fix: unsafeFix(setField(path, right)),
    };
  },
});

/** The range of the only cluster of the input; undefined if it is not written. */
function serviceCidr({ objects, aws }: ManifestModel): string | undefined {
  const networks = [
    ...eksctlClusters(objects).map(({ object }) => asRecord(object.raw?.kubernetesNetworkConfig)?.serviceIPv4CIDR),
    ...aws.allClusters.map(({ resource }) => asRecord(resource.properties.KubernetesNetworkConfig)?.ServiceIpv4Cidr),
  ];
  const [only, ...others] = networks;
  return others.length === 0 && typeof only === 'string' ? only : undefined;
}

/** The address that EKS gives to cluster DNS: the tenth of the range. */
function dnsAddress(cidr: string): string | undefined {
  const [, a, b, c, length] = CIDR.exec(cidr) ?? [];
  if (length === undefined) return undefined;
  const block = 2 ** (24 - Number(length));
  const written = Number(a) * 65536 + Number(b) * 256 + Number(c);
  const network = written - (written % block);
  return [Math.floor(network / 65536), Math.floor(network / 256) % 256, network % 256, 10].join('.');
}
