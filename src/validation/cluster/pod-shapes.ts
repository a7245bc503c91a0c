import { ClusterLog } from './cluster-log';
import { ClusterPod } from './cluster-pod';
import { PodControllers } from './pod-controllers';
import { withHeldResources } from './running-requests';
import { asRecord } from '../../contract';
import { PodShape } from '../../scheduling';
import { FieldReader } from '../manifest/field-reader';
import { PodSurroundings, readPodShape } from '../manifest/pod-shape';

/** The API server has long added what it adds. */
const ADMITTED: PodSurroundings['admission'] = {
  containerDefaults: () => ({ requests: new Map(), limits: new Map() }),
  runtimeClass: () => ({}),
};

/** What decides where pods of the cluster can run; undefined, and logged, for one that cannot be read. */
export class PodShapes {
  public constructor(
    private readonly around: Omit<PodSurroundings, 'admission'>, private readonly controllers: PodControllers, private readonly log: ClusterLog,
  ) {}

  /** As of a pod that needs a node: that which it runs on may be one that goes. */
  public of(pod: ClusterPod): PodShape | undefined {
    const { nodeName, ...spec } = withHeldResources(asRecord(pod.object.raw.spec) ?? {}, asRecord(pod.object.raw.status) ?? {});
    const { namespace, name, labels } = pod;
    const reader = new FieldReader(pod.object, this.log);
    const context = { namespace, name, templates: [], labels, ...this.controllers.of(pod) };
    return readPodShape(reader, ['spec'], spec, context, { ...this.around, admission: ADMITTED });
  }
}
