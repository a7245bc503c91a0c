import { IResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ControllerRole } from './controller-role';
import { compareKarpenterVersions, HelmValues, mergeValues, NEWEST_KARPENTER_VERSION } from '../contract';
import { InterruptionQueue } from '../interruption';
import { errorWithoutStack, requireProps } from '../model';
import { viewCluster } from './private/cluster-view';
import { controllerCapacity, missingCapacityProblems } from './private/controller-capacity';
import { Kubectl } from './private/kubectl';

/**
 * Versions, registry and values of Karpenter's Helm charts.
 */
export interface KarpenterChartOptions {
  /**
   * Version of Karpenter and its charts, 1.0.0 or later.
   *
   * @default - the newest version that this package supports
   */
  readonly karpenterVersion?: string;

  /**
   * OCI registry of the charts. A private cluster needs a copy of the charts `karpenter` and `karpenter-crd` in a
   * registry that it can reach, and a copy of the controller's image. Set the image in the chart value
   * `controller.image.repository`.
   *
   * @default oci://public.ecr.aws/karpenter
   */
  readonly chartRegistry?: string;

  /**
   * Values of the chart `karpenter`, merged into the values of this library. Your values take precedence.
   *
   * @default - none
   * @see https://github.com/aws/karpenter-provider-aws/blob/main/charts/karpenter/values.yaml
   */
  readonly helmValues?: { [key: string]: any };

  /**
   * Whether Karpenter runs in a VPC without internet access. It then calls neither IAM nor the price list API, which
   * have no VPC endpoint.
   *
   * @default false
   */
  readonly isolatedVpc?: boolean;

  /**
   * Whether something outside this app creates the nodes on which the controller runs. If not, the synth fails if the
   * app creates the cluster and the charts, but no node on which the controller can run.
   *
   * @default - false, except if `helmValues` has an affinity
   */
  readonly nodesElsewhere?: boolean;
}

/**
 * Properties of a KarpenterChart.
 */
export interface KarpenterChartProps extends KarpenterChartOptions {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * The controller's role, which also determines its namespace and service account.
   */
  readonly controllerRole: ControllerRole;

  /**
   * Queue from which the controller reads interruption events.
   *
   * @default - none
   */
  readonly interruptionQueue?: InterruptionQueue;

  /**
   * Whether this stack installs the charts. If false, install them by other means with `helmValues` and
   * `crdHelmValues`.
   *
   * @default true
   */
  readonly installChart?: boolean;
}

/**
 * Karpenter's two Helm charts, `karpenter-crd` and then `karpenter`. The CRDs have their own chart, because Helm does
 * not upgrade CRDs that are part of another chart.
 */
export class KarpenterChart extends Construct {
  /**
   * Version of Karpenter and its charts.
   */
  public readonly karpenterVersion: string;

  /**
   * Values of the chart `karpenter`, with the property `helmValues` merged in.
   */
  public readonly helmValues: { [key: string]: any };

  /**
   * Values of the chart `karpenter-crd`.
   */
  public readonly crdHelmValues: { [key: string]: any };

  /**
   * @throws Error if the charts must be installed and the cluster has no kubectl provider
   */
  constructor(scope: Construct, id: string, props: KarpenterChartProps) {
    super(scope, id);
    requireProps(this, props, {
      cluster: "new ClusterReference(this, 'Cluster', { clusterName: 'my-cluster' })",
      controllerRole: "new ControllerRole(this, 'Controller', { cluster })",
    });
    this.karpenterVersion = props.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
    this.helmValues = mergeValues(this.ownValues(props), props.helmValues ?? {});
    this.crdHelmValues = this.ownCrdValues(props.controllerRole.namespace);
    if (props.installChart !== false) this.install(props);
  }

  private install({
    cluster,
    controllerRole,
    chartRegistry = 'oci://public.ecr.aws/karpenter',
    helmValues,
    nodesElsewhere,
  }: KarpenterChartProps): void {
    const view = viewCluster(this, cluster);
    // With an affinity of the user, the controller may run on nodes of EKS Auto Mode.
    if (!(nodesElsewhere ?? helmValues?.affinity !== undefined)) {
      const { namespace } = controllerRole;
      this.node.addValidation({ validate: () => missingCapacityProblems(view, namespace) });
    }
    const newRelease = (release: string, chart: string, values: HelmValues) =>
      this.kubectl(view.kubectl, view.resource).newRelease(this, release, {
        chart,
        repository: `${chartRegistry}/${chart}`,
        version: this.karpenterVersion,
        namespace: controllerRole.namespace,
        values,
      });
    const crds = newRelease('Crds', 'karpenter-crd', this.crdHelmValues);
    const controller = newRelease('Controller', 'karpenter', this.helmValues);
    controller.node.addDependency(crds, controllerCapacity(view));
  }

  private kubectl(kubectl: Kubectl | undefined, cluster: IResource): Kubectl {
    if (kubectl) return kubectl;
    throw errorWithoutStack(
      `${this.node.path}/cluster: must have a kubectl provider to install charts, got ${cluster.node.path} without one; ` +
        'give the cluster kubectlProviderOptions with a kubectl layer, import it with a kubectlProvider, or write installChart: false',
    );
  }

  private ownValues({ cluster, controllerRole, interruptionQueue, isolatedVpc }: KarpenterChartProps): HelmValues {
    const { serviceAccountName, serviceAccountAnnotations } = controllerRole;
    return {
      serviceAccount: {
        name: serviceAccountName,
        ...(Object.keys(serviceAccountAnnotations).length > 0 && { annotations: serviceAccountAnnotations }),
      },
      settings: {
        clusterName: viewCluster(this, cluster).clusterName,
        ...(interruptionQueue && { interruptionQueue: interruptionQueue.queueName }),
        ...(isolatedVpc && { isolatedVPC: true }),
      },
      // Upstream's chart sets no requests; its guide recommends these. A CPU limit is left out, because it would
      // throttle the controller under load.
      controller: { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } } },
    };
  }

  /** Before 1.1, the CRDs refer to the conversion webhook's service in the controller's namespace. */
  private ownCrdValues(namespace: string): HelmValues {
    return compareKarpenterVersions(this.karpenterVersion, '1.1.0') < 0
      ? { webhook: { enabled: true, serviceNamespace: namespace } }
      : {};
  }
}
