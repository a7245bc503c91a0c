// Command record runs a fleet on a real control plane and Karpenter, and records it.
//
// Standard input has the fleet in JSON; each line of standard output is an event or a sample of the recording.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// init keeps the main goroutine on one thread: child processes end when the thread that started them ends.
func init() { runtime.LockOSThread() }

func main() {
	programs := flag.String("programs", "", "the folder with etcd, kube-apiserver, kube-controller-manager, kube-scheduler and karpenter")
	crds := flag.String("crds", "", "the folder with the CRDs")
	catalogue := flag.String("catalogue", "", "the facts of instance types")
	work := flag.String("work", "", "a new folder for data and logs")
	port := flag.Int("port", 20000, "the first of ten ports on the loopback interface")
	flag.Parse()
	log.SetLogger(logr.Discard())
	isolated, err := isolateNetwork()
	if err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var f fleet
	if err := json.NewDecoder(os.Stdin).Decode(&f); err != nil {
		fail(err)
	}
	plane := &controlPlane{programs: *programs, work: *work, port: *port}
	r := newRecorder(os.Stdout)
	r.event("start", map[string]any{"wall": time.Now().UTC().Format(time.RFC3339Nano), "isolatedNetwork": isolated})
	if err = run(ctx, plane, f, r, *crds, *catalogue); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	plane.stop()
	if err != nil {
		os.Exit(1)
	}
}

func run(ctx context.Context, plane *controlPlane, f fleet, r *recorder, crds, catalogue string) error {
	if err := plane.start(ctx); err != nil {
		return err
	}
	c, err := connect(ctx, plane, crds)
	if err != nil {
		return err
	}
	r.event("control plane", nil)
	if err := f.resolveCatalogue(catalogue, r); err != nil {
		return err
	}
	startKubelets(ctx, c, f)
	if err := plane.startKarpenter(f, catalogue, r); err != nil {
		return err
	}
	return f.record(ctx, c, r)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
