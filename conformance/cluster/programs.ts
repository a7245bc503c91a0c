import { dirname, join } from 'node:path';
import { build, buildRequired, moduleFolder, PROVIDER, requiredVersion } from '../go';

const CONTROL_PLANE = join(__dirname, 'control-plane');
const KUBERNETES = 'k8s.io/kubernetes';
const ETCD = 'go.etcd.io/etcd/server/v3';
/** Without it, Kubernetes reports version 0.0.0. */
const VERSION_PACKAGE = 'k8s.io/component-base/version';

export interface Programs {
  /** The folder of all programs. */
  readonly folder: string;
  /** The folder of the CRDs of Karpenter for AWS. */
  readonly crds: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Builds the control plane, Karpenter and the recording program. The first build takes about half an hour. */
export function buildPrograms(print: (line: string) => void): Programs {
  const kubernetes = requiredVersion(KUBERNETES, CONTROL_PLANE);
  const [major, minor] = kubernetes.slice(1).split('.');
  const linker = [`gitVersion=${kubernetes}`, `gitMajor=${major}`, `gitMinor=${minor}`];
  const flags = `-ldflags=-s -w ${linker.map((value) => `-X ${VERSION_PACKAGE}.${value}`).join(' ')}`;
  print('builds etcd');
  buildRequired(CONTROL_PLANE, ETCD, 'cluster/etcd', flags);
  for (const program of ['kube-scheduler', 'kube-apiserver', 'kube-controller-manager']) {
    print(`builds ${program}`);
    buildRequired(CONTROL_PLANE, `${KUBERNETES}/cmd/${program}`, `cluster/${program}`, flags);
  }
  print('builds karpenter');
  build({ command: 'cluster/karpenter', program: 'cluster/karpenter' });
  return {
    folder: dirname(build({ command: 'cluster/record', program: 'cluster/record' })),
    crds: join(moduleFolder(PROVIDER), 'pkg/apis/crds'),
    versions: {
      etcd: requiredVersion(ETCD, CONTROL_PLANE),
      kubernetes,
      karpenter: requiredVersion('sigs.k8s.io/karpenter'),
      [PROVIDER.split('/')[2]]: requiredVersion(PROVIDER),
    },
  };
}
